import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { api, query, useSite } from '../../api'
import { formatCharge, ModelMark, Quota } from '../../domain'
import { Chart, Count, EmptyState, ErrorState, formatDay, formatTime, useT } from '../../ui'
import { MetricCard } from './metric-card.tsx'
import { QuickStart } from './quick-start.tsx'
import { RateCard } from './rate-card.tsx'
import { total, weekOf } from './week.ts'

/** The caller's own calls. */
export const TodayOverview = ({ withQuickStart }: { withQuickStart: boolean }) => {
  const t = useT()
  const site = useSite()
  const rows = useQuery({ ...query(api.statistics.dashboard), refetchInterval: 60_000 })
  // The clock of the browser may be behind that of the server.
  const newestDate =
    rows.data
      ?.map(row => row.Date.slice(0, 10))
      .toSorted()
      .at(-1) ?? ''
  const siteDate = formatTime(Date.now() / 1000).slice(0, 10)
  const { days, models } = weekOf(rows.data ?? [], newestDate > siteDate ? newestDate : siteDate)
  const today = days.at(-1) ?? { requests: 0, quota: 0, tokens: 0 }
  const spent = total(days.map(each => each.quota))
  if (rows.isError) return <ErrorState error={rows.error} retry={() => void rows.refetch()} />
  return (
    <>
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 1.5, sm: 2 },
          gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, 1fr)' },
        }}
      >
        <MetricCard
          title={t('dashboard.requests')}
          value={<Count value={today.requests} />}
          history={days.map(each => each.requests)}
          isLoading={rows.isPending}
        />
        <MetricCard
          title={t('dashboard.spent')}
          value={<Quota value={today.quota} />}
          history={days.map(each => each.quota)}
          isLoading={rows.isPending}
        />
        <MetricCard
          title={t('dashboard.tokens')}
          value={<Count value={today.tokens} />}
          history={days.map(each => each.tokens)}
          isLoading={rows.isPending}
        />
        <RateCard />
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            lg: withQuickStart ? 'minmax(0, 3fr) minmax(0, 2fr)' : 'minmax(0, 1fr)',
          },
          alignItems: 'start',
        }}
      >
        <Chart
          question={t('dashboard.chart.question')}
          answer={t('dashboard.chart.answer', { total: formatCharge(spent, site) })}
          labels={days.map(each => formatDay(each.date))}
          series={models.map(each => ({
            ...each,
            mark: <ModelMark name={each.label} size={14} />,
          }))}
          format={value => formatCharge(value, site)}
          isLoading={rows.isPending}
          height={300}
          empty={
            <EmptyState title={t('dashboard.chart.empty')} text={t('dashboard.chart.emptyText')} />
          }
        />
        {withQuickStart && <QuickStart />}
      </Box>
    </>
  )
}
