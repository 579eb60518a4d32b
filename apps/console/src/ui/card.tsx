import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

type CardProps = {
  title?: ReactNode
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Removes the padding, for content with its own edges such as a table. */
  flush?: boolean
}

/** A framed section of a page. */
export const Card = ({ title, intro, actions, children, flush = false }: CardProps) => {
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={title ? id : undefined}
      sx={{
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '12px',
        minWidth: 0,
        overflow: 'clip',
      }}
    >
      {title && (
        <Stack
          direction="row"
          spacing={1}
          sx={{ justifyContent: 'space-between', alignItems: 'center', px: 2.5, pt: 2 }}
        >
          <Box>
            <Typography id={id} variant="h3" component="h2">
              {title}
            </Typography>
            {intro && (
              <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.25 }}>
                {intro}
              </Typography>
            )}
          </Box>
          {actions}
        </Stack>
      )}
      <Box sx={flush ? { mt: title ? 1.5 : 0 } : { px: 2.5, pb: 2.5, pt: title ? 1.5 : 2.5 }}>
        {children}
      </Box>
    </Box>
  )
}
