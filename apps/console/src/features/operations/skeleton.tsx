import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { tileColumns } from '../../ui'

export const chartHeight = 240
/** Of a card with a chart: padding, title and legend included. */
export const cardHeight = 376

export const pairColumns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 3fr)' },
} as const

export const topColumns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const

const tiles = Array.from({ length: 8 }, (_, at) => `tile ${at}`)
const cards = ['attention', 'charged', 'errors', 'calls']

/** Has the dimensions of the page that replaces it. */
export const HomeSkeleton = () => (
  <>
    <Skeleton variant="rounded" height={37} />
    <Box sx={tileColumns}>
      {tiles.map(tile => (
        <Skeleton key={tile} variant="rounded" height={118} />
      ))}
    </Box>
    <Box sx={pairColumns}>
      {cards.map(card => (
        <Skeleton key={card} variant="rounded" height={cardHeight} />
      ))}
    </Box>
  </>
)
