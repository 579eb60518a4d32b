import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Container from '@mui/material/Container'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, query, useSession, useSite } from '../../api'
import { CopyButton, mono, useT, useTitle } from '../../ui'
import { SiteText } from './site-text.tsx'

export const HomePage = () => {
  const t = useT()
  useTitle()
  const text = useQuery(query(api.status.home))
  return <SiteText text={text} title={t('menu.home')} fallback={<Hero />} />
}

const highlights = ['one', 'exact', 'yours'] as const

/** The title, the sign-in button and the API address. */
const Hero = () => {
  const t = useT()
  const site = useSite()
  const user = useSession()
  const address = `${location.origin}/v1`
  return (
    <Container maxWidth="lg" sx={{ my: 'auto', py: { xs: 6, md: 10 } }}>
      <Box sx={{ maxWidth: 720 }}>
        <Typography
          variant="h1"
          sx={{ fontSize: { xs: 32, md: 44 }, letterSpacing: '-0.02em', textWrap: 'balance' }}
        >
          {t('status.hero.title', { name: site.system_name })}
        </Typography>
        <Typography sx={{ fontSize: 16, color: 'text.secondary', mt: 2, maxWidth: 600 }}>
          {t('status.hero.text')}
        </Typography>
        <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1.5} sx={{ mt: 4 }}>
          <Button component={Link} to={user ? '/panel' : '/login'} variant="contained" size="large">
            {t(user ? 'menu.console' : 'menu.login')}
          </Button>
          <Stack
            direction="row"
            sx={{
              alignItems: 'center',
              border: '1px solid',
              borderColor: 'divider',
              borderRadius: '8px',
              bgcolor: 'background.paper',
              pl: 1.5,
              pr: 0.5,
              minHeight: 42,
              fontFamily: mono,
              fontSize: 13,
            }}
          >
            <Box component="span" sx={{ flex: 1, overflowWrap: 'anywhere', mr: 1 }}>
              {address}
            </Box>
            <CopyButton text={address} what={t('status.hero.address')} />
          </Stack>
        </Stack>
      </Box>
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          p: 0,
          m: 0,
          mt: { xs: 6, md: 9 },
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { md: 'repeat(3, 1fr)' },
        }}
      >
        {highlights.map(id => (
          <Box
            component="li"
            key={id}
            sx={{ borderTop: '1px solid', borderColor: 'divider', pt: 2 }}
          >
            <Typography variant="h3" component="h2">
              {t(`status.points.${id}.title`)}
            </Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
              {t(`status.points.${id}.text`)}
            </Typography>
          </Box>
        ))}
      </Box>
    </Container>
  )
}
