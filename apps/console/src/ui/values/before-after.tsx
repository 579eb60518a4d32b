import Box from '@mui/material/Box'

type Props = {
  before: number
  after: number
  /** The value of a full bar. */
  max: number
}

/** Two bars, one below the other, for values that stand next to them as text. */
export const BeforeAfter = ({ before, after, max }: Props) => (
  <Box aria-hidden sx={{ display: 'grid', gap: '2px', width: 1 }}>
    <Bar value={before} max={max} colour="text.disabled" />
    <Bar value={after} max={max} colour={colourOf(after - before)} />
  </Box>
)

const colourOf = (difference: number) => {
  if (difference === 0) return 'text.disabled'
  return difference > 0 ? 'warning.main' : 'success.main'
}

const Bar = ({ value, max, colour }: { value: number; max: number; colour: string }) => (
  <Box sx={{ height: 4, borderRadius: 1, bgcolor: 'action.hover', overflow: 'hidden' }}>
    <Box
      data-bar
      sx={{ height: 1, borderRadius: 1, bgcolor: colour }}
      style={{ width: `${max > 0 ? Math.round((value / max) * 1_000) / 10 : 0}%` }}
    />
  </Box>
)
