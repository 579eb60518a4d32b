import type { Channel } from '@hub/contract'
import Tooltip from '@mui/material/Tooltip'
import { formatMoney, formatTime, useT } from '../../../ui/index.ts'

/** The account balance of the last query, with the time of that query as a tooltip. */
export const Balance = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { balance, balance_currency: currency, balance_updated_time: at } = channel
  if (at === 0) return <>–</>
  return (
    <Tooltip title={t('channels.balanceAt', { at: formatTime(at) })}>
      <span>{formatMoney(balance, currency)}</span>
    </Tooltip>
  )
}
