import type { ChannelBalanceHistory } from '@hub/contract'
import Skeleton from '@mui/material/Skeleton'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../api/index.ts'
import {
  Chart,
  EmptyState,
  ErrorState,
  formatNumber,
  formatTime,
  type T,
  useT,
} from '../../../ui/index.ts'

const periods = [7, 30, 90] as const
const height = 220
/** As many decimal places as the readings have. */
const placesMax = 10

/** How the balance at the provider changed, and until when it lasts. */
export const BalanceCard = ({ id }: { id: number }) => {
  const t = useT()
  const [days, setDays] = useState<number>(30)
  const { data, error, refetch } = useQuery({
    ...query(api.channels.balanceHistory, { id, days }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={height} />
  const currency = data.readings.at(-1)?.currency ?? ''
  // A curve has one unit: readings before a change of the currency are left out.
  const shown = data.readings.filter(each => each.currency === currency)
  const title = t('channel.balance.question')
  return (
    <Chart
      kind="lines"
      question={title}
      answer={answerOf(t, data, currency)}
      labels={shown.map(({ at }) => formatTime(at).slice(0, 16))}
      series={
        shown.length === 0
          ? []
          : [{ label: t('channels.fields.balance'), data: shown.map(each => Number(each.amount)) }]
      }
      format={amount => exactMoney(amount, currency)}
      height={height}
      empty={<EmptyState title={t('channel.balance.none')} />}
      controls={
        <ToggleButtonGroup
          exclusive
          size="small"
          value={days}
          onChange={(_, next: number | null) => next !== null && setDays(next)}
          aria-label={t('channel.period')}
          sx={{ mb: 1.5 }}
        >
          {periods.map(each => (
            <ToggleButton key={each} value={each}>
              {t('channel.balance.days', { count: each })}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      }
    />
  )
}

const answerOf = (t: T, history: ChannelBalanceHistory, currency: string): string => {
  const { kind, until, per_day, below, warning } = history
  const limit =
    below > 0 ? [t('channel.balance.limit', { amount: exactMoney(below, currency) })] : []
  return [lastsText(t, { kind, until, per_day, warning }, currency), ...limit].join(' ')
}

type Forecast = Pick<ChannelBalanceHistory, 'kind' | 'until' | 'per_day' | 'warning'>

const lastsText = (t: T, { kind, until, per_day, warning }: Forecast, currency: string): string => {
  if (warning === 'empty') return t('channel.balance.empty')
  if (kind === 'window') return t('channel.balance.window')
  if (per_day === null) return t('channel.balance.unknown')
  const amount = formatNumber(per_day, { ...moneyOf(currency), maximumSignificantDigits: 3 })
  return until === null
    ? t('channel.balance.long', { amount })
    : t('channel.balance.until', { date: formatTime(until).slice(0, 16), amount })
}

/** The short sign, because the axis has little room. */
const moneyOf = (currency: string) =>
  /^[A-Z]{3}$/.test(currency)
    ? ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const)
    : {}

const exactMoney = (amount: number, currency: string): string =>
  formatNumber(amount, {
    ...moneyOf(currency),
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: placesMax,
  })
