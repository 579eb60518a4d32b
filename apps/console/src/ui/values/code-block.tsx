import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { mono } from '../theme.ts'

type Props = { children: ReactNode; label?: string; sx?: Record<string, unknown> }

/** A framed block of monospaced text that wraps. */
export const CodeBlock = ({ children, label, sx }: Props) => (
  <Box
    component="pre"
    tabIndex={0}
    aria-label={label}
    sx={{
      m: 0,
      p: 1.5,
      fontFamily: mono,
      fontSize: 12,
      lineHeight: 1.6,
      border: '1px solid',
      borderColor: 'divider',
      borderRadius: '8px',
      bgcolor: 'background.default',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'anywhere',
      ...sx,
    }}
  >
    {children}
  </Box>
)

/** A short monospaced value inside a table. */
export const MonoText = ({ text }: { text: string }) => (
  <Box component="span" sx={{ fontFamily: mono, fontSize: 12, whiteSpace: 'nowrap' }}>
    {text}
  </Box>
)
