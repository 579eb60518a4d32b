import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** A disabled menu item says why under its name: it cannot be hovered. */
export const Reason = ({ children, why }: { children: ReactNode; why: string | undefined }) => (
  <>
    {children}
    {why && (
      <Box
        component="span"
        sx={{ display: 'block', fontSize: 12, whiteSpace: 'normal', maxWidth: 240 }}
      >
        {why}
      </Box>
    )}
  </>
)
