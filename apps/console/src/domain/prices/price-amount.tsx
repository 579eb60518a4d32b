import Box from '@mui/material/Box'
import { useT } from '../../locales/use-t.ts'
import { Amount } from '../../ui/values/amount.tsx'
import { Badge } from '../../ui/values/badge.tsx'
import { type PriceView, priceText } from './price.ts'

/** Prices per call are always shown for one call, never per million. */
export const priceViewFor = (byCall: boolean, view: PriceView): PriceView =>
  byCall ? { ...view, scale: 'k' } : view

type Props = { ratio: string | number; byCall: boolean; view: PriceView }

/** Shows a multiplier as a price with its unit, or the word for free. */
export const PriceAmount = ({ ratio, byCall, view }: Props) => {
  const t = useT()
  const text = priceText(ratio, priceViewFor(byCall, view))
  if (text === undefined) return <Badge tone="green" labelKey="prices.free" />
  const per =
    view.unit === 'ratio' ? '' : ` / ${t(byCall ? 'prices.call' : `prices.scales.${view.scale}`)}`
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      <Amount text={text} />
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {per}
      </Box>
    </Box>
  )
}
