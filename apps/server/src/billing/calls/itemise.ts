import type { Usage } from '@hub/dialects'
import { type Decimal, formatDecimal, multiply, parseDecimal, rescale } from '../../lib/decimal.ts'
import { type Terms, termsAt, toDecimal, toolPriceOf } from '../prices/terms.ts'
import { tokenClasses, tokenClassSpecs } from '../usage.ts'

type Item = {
  kind: string
  side: 'input' | 'output' | 'call' | 'tool'
  count: number
  /** Points for one at ratio 1, before the group ratio. */
  price: string
  ratio: string
  points: string
}

/**
 * The lines of a charge, one per class that was used, exact and before rounding. Their sum rounded up is the result of
 * `prepareCost`, as a test checks.
 */
export const itemise = (allTerms: Terms, usage: Usage): { items: Item[]; sum: string } => {
  const terms = termsAt(allTerms, usage)
  const group = toDecimal(terms.group_ratio)
  const line = (
    kind: string,
    side: Item['side'],
    count: number,
    price: Decimal,
    ratio: string,
  ) => ({
    exact: multiply({ digits: BigInt(count), scale: 0 }, price, toDecimal(ratio), group),
    item: { kind, side, count, price: formatDecimal(price), ratio },
  })
  const tokenLines = tokenClasses
    .filter(each => usage[each] > 0)
    .map(each => {
      const { side } = tokenClassSpecs[each]
      return line(each, side, usage[each], toDecimal(terms[side]), terms.ratios[each])
    })
  const callPrice = multiply(toDecimal(terms.input), toDecimal('1000'))
  const toolLines = Object.entries(usage.tools).map(([kind, calls]) =>
    line(kind, 'tool', calls, toDecimal(toolPriceOf(terms.tools, kind) ?? '0'), '1'),
  )
  const isTimes = terms.type === 'times'
  const lines = [
    ...(isTimes ? [line('call', 'call', 1, callPrice, '1')] : tokenLines),
    ...toolLines,
  ]
  return {
    items: lines.map(({ exact, item }) => ({ ...item, points: formatDecimal(exact) })),
    sum: formatDecimal(sumOf(lines.map(each => each.exact))),
  }
}

const sumOf = (values: Decimal[]): Decimal => {
  const scale = Math.max(0, ...values.map(each => each.scale))
  const digits = values.reduce((sum, each) => sum + rescale(each, scale), 0n)
  return parseDecimal(formatDecimal({ digits, scale })) ?? { digits, scale }
}
