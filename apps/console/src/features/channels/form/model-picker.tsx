import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId, useState } from 'react'
import { useT } from '../../../ui/index.ts'

type Props = {
  found: readonly string[]
  present: readonly string[]
  choose: (models: string[]) => void
  onClose: () => void
}

/** What the provider offers: those the channel has are ticked. */
export const ModelPicker = ({ found, present, choose, onClose }: Props) => {
  const t = useT()
  const titleId = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const all = [...new Set(found)].toSorted()
  const [chosen, setChosen] = useState(() => new Set(all.filter(model => present.includes(model))))
  const [search, setSearch] = useState('')
  const [overwrite, setOverwrite] = useState(false)
  const shown = all.filter(model => model.toLowerCase().includes(search.trim().toLowerCase()))
  const toggle = (models: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const model of models) on ? next.add(model) : next.delete(model)
    setChosen(next)
  }
  const confirm = () => {
    const others = present.filter(model => !all.includes(model))
    choose(overwrite ? [...chosen] : [...others, ...chosen])
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      fullScreen={isPhone}
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{t('channels.picker.title', { count: all.length })}</DialogTitle>
      <DialogContent dividers sx={{ pt: 2 }}>
        <Stack spacing={1.5}>
          <OutlinedInput
            fullWidth
            autoFocus
            type="search"
            value={search}
            placeholder={t('channels.picker.search')}
            inputProps={{ 'aria-label': t('channels.picker.search') }}
            onChange={event => setSearch(event.target.value)}
          />
          <Stack direction="row" spacing={1}>
            <Button size="small" color="inherit" onClick={() => toggle(shown, true)}>
              {t('channels.picker.all')}
            </Button>
            <Button size="small" color="inherit" onClick={() => toggle(shown, false)}>
              {t('channels.picker.none')}
            </Button>
          </Stack>
          <Box
            component="ul"
            sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: { sm: 360 }, overflowY: 'auto' }}
          >
            {shown.map(model => (
              <li key={model}>
                <FormControlLabel
                  control={
                    <Checkbox
                      size="small"
                      checked={chosen.has(model)}
                      onChange={(_, on) => toggle([model], on)}
                    />
                  }
                  label={model}
                  sx={{
                    '& .MuiFormControlLabel-label': { fontSize: 13, overflowWrap: 'anywhere' },
                  }}
                />
              </li>
            ))}
            {shown.length === 0 && (
              <Typography variant="body2" sx={{ color: 'text.secondary', py: 2 }}>
                {t('common.noMatch')}
              </Typography>
            )}
          </Box>
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5, flexWrap: 'wrap', rowGap: 1 }}>
        <FormControlLabel
          control={
            <Switch size="small" checked={overwrite} onChange={(_, on) => setOverwrite(on)} />
          }
          label={t('channels.picker.overwrite')}
          sx={{ mr: 'auto', '& .MuiFormControlLabel-label': { fontSize: 13 } }}
        />
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button variant="contained" onClick={confirm}>
          {t('channels.picker.choose', { count: chosen.size })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
