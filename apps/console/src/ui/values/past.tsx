import Box from '@mui/material/Box'
import { useT } from '../../locales/use-t.ts'
import { Timestamp } from './values.tsx'

/** A moment in the past. Where there was none, `otherwise` (a locale key) says so: `When` would say "never" of the future. */
export const PastTimestamp = ({ at, fallbackKey }: { at: number; fallbackKey: string }) => {
  const t = useT()
  if (at > 0) return <Timestamp at={at} />
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t(fallbackKey)}
    </Box>
  )
}
