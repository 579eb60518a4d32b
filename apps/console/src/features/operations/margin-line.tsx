import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from 'react-router'
import { api, query } from '../../api'
import { formatMoney, formatTime, midnight, useT } from '../../ui'

const days = 7
const dayOf = (seconds: number) => formatTime(seconds).slice(0, 10)

/** Says what the last week earned, with the way to what it was earned on. Its height is reserved. */
export const MarginLine = () => {
  const t = useT()
  const { data } = useQuery(
    query(api.margin.report, {
      ...{ from: dayOf(midnight(1 - days)), to: dayOf(midnight(0)), by: 'day' },
    }),
  )
  const margin = Number(data?.totals.margin ?? 0)
  const known = data ? Number(data.totals.revenue) - Number(data.totals.unknown_revenue) : 0
  return (
    <Typography variant="body2" sx={{ minHeight: 20 }}>
      {data && (
        <Link component={RouterLink} to="/panel/margin" color={margin < 0 ? 'error' : undefined}>
          {known > 0 || margin < 0
            ? t(margin < 0 ? 'operations.marginLost' : 'operations.marginEarned', {
                amount: formatMoney(Math.abs(margin), 'USD'),
                revenue: formatMoney(known, 'USD'),
                percent: data.totals.margin_percent ?? '–',
              })
            : t('operations.marginUnknown')}
        </Link>
      )}
    </Typography>
  )
}
