import type { Price } from '@hub/contract'
import Box from '@mui/material/Box'
import { useT } from '../../locales/use-t.ts'
import { multiplyRatio, type PriceView } from './price.ts'
import { PriceAmount } from './price-amount.tsx'
import { isSecond } from './tool-name.ts'

type Priced = Pick<Price, 'type' | 'input' | 'tool_prices'>

/** The prices per second in USD, from the lowest, of a model that costs nothing per call. */
export const secondPrices = ({ type, input, tool_prices }: Priced): number[] =>
  type === 'times' && input === 0
    ? Object.entries(tool_prices ?? {})
        .flatMap(([kind, usd]) => (isSecond(kind) ? [usd] : []))
        .toSorted((a, b) => a - b)
    : []

type Props = { price: Priced; groupRatio?: number; view: PriceView }

/** The price of one call, or of a second where the model is sold by seconds. */
export const CallPrice = ({ price, groupRatio = 1, view }: Props) => {
  const t = useT()
  const prices = secondPrices(price)
  if (prices.length === 0)
    return <PriceAmount ratio={multiplyRatio(price.input, groupRatio)} byCall view={view} />
  const usd = multiplyRatio(prices[0]!, groupRatio)
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {t(prices.at(-1) === prices[0] ? 'prices.perSecond' : 'prices.perSecondFrom', { usd })}
    </Box>
  )
}
