import type { AnalyticsTotals } from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { api, query, useSite } from '../../api'
import { formatQuota, Quota } from '../../domain'
import { Count, ErrorState, formatCount, formatMoney, Tile, tileColumns, useT } from '../../ui'

const titles = ['spent', 'users', 'channels', 'credited'] as const

/** Tiles of users, channels and balances now, and of everything that was spent and credited. */
export const Totals = () => {
  const { data, error, refetch } = useQuery(query(api.analytics.statistics))
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Box sx={tileColumns}>
        {titles.map(each => (
          <Skeleton key={each} variant="rounded" height={118} />
        ))}
      </Box>
    )
  return <Tiles totals={data} />
}

const Tiles = ({ totals }: { totals: AnalyticsTotals }) => {
  const t = useT()
  const site = useSite()
  const { user_statistics: users, channel_statistics: channels, order_statistics: orders } = totals
  const channelsOf = (status: number) =>
    formatCount(channels.find(each => each.status === status)?.total_channels ?? 0)
  const codes = totals.redemption_statistic.find(({ status }) => status === 3)?.quota ?? 0
  const ordered = orders.reduce((sum, { quota }) => sum + quota, 0)
  const paid = orders.map(({ money, order_currency }) => formatMoney(money, order_currency))
  return (
    <Box sx={tileColumns}>
      <Tile
        title={t('analytics.totals.spent')}
        caption={t('analytics.totals.balances', { amount: formatQuota(users.total_quota, site) })}
      >
        <Quota value={users.total_used_quota} />
      </Tile>
      <Tile
        title={t('analytics.totals.users')}
        to="/panel/user"
        caption={t('analytics.totals.invited', {
          direct: formatCount(users.total_user - users.total_inviter_user),
          invited: formatCount(users.total_inviter_user),
        })}
      >
        <Count value={users.total_user} />
      </Tile>
      <Tile
        title={t('analytics.totals.channels')}
        to="/panel/channel"
        caption={t('analytics.totals.states', {
          enabled: channelsOf(1),
          disabled: channelsOf(2),
          failed: channelsOf(3),
        })}
      >
        <Count value={channels.reduce((sum, each) => sum + each.total_channels, 0)} />
      </Tile>
      <Tile
        title={t('analytics.totals.credited')}
        to="/panel/payment#order"
        caption={t('analytics.totals.sources', {
          codes: formatQuota(codes, site),
          orders: [
            formatQuota(ordered, site),
            ...(paid.length ? [`(${paid.join(', ')})`] : []),
          ].join(' '),
        })}
      >
        <Quota value={codes + ordered} />
      </Tile>
    </Box>
  )
}
