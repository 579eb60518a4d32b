import type { Channel, ChannelRoute, ChannelRouting } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../../api/index.ts'
import { ModelName } from '../../../../domain/index.ts'
import { Card, EmptyState, ErrorState, useT } from '../../../../ui/index.ts'
import { TierBar } from './tier-bar.tsx'

type Cooldowns = ChannelRouting['cooldowns']

/** The share of calls that the channel gets, for each group and its models, beside the other channels. */
export const RoutingTab = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { data, error, refetch } = useQuery({
    ...query(api.channels.routing, { id: channel.id }),
    refetchInterval: 15_000,
  })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={320} />
  const groups = [...Map.groupBy(data.routes, each => each.group)]
  return (
    <Stack spacing={2}>
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 760 }}>
        {t('channel.routing.intro')}
      </Typography>
      {!data.enabled && (
        <Alert severity="info" variant="outlined">
          {t('channel.routing.disabled')}
        </Alert>
      )}
      {groups.length === 0 && <EmptyState title={t('channel.routing.none')} />}
      {groups.map(([group, routes]) => (
        <Card key={group} title={t('channel.routing.group', { group })}>
          <Stack spacing={3}>
            {routes.map(route => (
              <Route
                key={route.models[0]}
                route={route}
                channelId={channel.id}
                cooldowns={data.cooldowns}
              />
            ))}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

type RouteProps = { route: ChannelRoute; channelId: number; cooldowns: Cooldowns }

const Route = ({ route, channelId, cooldowns }: RouteProps) => {
  const t = useT()
  const { models, tiers } = route
  return (
    <Box component="section" aria-label={models.join(', ')}>
      <ModelNames names={models} />
      <Stack spacing={1.25} sx={{ mt: 1 }}>
        {tiers.map((tier, at) => (
          <TierBar
            key={tier.priority}
            tier={tier}
            title={
              at === 0
                ? t('channel.routing.first', { priority: tier.priority })
                : t('channel.routing.fallback', { priority: tier.priority })
            }
            isFallback={at > 0}
            channelId={channelId}
            coolingDown={coolingDownOf(cooldowns, models)}
          />
        ))}
      </Stack>
    </Box>
  )
}

/** The channels with a cooldown of one of the models, or of all. */
const coolingDownOf = (cooldowns: Cooldowns, models: readonly string[]): ReadonlySet<number> =>
  new Set(
    cooldowns
      .filter(each => each.models.length === 0 || each.models.some(name => models.includes(name)))
      .map(each => each.channel_id),
  )

const shownModels = 8

const ModelNames = ({ names }: { names: readonly string[] }) => {
  const t = useT()
  const [all, setAll] = useState(false)
  const shown = all ? names : names.slice(0, shownModels)
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5 }}
    >
      {shown.map(name => (
        <Typography key={name} variant="body2" component="span" sx={{ fontWeight: 500 }}>
          <ModelName name={name} />
        </Typography>
      ))}
      {shown.length < names.length && (
        <Button size="small" sx={{ minHeight: 24, py: 0 }} onClick={() => setAll(true)}>
          {t('channel.routing.more', { count: names.length - shown.length })}
        </Button>
      )}
    </Box>
  )
}
