import type { OperationsOverview } from '@hub/contract'
import { useSite } from '../../api'
import { formatCharge, formatQuota } from '../../domain'
import { Chart, EmptyState, formatCount, formatDay, formatTime, useT } from '../../ui'
import { allCalls, distinct, isHourly } from './figures.ts'
import { chartHeight } from './skeleton.tsx'

type Props = { overview: OperationsOverview }

export const ChargedChart = ({ overview }: Props) => {
  const t = useT()
  const site = useSite()
  const { points, totals } = overview
  const data = points.map(({ charged }) => charged)
  return (
    <Chart
      question={t(`operations.charts.${isHourly(overview) ? 'hours' : 'days'}`)}
      answer={t('operations.charts.answer', { total: formatQuota(totals.charged, site) })}
      labels={labelsOf(overview)}
      series={
        isEmpty(overview) ? [] : [{ label: t('operations.charts.charged'), data, tone: 'success' }]
      }
      format={value => formatCharge(value, site)}
      height={chartHeight}
      empty={<NoCalls />}
    />
  )
}

export const CallsChart = ({ overview }: Props) => {
  const t = useT()
  const { points, totals } = overview
  const series = [
    {
      label: t('operations.charts.succeeded'),
      data: points.map(({ requests }) => requests),
      tone: 'success' as const,
    },
    {
      label: t('operations.charts.failed'),
      data: points.map(({ failed }) => failed),
      tone: 'error' as const,
    },
  ]
  return (
    <Chart
      question={t(`operations.charts.${isHourly(overview) ? 'callsHours' : 'callsDays'}`)}
      answer={t('operations.charts.callsAnswer', {
        failed: formatCount(totals.failed),
        all: formatCount(allCalls(totals)),
      })}
      labels={labelsOf(overview)}
      series={isEmpty(overview) ? [] : series}
      format={formatCount}
      height={chartHeight}
      empty={<NoCalls />}
    />
  )
}

const NoCalls = () => {
  const t = useT()
  return <EmptyState title={t('operations.charts.empty')} text={t('operations.charts.emptyText')} />
}

const isEmpty = ({ totals }: OperationsOverview) => allCalls(totals) === 0

const labelsOf = (overview: OperationsOverview): string[] =>
  distinct(
    overview.points.map(({ begin }) => {
      const time = formatTime(begin)
      return isHourly(overview) ? time.slice(11, 16) : formatDay(time.slice(0, 10))
    }),
  )
