import type { PayGateway, Status } from '@hub/contract'
import { minorDigits } from '@hub/contract/top-up-price'
import Box from '@mui/material/Box'
import { formatMoney, formatNumber, formatPercent, useT } from '../../../ui'
import { formatUsd } from '../../../ui/values/format.ts'
import { priceOf } from './amounts.ts'

type Props = { amount: number; gateway: PayGateway; site: Status }

/** The lines of the price: amount, discounted amount, fee, exchange rate and the sum to pay. */
export const PriceLines = ({ amount, gateway, site }: Props) => {
  const t = useT()
  const price = priceOf(amount, gateway, site)
  const fee =
    gateway.percent_fee > 0
      ? formatPercent(gateway.percent_fee * 100, { places: 2 })
      : t('topup.lines.fixed')
  const lines = [
    [t('topup.lines.amount'), formatUsd(amount, 2)],
    ...(price.discount === 1
      ? []
      : [[t('topup.lines.discounted'), formatUsd(price.discountedCents / 100, 2)]]),
    ...(price.feeCents === 0
      ? []
      : [[t('topup.lines.fee', { kind: fee }), formatUsd(price.feeCents / 100, 2)]]),
    ...(price.currency === 'USD'
      ? []
      : [[t('topup.lines.rate'), formatNumber(price.exchangeRate, { maximumFractionDigits: 6 })]]),
  ]
  const charge = price.charge / 10 ** minorDigits(price.currency)
  return (
    <Box component="dl" aria-live="polite" sx={style}>
      {lines.map(([label = '', value = '']) => [
        <dt key={`${label}-label`}>{label}</dt>,
        <dd key={label}>{value}</dd>,
      ])}
      <Box component="dt" sx={{ fontWeight: 600 }}>
        {t('topup.lines.charge')}
      </Box>
      <Box component="dd" sx={{ fontWeight: 600 }}>
        {formatMoney(charge, price.currency)}
      </Box>
    </Box>
  )
}

const style = {
  display: 'grid',
  gridTemplateColumns: '1fr max-content',
  rowGap: 0.75,
  m: 0,
  p: 1.5,
  fontSize: 13,
  borderRadius: '8px',
  border: '1px solid',
  borderColor: 'divider',
  '& dd': { m: 0, textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
}
