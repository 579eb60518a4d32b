import Box from '@mui/material/Box'
import { useT } from '../../locales/use-t.ts'

export type Tone = 'green' | 'gray' | 'red' | 'amber' | 'blue' | 'violet'

const colours: Record<Tone, string> = {
  green: 'var(--mui-palette-success-main)',
  gray: 'var(--mui-palette-text-secondary)',
  red: 'var(--mui-palette-error-main)',
  amber: 'var(--mui-palette-warning-main)',
  blue: 'var(--mui-palette-info-main)',
  violet: 'var(--hub-violet, #7a4fd0)',
}

/** A coloured dot beside a number. */
export const StatusDot = ({ tone }: { tone: Tone }) => (
  <Box
    component="span"
    aria-hidden
    sx={{
      display: 'inline-block',
      width: 7,
      height: 7,
      borderRadius: '50%',
      bgcolor: colours[tone],
      mr: 0.75,
      verticalAlign: '1px',
    }}
  />
)

/** A status as text with a coloured dot, readable without telling colours apart. */
export const Badge = ({
  tone = 'gray',
  labelKey,
  text,
}: {
  tone?: Tone
  labelKey?: string
  text?: string
}) => {
  const t = useT()
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.75,
        px: 1,
        height: 22,
        fontSize: 12,
        fontWeight: 500,
        borderRadius: '6px',
        whiteSpace: 'nowrap',
        border: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box
        component="span"
        aria-hidden
        sx={{ width: 7, height: 7, borderRadius: '50%', bgcolor: colours[tone] }}
      />
      {text ?? t(labelKey ?? '')}
    </Box>
  )
}
