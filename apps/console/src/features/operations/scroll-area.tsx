import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { listHeight } from './skeleton.tsx'

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
