import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The text of a disabled menu item with the reason below it, because a disabled item has no tooltip. */
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
