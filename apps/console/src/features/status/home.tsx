import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Container from '@mui/material/Container'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { api, query, useSession, useSite } from '../../api'
import { serverAddress } from '../../domain/server-address.ts'
import { loadTexts } from '../../locales/language.ts'
import { CopyButton, mono, useT, useTitle } from '../../ui'
import { CodeSample } from './code-sample.tsx'
import { SiteText } from './site-text.tsx'

/** Below the first screen, and with texts of its own. */
const HomePrices = lazy(async () => {
  const [{ HomePrices }] = await Promise.all([import('./home-prices.tsx'), loadTexts('console')])
  return { default: HomePrices }
})

export const HomePage = () => {
  const t = useT()
  useTitle()
  const text = useQuery(query(api.status.home))
  return (
    <SiteText
      text={text}
      title={t('menu.home')}
      failed={t('status.homeFailed')}
      fallback={<Landing />}
    />
  )
}

const highlights = ['one', 'exact', 'yours'] as const

/** As high as two rows of prices, so that the footer does not move. */
const pricesPlaceholder = <Skeleton variant="rounded" height={380} sx={{ mt: { xs: 6, md: 9 } }} />

/** Shown as long as the operator has written no home page. */
const Landing = () => (
  <Container maxWidth="lg" sx={{ py: { xs: 5, md: 9 } }}>
    <Box
      sx={{
        ...{ display: 'grid', gap: { xs: 4, md: 6 }, alignItems: 'center' },
        gridTemplateColumns: { md: 'minmax(0, 1fr) minmax(0, 1fr)' },
      }}
    >
      <Hero />
      <CodeSample />
    </Box>
    <Highlights />
    <Suspense fallback={pricesPlaceholder}>
      <HomePrices placeholder={pricesPlaceholder} />
    </Suspense>
  </Container>
)

const Hero = () => {
  const t = useT()
  const site = useSite()
  const user = useSession()
  const address = `${serverAddress(site.server_address)}/v1`
  return (
    <Box>
      <Typography
        variant="h1"
        sx={{ fontSize: { xs: 30, md: 42 }, letterSpacing: '-0.02em', textWrap: 'balance' }}
      >
        {t('status.hero.title', { name: site.system_name })}
      </Typography>
      <Typography sx={{ fontSize: 16, color: 'text.secondary', mt: 2, maxWidth: 560 }}>
        {t('status.hero.text')}
      </Typography>
      <Stack direction="row" sx={{ mt: 3.5, flexWrap: 'wrap', gap: 1.5 }}>
        <Button component={Link} to={user ? '/panel' : '/login'} variant="contained" size="large">
          {t(user ? 'menu.console' : 'menu.login')}
        </Button>
        <Button component={Link} to="/price" variant="outlined" color="inherit" size="large">
          {t('status.hero.prices')}
        </Button>
      </Stack>
      <Stack
        direction="row"
        sx={{
          ...{ alignItems: 'center', mt: 2.5, maxWidth: 440, minHeight: 42, pl: 1.5, pr: 0.5 },
          ...{ border: '1px solid', borderColor: 'divider', borderRadius: '8px' },
          ...{ bgcolor: 'background.paper', fontFamily: mono, fontSize: 13 },
        }}
      >
        <Box component="span" sx={{ flex: 1, overflowWrap: 'anywhere', mr: 1 }}>
          {address}
        </Box>
        <CopyButton text={address} what={t('status.hero.address')} />
      </Stack>
    </Box>
  )
}

const Highlights = () => {
  const t = useT()
  return (
    <Box
      component="ul"
      sx={{
        ...{ listStyle: 'none', p: 0, m: 0, mt: { xs: 6, md: 9 }, display: 'grid', gap: 3 },
        gridTemplateColumns: { md: 'repeat(3, 1fr)' },
      }}
    >
      {highlights.map(id => (
        <Box component="li" key={id} sx={{ borderTop: '1px solid', borderColor: 'divider', pt: 2 }}>
          <Typography variant="h3" component="h2">
            {t(`status.points.${id}.title`)}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
            {t(`status.points.${id}.text`)}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
