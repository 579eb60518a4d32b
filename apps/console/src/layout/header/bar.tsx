import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** 64 px, 56 on small screens; always in sight. */
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
