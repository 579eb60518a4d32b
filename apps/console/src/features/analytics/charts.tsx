import type { AnalyticsFigures, AnalyticsGroup } from '@hub/contract'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { useSite } from '../../api'
import { formatCharge, formatQuota, ModelMark } from '../../domain'
import {
  Chart,
  EmptyState,
  formatCount,
  formatDay,
  formatDuration,
  formatMoney,
  useT,
} from '../../ui'
import { abbreviate } from '../../ui/values/format.ts'
import { latencyOf, type Measure, seriesOf, sumOf } from './figures.ts'
import { Ranking } from './ranking.tsx'
import type { AnalyticsScope } from './use-scope.ts'

export const chartColumns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
} as const
export const chartHeight = 260

type Props = { figures: AnalyticsFigures; input: AnalyticsScope['input'] }

/** The figures of a period: charges, calls, tokens and times by series, then users and top-ups. */
export const Charts = ({ figures, input }: Props) => {
  const group = input.group_type
  const labels = figures.days.map(formatDay)
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={chartColumns}>
        <UsageChart measure="charged" {...{ figures, group, labels }} />
        <UsageChart measure="requests" {...{ figures, group, labels }} />
        <UsageChart measure="tokens" {...{ figures, group, labels }} />
        <UsageChart measure="latency" {...{ figures, group, labels }} />
      </Box>
      <Ranking {...{ figures, input }} />
      <Box sx={chartColumns}>
        <SignUpsChart {...{ figures, labels }} />
        <CreditsChart {...{ figures, labels }} />
      </Box>
    </Box>
  )
}

const markOf = (group: AnalyticsGroup, name: string): ReactNode =>
  group === 'model' && name ? <ModelMark name={name} size={14} /> : undefined

type UsageChartProps = {
  measure: Measure
  figures: AnalyticsFigures
  group: AnalyticsGroup
  labels: string[]
}

const UsageChart = ({ measure, figures, group, labels }: UsageChartProps) => {
  const t = useT()
  const site = useSite()
  const formats: Record<Measure, (value: number) => string> = {
    charged: value => formatCharge(value, site),
    requests: formatCount,
    tokens: abbreviate,
    latency: formatDuration,
  }
  const sums = sumOf(figures.channel_statistics)
  const totals: Record<Measure, string> = {
    charged: formatQuota(sums.Quota, site),
    requests: formatCount(sums.RequestCount),
    tokens: formatCount(sums.PromptTokens + sums.CompletionTokens),
    latency: formatDuration(latencyOf(sums) ?? 0),
  }
  const isKnown = measure !== 'latency' || latencyOf(sums) !== null
  const series = seriesOf(figures, measure).map(({ name, data }) => ({
    label: name || t('analytics.others'),
    mark: markOf(group, name),
    data,
  }))
  return (
    <Chart
      kind={measure === 'latency' ? 'lines' : 'bars'}
      question={t(`analytics.charts.${measure}`)}
      answer={isKnown && t(`analytics.answers.${measure}`, { total: totals[measure] })}
      labels={labels}
      series={sums.RequestCount > 0 && isKnown ? series : []}
      format={formats[measure]}
      height={chartHeight}
      empty={<EmptyState title={t('analytics.empty')} text={t('analytics.emptyText')} />}
    />
  )
}

type DayChartProps = { figures: AnalyticsFigures; labels: string[] }

const SignUpsChart = ({ figures: { days, user_statistics: rows }, labels }: DayChartProps) => {
  const t = useT()
  const byDay = new Map(rows.map(row => [row.date, row]))
  const counts = (countOf: (row: (typeof rows)[number]) => number) =>
    days.map(day => {
      const row = byDay.get(day)
      return row ? countOf(row) : 0
    })
  const series = [
    {
      label: t('analytics.signUps.direct'),
      data: counts(row => row.user_count - row.inviter_user_count),
    },
    { label: t('analytics.signUps.invited'), data: counts(row => row.inviter_user_count) },
  ]
  const total = rows.reduce((sum, { user_count }) => sum + user_count, 0)
  return (
    <Chart
      question={t('analytics.charts.signUps')}
      answer={t('analytics.answers.signUps', { total: formatCount(total) })}
      labels={labels}
      series={total > 0 ? series : []}
      // The axis would show halves of users.
      format={value => (Number.isInteger(value) ? formatCount(value) : '')}
      height={chartHeight}
      empty={<EmptyState title={t('analytics.signUps.none')} />}
    />
  )
}

const CreditsChart = ({ figures, labels }: DayChartProps) => {
  const t = useT()
  const site = useSite()
  const { days, redemption_statistics: codes, order_statistics: orders } = figures
  const sumsOf = (rows: readonly { date: string; quota: number }[]) =>
    days.map(day => rows.reduce((sum, { date, quota }) => (date === day ? sum + quota : sum), 0))
  const total = [...codes, ...orders].reduce((sum, { quota }) => sum + quota, 0)
  const paid = new Map<string, number>()
  for (const { order_currency: currency, order_amount } of orders)
    paid.set(currency, (paid.get(currency) ?? 0) + order_amount)
  const sums = [...paid].map(([currency, amount]) => formatMoney(amount, currency))
  return (
    <Chart
      question={t('analytics.charts.credits')}
      answer={[
        t('analytics.answers.credits', { total: formatQuota(total, site) }),
        ...(sums.length ? [t('analytics.answers.paid', { sums: sums.join(', ') })] : []),
      ].join(' · ')}
      labels={labels}
      series={
        total > 0
          ? [
              { label: t('analytics.credits.codes'), data: sumsOf(codes) },
              { label: t('analytics.credits.orders'), data: sumsOf(orders) },
            ]
          : []
      }
      format={value => formatCharge(value, site)}
      height={chartHeight}
      empty={<EmptyState title={t('analytics.credits.none')} />}
    />
  )
}
