import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { CreateTarget } from '../../domain/notifications/target-form.tsx'
import { TargetList } from '../../domain/notifications/target-list.tsx'
import { Card, Page, useT } from '../../ui/index.ts'
import { Deliveries } from './deliveries.tsx'

/** The targets that all administrators share, and the deliveries to them. */
export const NotificationsPage = () => {
  const t = useT()
  return (
    <Page
      title={t('notifications.title')}
      intro={t('notifications.intro')}
      primaryAction={<CreateTarget scope="site" />}
    >
      <Stack spacing={3}>
        <Card title={t('notifications.targets')}>
          <TargetList scope="site" />
        </Card>
        <div>
          <Typography variant="h3" component="h2" sx={{ mb: 1.5 }}>
            {t('notifications.deliveries')}
          </Typography>
          <Deliveries />
        </div>
      </Stack>
    </Page>
  )
}
