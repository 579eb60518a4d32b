import type { ChannelFigures } from '@hub/contract'
import { useSite } from '../../../api/index.ts'
import { formatCharge, formatQuota } from '../../../domain/index.ts'
import {
  Chart,
  EmptyState,
  formatCount,
  formatDuration,
  formatFixed,
  formatTime,
  useT,
} from '../../../ui/index.ts'

const height = 220
type Props = { figures: ChannelFigures }

const labelsOf = ({ points }: ChannelFigures): string[] =>
  points.map(({ begin }) => formatTime(begin).slice(11, 16))

const NoCalls = () => {
  const t = useT()
  return <EmptyState title={t('channel.charts.empty')} />
}

export const CallsChart = ({ figures }: Props) => {
  const t = useT()
  const { points, totals } = figures
  const series = [
    {
      label: t('channel.charts.succeeded'),
      data: points.map(each => each.requests),
      tone: 'success' as const,
    },
    {
      label: t('channel.charts.failed'),
      data: points.map(each => each.failed),
      tone: 'error' as const,
    },
  ]
  return (
    <Chart
      question={t('channel.charts.calls')}
      labels={labelsOf(figures)}
      series={totals.requests + totals.failed === 0 ? [] : series}
      format={formatCount}
      height={height}
      empty={<NoCalls />}
    />
  )
}

/** Percentiles of the time to the first byte, or to the end of the call. */
export const TimesChart = ({ figures, field }: Props & { field: 'first_byte' | 'duration' }) => {
  const t = useT()
  const { points, totals } = figures
  const series = (['p50', 'p95'] as const).map(percentile => ({
    label: t(`channel.charts.${percentile}`),
    data: points.map(each => each[field][percentile]),
  }))
  return (
    <Chart
      kind="lines"
      question={t(`channel.charts.${field}`)}
      labels={labelsOf(figures)}
      series={totals[field].p50 === null ? [] : series}
      format={formatDuration}
      height={height}
      empty={<NoCalls />}
    />
  )
}

export const SpeedChart = ({ figures }: Props) => {
  const t = useT()
  const label = t('channel.charts.speed')
  const data = figures.points.map(each => each.tokens_per_second)
  return (
    <Chart
      kind="lines"
      question={label}
      labels={labelsOf(figures)}
      series={figures.totals.tokens_per_second === null ? [] : [{ label, data }]}
      format={value => formatFixed(value, value < 10 ? 1 : 0)}
      height={height}
      empty={<NoCalls />}
    />
  )
}

export const SpendChart = ({ figures }: Props) => {
  const t = useT()
  const site = useSite()
  const { points, totals } = figures
  const label = t('channel.charts.charged')
  const data = points.map(each => each.charged)
  return (
    <Chart
      question={t('channel.charts.spend')}
      answer={t('channel.charts.spendTotal', { total: formatQuota(totals.charged, site) })}
      labels={labelsOf(figures)}
      series={totals.charged === 0 ? [] : [{ label, data, tone: 'success' }]}
      format={value => formatCharge(value, site)}
      height={height}
      empty={<NoCalls />}
    />
  )
}
