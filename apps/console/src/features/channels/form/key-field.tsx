import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Badge, mono, useT } from '../../../ui/index.ts'

type Props = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  value: string
  set: (text: string) => void
  hint: string
  /** Number of stored keys; the keys themselves are never shown. */
  storedCount: number
}

/** A write-only field for keys: stored keys are counted and can be replaced. */
export const KeyField = ({ id, describedBy, invalid, value, set, hint, storedCount }: Props) => {
  const t = useT()
  const [replacing, setReplacing] = useState(storedCount === 0)
  if (!replacing)
    return (
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', minHeight: 36 }}>
        <Badge tone="green" text={t('channels.key.set', { count: storedCount })} />
        <Button id={id} size="small" onClick={() => setReplacing(true)}>
          {t('channels.key.replace')}
        </Button>
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
          {storedCount === 0 && keyCount > 1
            ? t('channels.key.several', { count: keyCount })
            : hint}
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
    </>
  )
}
