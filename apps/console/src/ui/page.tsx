import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

type PageProps = {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  /** The main action of the page. On phones it is fixed at the bottom of the screen. */
  primaryAction?: ReactNode
  children: ReactNode
  /** The maximum width in pixels; unlimited by default. */
  width?: number
}

const phoneFooter = {
  position: { xs: 'fixed', sm: 'static' },
  // Cancels the spacing of the surrounding row while the element is fixed outside of it.
  '&&': { marginLeft: { xs: 0, sm: 1 }, '&:only-child': { marginLeft: 0 } },
  bottom: 0,
  left: 0,
  right: 0,
  zIndex: { xs: 'appBar', sm: 'auto' },
  p: { xs: 1.5, sm: 0 },
  pb: { xs: 'calc(12px + env(safe-area-inset-bottom))', sm: 0 },
  bgcolor: { xs: 'background.paper', sm: 'transparent' },
  borderTop: { xs: '1px solid var(--mui-palette-divider)', sm: 0 },
  '& > .MuiButton-root': { width: { xs: '100%', sm: 'auto' }, minHeight: { xs: 44, sm: 36 } },
} as const

const introStyles = {
  ...{ color: 'text.secondary', mt: 0.5, maxWidth: 720 },
  // Languages without spaces join a list of commands to one long word.
  overflowWrap: 'anywhere',
} as const

/** A page of the console with title, actions and content. */
export const Page = ({ title, intro, actions, primaryAction, children, width }: PageProps) => {
  useTitle(title)
  return (
    <Box sx={{ maxWidth: width ?? 'none', pb: primaryAction ? { xs: 9, sm: 0 } : 0 }}>
      <Stack
        direction={{ xs: 'column', sm: 'row' }}
        spacing={1.5}
        sx={{ alignItems: { sm: 'flex-start' }, justifyContent: 'space-between', mb: 2.5 }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h2" component="h1" tabIndex={-1}>
            {title}
          </Typography>
          {intro && (
            <Typography variant="body2" sx={introStyles}>
              {intro}
            </Typography>
          )}
        </Box>
        {(actions || primaryAction) && (
          <Stack direction="row" sx={{ flexShrink: 0, flexWrap: 'wrap', gap: 1 }}>
            {actions}
            {primaryAction && <Box sx={phoneFooter}>{primaryAction}</Box>}
          </Stack>
        )}
      </Stack>
      {children}
    </Box>
  )
}
