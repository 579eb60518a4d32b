import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId, useState } from 'react'
import { ModelName } from '../../../domain/index.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Switch, useT } from '../../../ui/index.ts'

type Props = {
  offered: readonly string[]
  current: readonly string[]
  onSelect: (models: string[]) => void
  onClose: () => void
}

/** Replaces the channel's models by those the provider offers. Its current models are preselected, or all if none is offered. */
export const ModelPicker = ({ offered, current, onSelect, onClose }: Props) => {
  const t = useT()
  const titleId = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const all = [...new Set(offered)].toSorted()
  const [selected, setSelected] = useState(() => {
    const kept = all.filter(model => current.includes(model))
    return new Set(kept.length > 0 ? kept : all)
  })
  const [overwrite, setOverwrite] = useState(true)
  const toggle = (models: readonly string[], on: boolean) => {
    const next = new Set(selected)
    for (const model of models) on ? next.add(model) : next.delete(model)
    setSelected(next)
  }
  const confirm = () => {
    const others = current.filter(model => !all.includes(model))
    onSelect(overwrite ? [...selected] : [...others, ...selected])
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
        <ModelChecklist models={all} selected={selected} toggle={toggle} />
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5, flexWrap: 'wrap', rowGap: 1 }}>
        <FormControlLabel
          control={<Switch checked={overwrite} onChange={setOverwrite} />}
          label={t('channels.picker.overwrite')}
          sx={{ mr: 'auto', '& .MuiFormControlLabel-label': { fontSize: 13 } }}
        />
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button variant="contained" disabled={selected.size === 0} onClick={confirm}>
          {t('channels.picker.choose', { count: selected.size })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ChecklistProps = {
  models: readonly string[]
  selected: ReadonlySet<string>
  toggle: (models: readonly string[], on: boolean) => void
}

/** A searchable checklist; selecting all or none applies to the models that match the search. */
const ModelChecklist = ({ models, selected, toggle }: ChecklistProps) => {
  const t = useT()
  const [search, setSearch] = useState('')
  const shown = models.filter(model => model.toLowerCase().includes(search.trim().toLowerCase()))
  return (
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
                  checked={selected.has(model)}
                  onChange={(_, on) => toggle([model], on)}
                />
              }
              label={<ModelName name={model} />}
              sx={{ '& .MuiFormControlLabel-label': { fontSize: 13, overflowWrap: 'anywhere' } }}
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
  )
}
