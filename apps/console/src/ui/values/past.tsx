import Box from '@mui/material/Box'
import { useT } from '../use-t.ts'
import { When } from './values.tsx'

/** A moment in the past. Where there was none, `otherwise` (a locale key) says so: `When` would say "never" of the future. */
export const Past = ({ at, otherwise }: { at: number; otherwise: string }) => {
  const t = useT()
  if (at > 0) return <When at={at} />
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t(otherwise)}
    </Box>
  )
}
