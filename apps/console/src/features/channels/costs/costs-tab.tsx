import type { Channel } from '@hub/contract'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { Card, ErrorState, useT } from '../../../ui/index.ts'
import { CostHistory } from './history.tsx'
import { CostListForm } from './list-form.tsx'
import { ModelCosts } from './model-costs.tsx'

/** The tab shows what calls cost the operator beside what users pay for them. */
export const CostsTab = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.channels.costs, { id: channel.id }))
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={480} />
  return (
    <Stack spacing={2}>
      <Card title={t('channel.costs.title')} intro={t('channel.costs.intro')}>
        <CostListForm key={data.history[0]?.valid_from ?? 0} channelId={channel.id} costs={data} />
      </Card>
      <Card title={t('channel.costs.models')} intro={t('channel.costs.modelsIntro')} flush>
        <ModelCosts models={data.models} />
      </Card>
      {data.history.length > 0 && (
        <Card title={t('channel.costs.history')}>
          <CostHistory history={data.history} />
        </Card>
      )}
    </Stack>
  )
}
