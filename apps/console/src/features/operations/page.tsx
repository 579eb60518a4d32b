import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api, query } from '../../api'
import { ModelMark } from '../../domain'
import { ErrorState, formatTime, PeriodBar, usePeriod, useT } from '../../ui'
import { timeZoneName } from '../../ui/values/format.ts'
import { AttentionCard } from './attention.tsx'
import { ErrorCodes } from './error-codes.tsx'
import { Explorer } from './explorer.tsx'
import { chargesLink, exactly } from './links.ts'
import { LiveTail } from './live-tail.tsx'
import { MarginLine } from './margin-line.tsx'
import { HomeSkeleton, pairColumns, topColumns } from './skeleton.tsx'
import { Tiles } from './tiles.tsx'
import { TopCard } from './top-card.tsx'

const periods = ['day', 'hour', 'week', 'month'] as const
/** From the shortest to the longest; the default is not the first. */
const shownPeriods = ['hour', 'day', 'week', 'month'] as const
const refresh = { refetchInterval: 60_000, placeholderData: keepPreviousData }

/** The whole site for administrators. All parts appear together, so that none moves another one. */
export const OperationsHome = () => {
  const t = useT()
  const [period, setPeriod] = usePeriod(periods)
  const overview = useQuery({ ...query(api.operations.overview, { period }), ...refresh })
  const attention = useQuery({ ...query(api.operations.attention), ...refresh })
  // Deferred data renders in short tasks between which input is handled.
  const shown = {
    overview: useDeferredValue(overview.data),
    attention: useDeferredValue(attention.data),
  }
  const failed = [overview, attention].find(each => each.isError && !each.data)
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />
  if (!shown.overview || !shown.attention) return <HomeSkeleton />
  const { current, models, users, channels, groups } = shown.overview
  const from = formatTime(current.begin).slice(0, 16)
  return (
    <>
      <Box sx={pairColumns}>
        <AttentionCard attention={shown.attention} />
        <ErrorCodes attention={shown.attention} />
      </Box>
      <PeriodBar
        intro={t('operations.intro', { from, zone: timeZoneName() })}
        label={t('operations.period')}
        periods={shownPeriods}
        nameOf={each => t(`operations.periods.${each}`)}
        period={period}
        setPeriod={setPeriod}
      />
      {!shown.overview.complete && (
        <Alert severity="info" variant="outlined">
          {t('operations.incomplete')}
        </Alert>
      )}
      {!shown.overview.logging && (
        <Alert severity="warning" variant="outlined">
          {t('operations.noLogs')}
        </Alert>
      )}
      <Tiles overview={shown.overview} />
      <MarginLine />
      <Explorer period={period} />
      <LiveTail />
      <Box sx={topColumns}>
        <TopCard
          title={t('operations.top.models')}
          rows={models}
          Mark={ModelMark}
          linkOf={({ name }) => chargesLink(current.begin, { model_name: exactly(name) })}
        />
        <TopCard
          title={t('operations.top.users')}
          rows={users}
          linkOf={({ name }) => chargesLink(current.begin, { username: name })}
        />
        <TopCard
          title={t('operations.top.channels')}
          rows={channels}
          linkOf={({ id }) => chargesLink(current.begin, { channel_id: id })}
        />
        <TopCard
          title={t('operations.top.groups')}
          intro={t('operations.top.groupsIntro')}
          rows={groups}
          linkOf={({ name }) => chargesLink(current.begin, { group: name })}
        />
      </Box>
    </>
  )
}
