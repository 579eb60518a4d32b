import type { Receipt } from '@hub/contract'
import Box from '@mui/material/Box'

/** Not the palette of the charts, which would load the chart library with the list. */
const colours = [
  ...['primary.main', 'info.main', 'warning.main', 'error.main'],
  ...['info.light', 'warning.light', 'text.secondary'],
]
const colourOf = (index: number) => colours[index % colours.length]

/** The shares of the items in the sum. The lines below have the exact amounts. */
export const ReceiptBar = ({ items }: Pick<Receipt, 'items'>) => {
  const amounts = items.map(each => Math.max(0, Number(each.points)))
  if (!amounts.some(each => each > 0)) return null
  return (
    <Box aria-hidden sx={barStyle}>
      {items.map(({ kind }, index) => (
        <Box
          key={kind}
          sx={{ flexGrow: amounts[index] ?? 0, flexBasis: 0, bgcolor: colourOf(index) }}
        />
      ))}
    </Box>
  )
}

const barStyle = {
  display: 'flex',
  gap: '2px',
  height: 10,
  mb: 1.5,
  borderRadius: '5px',
  overflow: 'hidden',
} as const

/** The colour of an item in the bar. */
export const Mark = ({ index }: { index: number }) => (
  <Box
    component="span"
    aria-hidden
    sx={{
      ...{ display: 'inline-block', width: 8, height: 8, mr: 1, borderRadius: '2px' },
      bgcolor: colourOf(index),
    }}
  />
)
