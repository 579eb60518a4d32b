import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Control, Mark, useT } from '../../ui/index.ts'
import { keptSecret } from './values.ts'

type Props = {
  id: string
  described: string | undefined
  invalid: boolean
  value: string
  set: (text: string) => void
  /** Whether there is one stored. */
  isStored: boolean
}

/** A secret is never read back: it is there or not, kept or replaced. */
export const SecretField = ({ isStored, value, set, ...named }: Props) => {
  const t = useT()
  if (value === keptSecret)
    return (
      <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center', minHeight: 40 }}>
        <Mark tone="green" />
        <Box component="span" sx={{ flex: 1, fontSize: 14 }}>
          {t('settings.secret.set')}
        </Box>
        <Button id={named.id} size="small" color="inherit" onClick={() => set('')}>
          {t('settings.secret.replace')}
        </Button>
      </Stack>
    )
  return (
    <Stack direction="row" spacing={1}>
      <Control
        kind="password"
        {...named}
        value={value}
        set={next => set(String(next))}
        options={[]}
      />
      {isStored && (
        <Button color="inherit" onClick={() => set(keptSecret)}>
          {t('settings.secret.keep')}
        </Button>
      )}
    </Stack>
  )
}
