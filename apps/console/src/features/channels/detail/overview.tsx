import type { Channel, ChannelFigures, ChannelUpstream } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api, query } from '../../../api/index.ts'
import { loadTexts } from '../../../locales/language.ts'
import { NearView } from '../../../ui/content/near-view.tsx'
import {
  ErrorState,
  formatTime,
  PeriodBar,
  tileColumns,
  usePeriod,
  useT,
} from '../../../ui/index.ts'
import { CallsChart, SpeedChart, SpendChart, TimesChart } from './charts.tsx'
import { Failures } from './failures.tsx'
import { StateCard } from './state-card.tsx'
import { Tiles } from './tiles.tsx'

/** These are below the figures, and loaded when they come near the view. */
const CacheCard = lazy(async () => {
  const [{ CacheCard }] = await Promise.all([import('./cache-card.tsx'), loadTexts('prompt-cache')])
  return { default: CacheCard }
})
/** Few vendors show a balance. */
const BalanceCard = lazy(async () => ({
  default: (await import('../balance/card.tsx')).BalanceCard,
}))
const Events = lazy(async () => ({ default: (await import('./events.tsx')).Events }))

/** Few channels watch their upstream. */
const Upstream = lazy(async () => ({
  default: (await import('../upstream/upstream.tsx')).Upstream,
}))

// The first is shown at first; the state above has the same figures.
const periods = ['day', 'hour'] as const

const chartColumns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
} as const

/** The state, the figures of the last hour or day, and below them what happened. */
export const Overview = ({ channel }: { channel: Channel }) => {
  const { id } = channel
  const t = useT()
  const [period, setPeriod] = usePeriod(periods)
  const upstream = useQuery(query(api.channels.upstream, { id }))
  const { data, error, refetch } = useQuery({
    ...query(api.channels.figures, { id, period }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  // The news of the upstream are drawn together with the figures, so that they do not push them down.
  const above = <Skeleton variant="rounded" height={900} />
  return (
    <Stack spacing={2}>
      <StateCard channel={channel} />
      {upstream.isPending ? (
        above
      ) : (
        <Suspense fallback={above}>
          {upstream.data && isShown(upstream.data) && (
            <Upstream channel={channel} upstream={upstream.data} />
          )}
          <PeriodBar
            intro={data ? t('channel.since', { from: formatTime(data.begin).slice(0, 16) }) : ' '}
            label={t('channel.period')}
            periods={periods}
            nameOf={each => t(`channel.periods.${each}`)}
            period={period}
            setPeriod={setPeriod}
          />
          {data ? <FigureCards id={id} figures={data} /> : <FiguresSkeleton />}
          {channel.balance_updated_time > 0 && (
            <NearView height={360}>
              <Suspense fallback={<Skeleton variant="rounded" height={360} />}>
                <BalanceCard id={id} />
              </Suspense>
            </NearView>
          )}
          <NearView height={320}>
            <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
              <CacheCard id={id} />
            </Suspense>
          </NearView>
          <NearView height={360}>
            <Suspense fallback={<Skeleton variant="rounded" height={360} />}>
              <Events channel={channel} />
            </Suspense>
          </NearView>
        </Suspense>
      )}
    </Stack>
  )
}

/** The channel watches its provider's list, or its upstream is a gateway. */
const isShown = ({ models, ratio }: ChannelUpstream): boolean =>
  ratio !== null || (models !== null && models.mode !== 'off')

const FigureCards = ({ id, figures }: { id: number; figures: ChannelFigures }) => {
  const t = useT()
  return (
    <>
      {!figures.logging && (
        <Alert severity="warning" variant="outlined">
          {t('channel.noLogs')}
        </Alert>
      )}
      {!figures.failures_complete && (
        <Alert severity="info" variant="outlined">
          {t('channel.failuresIncomplete')}
        </Alert>
      )}
      <Tiles id={id} figures={figures} />
      <Box sx={chartColumns}>
        <CallsChart figures={figures} />
        <Failures figures={figures} />
        <TimesChart figures={figures} field="first_byte" />
        <TimesChart figures={figures} field="duration" />
        <SpeedChart figures={figures} />
        <SpendChart figures={figures} />
      </Box>
    </>
  )
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `part ${at}`)

/** Has the dimensions of the cards that replace it. */
const FiguresSkeleton = () => (
  <>
    <Box sx={tileColumns}>
      {names(8).map(each => (
        <Skeleton key={each} variant="rounded" height={118} />
      ))}
    </Box>
    <Box sx={chartColumns}>
      {names(6).map(each => (
        <Skeleton key={each} variant="rounded" height={352} />
      ))}
    </Box>
  </>
)
