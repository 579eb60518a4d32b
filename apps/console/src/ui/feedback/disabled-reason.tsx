import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** A disabled menu item says why under its name: it cannot be hovered. */
export const DisabledReason = ({
  children,
  reason,
}: {
  children: ReactNode
  reason: string | undefined
}) => (
  <>
    {children}
    {reason && (
      <Box
        component="span"
        sx={{ display: 'block', fontSize: 12, whiteSpace: 'normal', maxWidth: 240 }}
      >
        {reason}
      </Box>
    )}
  </>
)
