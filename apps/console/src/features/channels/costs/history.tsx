import type { ChannelCosts, CostList } from '@hub/contract'
import Box from '@mui/material/Box'
import { formatTime, type T, useT } from '../../../ui/index.ts'

const row = {
  ...{ display: 'flex', justifyContent: 'space-between', flexWrap: 'wrap', columnGap: 2 },
  ...{ py: 0.75, fontSize: 13, overflowWrap: 'anywhere' },
} as const

/** The lists of the channel, newest first, with when they began and who wrote them. */
export const CostHistory = ({ history }: Pick<ChannelCosts, 'history'>) => {
  const t = useT()
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 280, overflowY: 'auto' }}>
      {history.map(({ list, valid_from, created_by, created_by_name }) => (
        <Box key={valid_from} component="li" sx={row}>
          <span>{list ? summaryOf(t, list) : t('channel.costs.removed')}</span>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {formatTime(valid_from)} · {created_by_name || `#${created_by}`}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

const summaryOf = (t: T, { base, factor, currency, prices }: CostList): string =>
  [
    t(`channel.costs.bases.${base}`),
    base !== 'none' && `× ${factor}`,
    currency,
    prices.length > 0 && t('channel.costs.ownPrices', { count: prices.length }),
  ]
    .filter(Boolean)
    .join(' · ')
