import type { MarginReport } from '@hub/contract'
import Typography from '@mui/material/Typography'
import { Card, formatMoney, useT } from '../../ui'

/** One sentence: what was earned or lost, on which charges, and the share. */
export const MarginSummary = ({
  report: { totals },
  days,
}: {
  report: MarginReport
  days: number
}) => {
  const t = useT()
  const margin = Number(totals.margin)
  const known = Number(totals.revenue) - Number(totals.unknown_revenue)
  const isKnown = known > 0 || margin < 0
  return (
    <Card>
      <Typography
        variant="h2"
        component="p"
        sx={{ color: margin < 0 ? 'error.main' : undefined, overflowWrap: 'anywhere' }}
      >
        {isKnown
          ? t(margin < 0 ? 'margin.lost' : 'margin.earned', {
              amount: formatMoney(Math.abs(margin), 'USD'),
              revenue: formatMoney(known, 'USD'),
              percent: totals.margin_percent ?? '–',
              days,
            })
          : t('margin.nothing', { days })}
      </Typography>
    </Card>
  )
}
