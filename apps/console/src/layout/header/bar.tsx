import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The sticky page header, 64 px high, or 56 px on small screens. */
export const Bar = ({ children }: { children: ReactNode }) => (
  <Box
    component="header"
    sx={{
      position: 'sticky',
      top: 0,
      zIndex: 'appBar',
      height: { xs: 56, sm: 64 },
      display: 'flex',
      alignItems: 'center',
      gap: { xs: 0.25, sm: 0.75 },
      px: { xs: 1.5, sm: 2.5 },
      bgcolor: 'background.paper',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    {children}
  </Box>
)
