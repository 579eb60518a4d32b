import Container from '@mui/material/Container'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query, useSite } from '../../api'
import { Card, useT, useTitle } from '../../ui'
import { SiteText } from './site-text.tsx'

export const AboutPage = () => {
  const t = useT()
  const site = useSite()
  useTitle(t('menu.about'))
  const text = useQuery(query(api.status.about))
  const fallback = (
    <Container maxWidth="sm" sx={{ py: 6 }}>
      <Card>
        <Typography variant="h2" component="h1" gutterBottom>
          {t('menu.about')}
        </Typography>
        <Typography sx={{ color: 'text.secondary' }}>
          {t('status.about', { name: site.system_name })}
        </Typography>
      </Card>
    </Container>
  )
  return (
    <SiteText
      text={text}
      title={t('menu.about')}
      failed={t('status.aboutFailed')}
      fallback={fallback}
    />
  )
}
