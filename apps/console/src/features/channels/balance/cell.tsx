import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { formatTime, Sparkline, useT } from '../../../ui/index.ts'
import { usePageKeys } from '../../../ui/table/page-keys.ts'
import { Balance } from './balance.tsx'

/** The last week of a channel in the list. One request reads that of all rows of the page. */
const useBalances = (id: number) => {
  const ids = usePageKeys().toSorted((a, b) => Number(a) - Number(b))
  const { data } = useQuery({
    ...query(api.channels.balances, { ids: ids.join() }),
    refetchInterval: 300_000,
  })
  return data?.channels.find(each => each.id === id)
}

/** The balance of a channel in the list: its last week, the amount, and the day until which it lasts. */
export const BalanceCell = ({ channel, label }: { channel: Channel; label?: string }) => {
  const t = useT()
  const found = useBalances(channel.id)
  const { until = null, warning = '', points = [] } = found ?? {}
  return (
    <Box sx={frame}>
      {label !== undefined && <span>{label}</span>}
      <Box sx={{ ml: 'auto', textAlign: 'right', lineHeight: 1.25 }}>
        <Box sx={frame}>
          {points.length > 1 && (
            <Sparkline isSmall values={points} label={t('channels.balanceWeek')} />
          )}
          <Balance channel={channel} />
        </Box>
        {(until !== null || warning === 'empty') && (
          <Box sx={{ mt: '2px', fontSize: 12, color: warning ? 'warning.main' : 'text.secondary' }}>
            {until === null || warning === 'empty'
              ? t('channels.balanceEmpty')
              : t('channels.balanceUntil', { date: formatTime(until).slice(0, 10) })}
          </Box>
        )}
      </Box>
    </Box>
  )
}

const frame = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-end',
  gap: 1,
  whiteSpace: 'nowrap',
} as const
