import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import type { ReactNode } from 'react'
import { tileColumns } from '../../ui'

export const listHeight = 260
/** Height of a card with a list, with its padding and title. */
const cardHeight = 376
/** Height of the card with the chart, with choices, title and two lines of the legend, or one on phones. */
export const explorerHeight = { xs: 522, sm: 504 } as const

export const pairColumns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
} as const

export const topColumns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const

const tiles = Array.from({ length: 8 }, (_, at) => `tile ${at}`)
const cards = ['attention', 'errors']

/** Has the dimensions of the page that replaces it. */
export const HomeSkeleton = () => (
  <>
    <Box sx={pairColumns}>
      {cards.map(card => (
        <Skeleton key={card} variant="rounded" height={cardHeight} />
      ))}
    </Box>
    <Skeleton variant="rounded" height={37} />
    <Box sx={tileColumns}>
      {tiles.map(tile => (
        <Skeleton key={tile} variant="rounded" height={118} />
      ))}
    </Box>
    <Skeleton variant="rounded" sx={{ height: explorerHeight }} />
  </>
)

/** A list of bounded height. */
export const ScrollArea = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box
    role="group"
    aria-label={label}
    tabIndex={0}
    sx={{ maxHeight: listHeight, overflowY: 'auto', mx: -1, px: 1 }}
  >
    <Box
      component="ul"
      sx={{
        ...{ listStyle: 'none', m: 0, p: 0 },
        '& > li + li': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      {children}
    </Box>
  </Box>
)
