import type { MarginReport } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from 'react-router'
import { api, query } from '../../api'
import {
  Chart,
  EmptyState,
  ErrorState,
  formatCount,
  formatMoney,
  formatNumber,
  formatTime,
  midnight,
  Page,
  PeriodBar,
  useAddress,
  usePeriod,
  useT,
} from '../../ui'
import { MarginSummary } from './summary.tsx'
import { groupings, MarginTable } from './table.tsx'

const periods = { week: 7, month: 30, quarter: 90 } as const
const names = ['week', 'month', 'quarter'] as const

const dayOf = (seconds: number) => formatTime(seconds).slice(0, 10)
const usd = (amount: number) => formatMoney(amount, 'USD')
/** An axis has room for the sign and some digits. */
const onAxis = (amount: number) =>
  Number.isInteger(amount)
    ? formatNumber(amount, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
    : usd(amount)

/** The page says what the site earned: the verdict, each day, and who or what the margin comes from. */
export const MarginPage = () => {
  const t = useT()
  const [period, setPeriod] = usePeriod(names)
  const [params, change] = useAddress()
  const by = groupings.find(each => each === params.get('by')) ?? 'model'
  const days = { from: dayOf(midnight(1 - periods[period])), to: dayOf(midnight(0)) }
  const daily = useQuery({
    ...query(api.margin.report, { ...days, by: 'day', sort: 'day' }),
    placeholderData: keepPreviousData,
  })
  const input = { ...days, by }
  const rows = useQuery({
    ...query(api.margin.report, input),
    placeholderData: keepPreviousData,
  })
  const failed = [daily, rows].find(each => each.isError && !each.data)
  return (
    <Page title={t('margin.title')} intro={t('margin.intro')}>
      {failed && <ErrorState error={failed.error} retry={() => void failed.refetch()} />}
      {!failed && (!daily.data || !rows.data) && <Skeleton variant="rounded" height={640} />}
      {!failed && daily.data && rows.data && (
        <Box sx={{ display: 'grid', gap: 2 }}>
          <MarginSummary report={daily.data} days={periods[period]} />
          <PeriodBar
            intro={`${days.from} – ${days.to}`}
            label={t('margin.period')}
            periods={names}
            nameOf={each => t(`margin.periods.${each}`)}
            period={period}
            setPeriod={setPeriod}
          />
          <Hints report={daily.data} />
          <Days report={daily.data} />
          <MarginTable
            report={rows.data}
            by={by}
            setBy={next => change({ by: next }, { replace: true })}
            action={
              <Button
                variant="outlined"
                color="inherit"
                href={`/api/margin/export?${new URLSearchParams(input)}`}
                download
                sx={{ height: 40, borderColor: 'divider' }}
              >
                CSV
              </Button>
            }
          />
        </Box>
      )}
    </Page>
  )
}

/** Says what is missing in the figures, and where it can be mended. */
const Hints = ({ report }: { report: MarginReport }) => {
  const t = useT()
  const { totals, rates } = report
  return (
    <>
      {!report.complete && (
        <Alert severity="info" variant="outlined">
          {t('margin.incomplete')}
        </Alert>
      )}
      {!report.logging && (
        <Alert severity="warning" variant="outlined">
          {t('margin.noLogs')}
        </Alert>
      )}
      {totals.unknown_calls > 0 && (
        <Alert severity="warning" variant="outlined">
          {t('margin.unknown', {
            calls: formatCount(totals.unknown_calls),
            revenue: usd(Number(totals.unknown_revenue)),
          })}{' '}
          {totals.unconverted.length > 0 &&
            t('margin.unconverted', {
              currencies: totals.unconverted.map(each => each.currency).join(', '),
            })}{' '}
          <Link component={RouterLink} to="/panel/channel">
            {t('margin.channels')}
          </Link>
        </Alert>
      )}
      {rates.length > 0 && (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('margin.rates', {
            rates: rates
              .map(each => `${each.rate} ${each.currency}${each.day ? ` (${each.day})` : ''}`)
              .join(', '),
          })}
        </Typography>
      )}
    </>
  )
}

const Days = ({ report: { rows, totals } }: { report: MarginReport }) => {
  const t = useT()
  const sorted = rows.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const data = (amount: 'revenue' | 'cost' | 'margin') => sorted.map(row => Number(row[amount]))
  return (
    <Chart
      kind="lines"
      question={t('margin.chart')}
      answer={t('margin.answer', {
        revenue: usd(Number(totals.revenue)),
        cost: usd(Number(totals.cost)),
      })}
      labels={sorted.map(({ day }) => day.slice(5))}
      series={
        rows.length > 0
          ? [
              { label: t('margin.columns.revenue'), data: data('revenue') },
              { label: t('margin.columns.cost'), data: data('cost') },
              { label: t('margin.columns.margin'), data: data('margin') },
            ]
          : []
      }
      format={onAxis}
      height={260}
      empty={<EmptyState title={t('margin.empty')} />}
    />
  )
}
