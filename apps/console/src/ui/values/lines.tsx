import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** One line of text, cut at `width` pixels, with the full text on hover. */
export const TruncatedText = ({ text, width }: { text: string; width: number }) => (
  <Box
    component="span"
    title={text}
    sx={{
      display: 'block',
      maxWidth: width,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }}
  >
    {text || '–'}
  </Box>
)

/** A short value that stays on one line: a narrow table scrolls instead. Cards on phones may break it. */
export const OneLine = ({ children }: { children: ReactNode }) => (
  <Box component="span" sx={{ whiteSpace: { sm: 'nowrap' } }}>
    {children}
  </Box>
)

/** A value with a smaller one below it. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <Box sx={{ lineHeight: 1.3 }}>
    {first}
    {second && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{second}</Box>}
  </Box>
)
