import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, useAction } from '../../../api/index.ts'
import { Field, mono, useT } from '../../../ui/index.ts'
import type { List } from './dialog.tsx'

const ways = ['address', 'text'] as const
type Way = (typeof ways)[number]

/** Where the list comes from. The server fetches an address, under its own rules for addresses. */
export const SourceStep = ({ onRead }: { onRead: (list: List) => void }) => {
  const t = useT()
  const { data: usual = '' } = useQuery(query(api.prices.source))
  const [way, setWay] = useState<Way>('address')
  const [typed, setTyped] = useState<string>()
  const [text, setText] = useState('')
  const read = useAction([], api.prices.read, { onDone: onRead })
  const address = typed ?? usual
  const isReady = way === 'address' ? address.trim() !== '' : text.trim() !== ''
  const run = () => read(way === 'address' ? { address: address.trim() } : { text })
  return (
    <form
      style={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}
      onSubmit={event => {
        event.preventDefault()
        if (isReady) void run()
      }}
    >
      <DialogContent>
        <Stack spacing={2}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('prices.sync.formats')}
          </Typography>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={way}
            aria-label={t('prices.sync.from')}
            onChange={(_, next: Way | null) => next && setWay(next)}
          >
            <ToggleButton value="address" sx={{ px: 1.5 }}>
              {t('prices.sync.byAddress')}
            </ToggleButton>
            <ToggleButton value="text" sx={{ px: 1.5 }}>
              {t('prices.sync.byText')}
            </ToggleButton>
          </ToggleButtonGroup>
          {way === 'address' ? (
            <Field label={t('prices.sync.address')}>
              {({ id }) => (
                <OutlinedInput
                  id={id}
                  fullWidth
                  type="url"
                  value={address}
                  placeholder="https://"
                  onChange={event => setTyped(event.target.value)}
                />
              )}
            </Field>
          ) : (
            <Pasted text={text} setText={setText} />
          )}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button type="submit" variant="contained" disabled={!isReady} loading={read.isPending}>
          {t('prices.sync.fetch')}
        </Button>
      </DialogActions>
    </form>
  )
}

const Pasted = ({ text, setText }: { text: string; setText: (text: string) => void }) => {
  const t = useT()
  return (
    <>
      <Field label={t('prices.sync.text')}>
        {({ id }) => (
          <OutlinedInput
            id={id}
            fullWidth
            multiline
            minRows={6}
            maxRows={14}
            value={text}
            sx={{ fontFamily: mono, fontSize: 13 }}
            onChange={event => setText(event.target.value)}
          />
        )}
      </Field>
      <Button component="label" color="inherit" sx={{ alignSelf: 'flex-start' }}>
        {t('prices.sync.file')}
        <input
          hidden
          type="file"
          accept=".json,application/json,text/plain"
          onChange={event => {
            const file = event.target.files?.[0]
            if (file) void file.text().then(setText)
          }}
        />
      </Button>
    </>
  )
}
