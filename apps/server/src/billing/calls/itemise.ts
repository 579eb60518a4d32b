import type { Usage } from '@hub/dialects'
import { digitsAt, type Exact, formatExact, multiply, readExact } from '../../lib/decimal.ts'
import { prepareCost } from '../price.ts'
import { exactly, type Terms, termsAt } from '../prices/terms.ts'
import { inputClasses, tokenClasses } from '../usage.ts'

type Item = {
  kind: string
  side: 'input' | 'output' | 'call' | 'tool'
  count: number
  /** Points for one at ratio 1, before the group's ratio. */
  price: string
  ratio: string
  points: string
}

const inputSide: ReadonlySet<string> = new Set(inputClasses)

/**
 * The bill behind a charge, one line for each class that was used, exact and before the one rounding. The lines add up
 * to what `prepareCost` rounds: a test compares the two. Nothing that is free is sold with dear tools.
 */
export const itemise = (of: Terms, usage: Usage): { items: Item[]; sum: string } => {
  const terms = termsAt(of, usage)
  const { isFree } = prepareCost({ ...terms, tiers: [] })
  const group = exactly(terms.group_ratio)
  const line = (kind: string, side: Item['side'], count: number, price: Exact, ratio: string) => ({
    exact: multiply({ digits: BigInt(count), scale: 0 }, price, exactly(ratio), group),
    item: { kind, side, count, price: formatExact(price), ratio },
  })
  const ofTokens = tokenClasses
    .filter(each => usage[each] > 0)
    .map(each => {
      const side = inputSide.has(each) ? 'input' : 'output'
      return line(each, side, usage[each], exactly(terms[side]), terms.ratios[each])
    })
  const call = multiply(exactly(terms.input), exactly('1000'))
  const ofTools = Object.entries(usage.tools).map(([kind, calls]) =>
    line(kind, 'tool', calls, exactly(isFree ? '0' : (terms.tools[kind] ?? '0')), '1'),
  )
  const isTimes = terms.type === 'times'
  const lines = [...(isTimes ? [line('call', 'call', 1, call, '1')] : ofTokens), ...ofTools]
  return {
    items: lines.map(({ exact, item }) => ({ ...item, points: formatExact(exact) })),
    sum: formatExact(sumOf(lines.map(each => each.exact))),
  }
}

const sumOf = (all: Exact[]): Exact => {
  const scale = Math.max(0, ...all.map(each => each.scale))
  const digits = all.reduce((sum, each) => sum + digitsAt(each, scale), 0n)
  return readExact(formatExact({ digits, scale })) ?? { digits, scale }
}
