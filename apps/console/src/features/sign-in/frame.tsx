import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useSite } from '../../api'
import { Card, useTitle } from '../../ui'

type Props = { name: string; title: string; children: ReactNode; footer: ReactNode }

/** The layout of the sign-in pages: one narrow card below the logo of the site. */
export const Frame = ({ name, title, children, footer }: Props) => {
  const site = useSite()
  useTitle(name)
  return (
    <Box sx={{ m: 'auto', width: '100%', maxWidth: { xs: 400, lg: 440 }, px: 2, py: 6 }}>
      <Stack sx={{ alignItems: 'center', mb: 3, textAlign: 'center' }} spacing={1.5}>
        <img src={site.logo || '/favicon.svg'} alt="" height={48} />
        <Typography variant="h2" component="h1">
          {title}
        </Typography>
      </Stack>
      <Card>{children}</Card>
      <Typography variant="body2" sx={{ mt: 2, textAlign: 'center', color: 'text.secondary' }}>
        {footer}
      </Typography>
    </Box>
  )
}
