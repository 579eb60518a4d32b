import { BalanceReminder } from '@hub/contract'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api, query, useSite } from '../../api/index.ts'
import { Card, SchemaForm, useAction, useT } from '../../ui/index.ts'
import { formatQuota, PointsInput } from '../index.ts'
import { RecentDeliveries } from './recent.tsx'
import { CreateTarget } from './target-form.tsx'
import { TargetList } from './target-list.tsx'

/** The targets of the user, the last deliveries to them, and the balance below which a reminder is sent. */
export const AccountNotifications = () => {
  const t = useT()
  return (
    <Card
      title={t('notifications.own.title')}
      intro={t('notifications.own.intro')}
      actions={<CreateTarget scope="account" />}
    >
      <Stack spacing={3}>
        <TargetList scope="account" />
        <RecentDeliveries scope="account" />
        <Threshold />
      </Stack>
    </Card>
  )
}

/** An empty field means the value of the site. */
const ThresholdForm = z.object({ threshold: BalanceReminder.shape.threshold.optional() })

const Threshold = () => {
  const t = useT()
  const site = useSite()
  const { data } = useQuery(query(api['own-notifications'].reminder))
  const save = useAction('own-notifications', api['own-notifications'].setReminder, {
    successKey: 'common.saved',
  })
  if (!data) return null
  const standard = formatQuota(data.site_threshold, site)
  return (
    <SchemaForm
      key={String(data.threshold)}
      resource="notifications"
      schema={ThresholdForm}
      submit={save}
      transform={({ threshold }) => ({ threshold: threshold ?? null })}
      initialValues={{ threshold: data.threshold }}
      fieldOverrides={{
        threshold: { control: PointsInput, help: t('notifications.own.threshold', { standard }) },
      }}
    />
  )
}
