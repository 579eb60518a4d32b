import Alert from '@mui/material/Alert'
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
import { api, query } from '../api/index.ts'
import { Field, mono, useT } from '../ui/index.ts'

const sourceKinds = ['address', 'text', 'shipped'] as const
type SourceKind = (typeof sourceKinds)[number]

type Source = { address: string } | { text: string }
type Props = {
  /** The prefix of the locale keys, such as `prices.sync`. */
  texts: string
  isReading: boolean
  read: (source: Source) => void
  /** Offers the list that comes with the server. */
  readShipped?: () => void
}

/**
 * Selects the source of a list in One Hub's format: an address, a pasted text or a file. The server fetches addresses and
 * applies its address restrictions.
 */
export const ListSource = ({ texts, isReading, read, readShipped }: Props) => {
  const t = useT()
  const { data: defaultAddress = '' } = useQuery(query(api.prices.source))
  const [source, setSource] = useState<SourceKind>('address')
  const [typedAddress, setTypedAddress] = useState<string>()
  const [text, setText] = useState('')
  const address = typedAddress ?? defaultAddress
  const isReady = { address: address.trim() !== '', text: text.trim() !== '', shipped: true }[
    source
  ]
  const submit = () => {
    if (source === 'shipped') readShipped?.()
    else read(source === 'address' ? { address: address.trim() } : { text })
  }
  return (
    <form
      style={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}
      onSubmit={event => {
        event.preventDefault()
        if (isReady) submit()
      }}
    >
      <DialogContent sx={{ pt: 0 }}>
        <Stack spacing={2}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t(`${texts}.formats`)}
          </Typography>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={source}
            aria-label={t(`${texts}.from`)}
            onChange={(_, next: SourceKind | null) => next && setSource(next)}
          >
            <ToggleButton value="address" sx={{ px: 1.5 }}>
              {t(`${texts}.byAddress`)}
            </ToggleButton>
            <ToggleButton value="text" sx={{ px: 1.5 }}>
              {t(`${texts}.byText`)}
            </ToggleButton>
            {readShipped && (
              <ToggleButton value="shipped" sx={{ px: 1.5 }}>
                {t(`${texts}.byVersion`)}
              </ToggleButton>
            )}
          </ToggleButtonGroup>
          {source === 'shipped' && (
            <Typography variant="body2">{t(`${texts}.versionText`)}</Typography>
          )}
          {source === 'address' && (
            <Field label={t(`${texts}.address`)}>
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
          )}
          {source === 'text' && <PastedText {...{ texts, text, setText }} />}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button type="submit" variant="contained" disabled={!isReady} loading={isReading}>
          {t(`${texts}.fetch`)}
        </Button>
      </DialogActions>
    </form>
  )
}

type PastedTextProps = { texts: string; text: string; setText: (text: string) => void }

const PastedText = ({ texts, text, setText }: PastedTextProps) => {
  const t = useT()
  return (
    <>
      <Field label={t(`${texts}.text`)}>
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
        {t(`${texts}.file`)}
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

export type SkippedEntry = { model: string; why: string }
const shownEntries = 100

/** Names the entries of a list that cannot be used, with the reason of each. */
export const SkippedEntries = ({
  summary,
  entries,
}: {
  summary: string
  entries: readonly SkippedEntry[]
}) =>
  entries.length > 0 && (
    <Alert severity="warning" variant="outlined">
      <details>
        <summary>{summary}</summary>
        <ul style={{ margin: '8px 0 0', paddingInlineStart: 20 }}>
          {entries.slice(0, shownEntries).map(({ model, why }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal rows have no other key, and none has state or moves.
            <li key={index}>
              {model || '–'}: {why}
            </li>
          ))}
        </ul>
      </details>
    </Alert>
  )
