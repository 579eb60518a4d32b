import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'
import { Card } from '../card.tsx'

/** A grid of tiles. */
export const tileColumns = {
  display: 'grid',
  gap: { xs: 1.5, sm: 2 },
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
} as const

type TileProps = {
  title: string
  caption: string
  /** The page with the rows that the figure counts. */
  to?: string
  isAlarming?: boolean
  children: ReactNode
}

/** One figure with its title above and a caption below. */
export const Tile = ({ title, caption, to, isAlarming = false, children }: TileProps) => (
  <Card>
    <Typography variant="body2" component="h2" sx={{ color: 'text.secondary' }}>
      {to ? (
        <Link component={RouterLink} to={to} color="inherit" underline="hover">
          {title}
        </Link>
      ) : (
        title
      )}
    </Typography>
    <Typography
      component="div"
      sx={{
        ...{ fontSize: { xs: 20, sm: 28 }, fontWeight: 600, lineHeight: 1.25, mt: 0.5 },
        ...{ fontVariantNumeric: 'tabular-nums', color: isAlarming ? 'error.main' : undefined },
      }}
    >
      {children}
    </Typography>
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 0.5 }}>
      {caption}
    </Typography>
  </Card>
)
