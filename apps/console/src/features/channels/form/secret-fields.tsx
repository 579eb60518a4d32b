import type { Channel, Provider } from '@hub/contract'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Badge, mono, useT } from '../../../ui/index.ts'
import type { ChannelValues } from './channel-values.ts'

const KeyModeField = lazy(async () => ({
  default: (await import('../create/key-mode-field.tsx')).KeyModeField,
}))
const KeysDialog = lazy(async () => ({
  default: (await import('../keys/keys-dialog.tsx')).KeysDialog,
}))

type SecretProps = {
  id: string
  /** A value is stored. */
  isSet: boolean
  /** Null: the stored value is removed. */
  value: string | null
  set: (value: string | null) => void
  /** The control for a new value. */
  children: ReactNode
}

/** A field whose stored value is never shown: it is kept, replaced or removed. */
export const SecretField = ({ id, isSet, value, set, children }: SecretProps) => {
  const t = useT()
  const [isReplacing, setReplacing] = useState(!isSet)
  const keep = () => {
    set('')
    setReplacing(false)
  }
  const keepButton = (
    <Button size="small" color="inherit" onClick={keep}>
      {t('channels.secret.keep')}
    </Button>
  )
  const replace = () => {
    set('')
    setReplacing(true)
  }
  if (isReplacing)
    return (
      <Stack spacing={0.5} sx={{ alignItems: 'stretch' }}>
        {children}
        {isSet && <span>{keepButton}</span>}
      </Stack>
    )
  const isRemoved = value === null
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'center', minHeight: 36 }}>
      <Badge
        tone={isRemoved ? 'gray' : 'green'}
        text={t(isRemoved ? 'channels.secret.removed' : 'channels.secret.set')}
      />
      <Button id={id} size="small" onClick={replace}>
        {t('channels.key.replace')}
      </Button>
      {isRemoved ? (
        keepButton
      ) : (
        <Button size="small" color="inherit" onClick={() => set(null)}>
          {t('channels.secret.remove')}
        </Button>
      )}
    </Stack>
  )
}

type KeyProps = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  value: string
  set: (text: string) => void
  provider: Provider | undefined
  /** Its keys are only counted, and never shown. */
  stored: Channel | undefined
  mode: ChannelValues['key_mode']
  setMode: (mode: ChannelValues['key_mode']) => void
}

/** A write-only field for keys: stored keys are counted and can be replaced. */
export const KeyField = (props: KeyProps) => {
  const { id, describedBy, invalid, value, set, provider, stored, mode, setMode } = props
  const storedCount = stored?.key_count ?? 0
  const t = useT()
  const [isListing, setListing] = useState(false)
  const [replacing, setReplacing] = useState(storedCount === 0)
  if (!replacing)
    return (
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', minHeight: 36 }}>
        <Badge tone="green" text={t('channels.key.set', { count: storedCount })} />
        <Button id={id} size="small" onClick={() => setReplacing(true)}>
          {t('channels.key.replace')}
        </Button>
        <Button size="small" color="inherit" onClick={() => setListing(true)}>
          {t('channels.keys.manage')}
        </Button>
        {isListing && stored && (
          <Suspense>
            <KeysDialog channel={stored} close={() => setListing(false)} />
          </Suspense>
        )}
      </Stack>
    )
  const keyCount = value.split('\n').filter(line => line.trim() !== '').length
  return (
    <>
      <OutlinedInput
        id={id}
        fullWidth
        multiline
        minRows={2}
        maxRows={8}
        value={value}
        error={invalid}
        autoComplete="off"
        inputProps={{ 'aria-describedby': describedBy, spellCheck: false }}
        onChange={event => set(event.target.value)}
        sx={{ fontFamily: mono, fontSize: 13 }}
      />
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'space-between', mt: 0.5 }}>
        <Typography variant="caption" aria-live="polite" sx={{ color: 'text.secondary' }}>
          <KeyHelp provider={provider} />
        </Typography>
        {storedCount > 0 && (
          <Button
            size="small"
            color="inherit"
            sx={{ minHeight: 24, py: 0 }}
            onClick={() => {
              set('')
              setReplacing(false)
            }}
          >
            {t('channels.key.keep')}
          </Button>
        )}
      </Stack>
      {storedCount === 0 && keyCount > 1 && (
        <Suspense>
          <KeyModeField {...{ mode, setMode }} count={keyCount} />
        </Suspense>
      )}
    </>
  )
}

/** The format of the key, if it has one, and the page of the provider that issues keys. */
const KeyHelp = ({ provider }: { provider: Provider | undefined }) => {
  const t = useT()
  if (!provider) return null
  const { key_hint, links, name } = provider
  const format = key_hint === 'API key' ? '' : `${key_hint}. `
  if (!links.keys) return format + t('channels.key.issued', { name })
  return (
    <>
      {format}
      {t('channels.key.find')}{' '}
      <Link href={links.keys} target="_blank" rel="noreferrer noopener">
        {links.keys.replace(/^https?:\/\//, '')}
      </Link>
    </>
  )
}
