import type { Price } from '@hub/contract'
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
import { api, query } from '../../../api/index.ts'
import { Field, mono, useAction, useT } from '../../../ui/index.ts'

/** A price list as the server parsed it; `skipped` lists entries that cannot be used. */
export type PriceList = {
  prices: Price[]
  format: string
  skipped: { model: string; why: string }[]
}

const sourceKinds = ['address', 'text'] as const
type SourceKind = (typeof sourceKinds)[number]

/** Selects the source of the list. The server fetches addresses and applies its address restrictions. */
export const SourceStep = ({ onRead }: { onRead: (list: PriceList) => void }) => {
  const t = useT()
  const { data: defaultAddress = '' } = useQuery(query(api.prices.source))
  const [source, setSource] = useState<SourceKind>('address')
  const [typedAddress, setTypedAddress] = useState<string>()
  const [text, setText] = useState('')
  const read = useAction([], api.prices.read, { onSuccess: onRead })
  const address = typedAddress ?? defaultAddress
  const isReady = source === 'address' ? address.trim() !== '' : text.trim() !== ''
  const submit = () => read(source === 'address' ? { address: address.trim() } : { text })
  return (
    <form
      style={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}
      onSubmit={event => {
        event.preventDefault()
        if (isReady) void submit()
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
            value={source}
            aria-label={t('prices.sync.from')}
            onChange={(_, next: SourceKind | null) => next && setSource(next)}
          >
            <ToggleButton value="address" sx={{ px: 1.5 }}>
              {t('prices.sync.byAddress')}
            </ToggleButton>
            <ToggleButton value="text" sx={{ px: 1.5 }}>
              {t('prices.sync.byText')}
            </ToggleButton>
          </ToggleButtonGroup>
          {source === 'address' ? (
            <Field label={t('prices.sync.address')}>
              {({ id }) => (
                <OutlinedInput
                  id={id}
                  fullWidth
                  type="url"
                  value={address}
                  placeholder="https://"
                  onChange={event => setTypedAddress(event.target.value)}
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
