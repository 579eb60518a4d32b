import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Control, StatusDot, useT } from '../../ui/index.ts'
import { secretMask } from './values.ts'

type Props = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  value: string
  set: (text: string) => void
  /** True if a secret is stored. */
  isStored: boolean
}

/** A write-only field: a stored secret can be replaced or removed, but never read. */
export const SecretField = ({ isStored, value, set, ...fieldProps }: Props) => {
  const t = useT()
  if (value === secretMask)
    return (
      <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center', minHeight: 40 }}>
        <StatusDot tone="green" />
        <Box component="span" sx={{ flex: 1, fontSize: 14 }}>
          {t('settings.secret.set')}
        </Box>
        <Button id={fieldProps.id} size="small" color="inherit" onClick={() => set('')}>
          {t('settings.secret.replace')}
        </Button>
      </Stack>
    )
  return (
    <Stack direction="row" spacing={1}>
      <Control
        kind="password"
        {...fieldProps}
        value={value}
        set={next => set(String(next))}
        options={[]}
      />
      {isStored && (
        <Button color="inherit" onClick={() => set(secretMask)}>
          {t('settings.secret.keep')}
        </Button>
      )}
    </Stack>
  )
}
