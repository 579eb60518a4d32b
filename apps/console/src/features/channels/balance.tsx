import type { Channel } from '@hub/contract'
import Tooltip from '@mui/material/Tooltip'
import { formatTime, useT } from '../../ui/index.ts'

const signs: Record<string, string> = { USD: '$', CNY: '¥' }

/** The balance in the provider's currency with two decimal places. */
export const formatBalance = (amount: number, currency: string): string => {
  const digits = Math.abs(amount).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const sign = amount < 0 ? '-' : ''
  return signs[currency] ? `${sign}${signs[currency]}${digits}` : `${sign}${digits} ${currency}`
}

/** The account balance of the last query, with the time of that query as a tooltip. */
export const Balance = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { balance, balance_currency: currency, balance_updated_time: at } = channel
  if (at === 0) return <>–</>
  return (
    <Tooltip title={t('channels.balanceAt', { at: formatTime(at) })}>
      <span>{formatBalance(balance, currency)}</span>
    </Tooltip>
  )
}
