import { Fault } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import { digitsAt, type Exact, multiply, ten } from '../lib/decimal.ts'
import { exactly, type Terms } from './prices/terms.ts'
import { inputClasses, inputTokens, tokenClasses } from './usage.ts'

/** No answer has more tokens of one class. What is above is not a count but a mistake or an attack. */
const countMax = 1_000_000_000

export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= countMax

/** Every figure is a count. Written out, since a stream asks at every chunk and a loop over names is far dearer. */
export const areCounts = (usage: Usage): boolean => {
  for (const kind in usage.tools) if (!isCount(usage.tools[kind])) return false
  return (
    isCount(usage.input) &&
    isCount(usage.cacheRead) &&
    isCount(usage.cacheWrite5m) &&
    isCount(usage.cacheWrite1h) &&
    isCount(usage.audioInput) &&
    isCount(usage.imageInput) &&
    isCount(usage.output) &&
    isCount(usage.reasoning) &&
    isCount(usage.audioOutput) &&
    isCount(usage.imageOutput)
  )
}

export type Cost = {
  /** The price comes to nothing, whatever is used. */
  isFree: boolean
  /** Points, rounded up once, at least 1 unless free. Throws on anything that is not a count. */
  cost(usage: Usage): number
}

const inputSide: ReadonlySet<string> = new Set(inputClasses)

/** Everything that can be computed before a request: one whole number per class, on one common scale. */
type Prepared = {
  isFree: boolean
  /** On the common scale, in the order of `tokenClasses`; as floats only to be tried, see `quick`. */
  factors: readonly bigint[]
  quickFactors: readonly number[]
  fixed: bigint
  tools: ReadonlyMap<string, bigint>
  unit: bigint
  quickUnit: number
}

/** Usage × price × ratios → points. Pure, exact, and well under a microsecond for ordinary numbers. */
export const prepareCost = (terms: Terms): Cost => {
  const base = prepareOne(terms)
  if (!terms.tiers?.length) return base
  const tiers = terms.tiers.map(({ above, ...prices }) => ({
    above,
    ...prepareOne({ ...terms, ...prices }),
  }))
  return {
    isFree: base.isFree && tiers.every(each => each.isFree),
    cost: usage => {
      const prompt = inputTokens(usage)
      return (tiers.findLast(({ above }) => prompt > above) ?? base).cost(usage)
    },
  }
}

/** One price for every length of prompt. */
const prepareOne = (terms: Terms): Cost => {
  const prepared = prepare(terms)
  return {
    isFree: prepared.isFree,
    cost: usage => {
      check(usage)
      if (prepared.isFree) return 0
      return Math.max(1, quick(prepared, usage) ?? exact(prepared, usage))
    },
  }
}

const prepare = (terms: Terms): Prepared => {
  const group = exactly(terms.group_ratio)
  const input = multiply(exactly(terms.input), group)
  const output = multiply(exactly(terms.output), group)
  const isTimes = terms.type === 'times'
  const fixed: Exact = isTimes ? multiply(input, exactly('1000')) : exactly('0')
  const classes = tokenClasses.map(each =>
    isTimes
      ? exactly('0')
      : multiply(inputSide.has(each) ? input : output, exactly(terms.ratios[each])),
  )
  const tools = Object.entries(terms.tools).map(
    ([kind, points]) => [kind, multiply(exactly(points), group)] as const,
  )
  const all = [fixed, ...classes, ...tools.map(([, points]) => points)]
  const scale = Math.max(...all.map(each => each.scale))
  const factors = classes.map(each => digitsAt(each, scale))
  return {
    isFree: input.digits === 0n && (isTimes || output.digits === 0n),
    factors,
    quickFactors: factors.map(Number),
    fixed: digitsAt(fixed, scale),
    tools: new Map(tools.map(([kind, points]) => [kind, digitsAt(points, scale)])),
    unit: ten(scale),
    quickUnit: Number(ten(scale)),
  }
}

const check = (usage: Usage): void => {
  if (!areCounts(usage)) refuse(tokenClasses.find(each => !isCount(usage[each])) ?? 'tools')
}

const refuse = (what: string): never => {
  throw new Fault('request.invalid', { hint: 'A number of tokens is out of bounds.', detail: what })
}

/**
 * The same in ordinary numbers, only where that is exact. All terms are whole and none is negative, and rounding of
 * floats is monotonic: if the sum came out below 2^53, no product and no partial sum was ever rounded.
 */
const quick = (prepared: Prepared, usage: Usage): number | undefined => {
  if (prepared.fixed !== 0n || prepared.quickUnit > Number.MAX_SAFE_INTEGER) return undefined
  for (const _ in usage.tools) return undefined
  const factors = prepared.quickFactors
  const sum =
    usage.input * factors[0]! +
    usage.cacheRead * factors[1]! +
    usage.cacheWrite5m * factors[2]! +
    usage.cacheWrite1h * factors[3]! +
    usage.audioInput * factors[4]! +
    usage.imageInput * factors[5]! +
    usage.output * factors[6]! +
    usage.reasoning * factors[7]! +
    usage.audioOutput * factors[8]! +
    usage.imageOutput * factors[9]!
  if (!(sum <= Number.MAX_SAFE_INTEGER)) return undefined
  const rest = sum % prepared.quickUnit
  return (sum - rest) / prepared.quickUnit + (rest > 0 ? 1 : 0)
}

const exact = (prepared: Prepared, usage: Usage): number => {
  let sum = prepared.fixed
  tokenClasses.forEach((each, index) => {
    sum += BigInt(usage[each]) * prepared.factors[index]!
  })
  for (const [kind, calls] of Object.entries(usage.tools) as [string, number][])
    sum += BigInt(calls) * (prepared.tools.get(kind) ?? 0n)
  const points = (sum + prepared.unit - 1n) / prepared.unit
  // What cannot be written as a safe integer is far above every balance.
  return points > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(points)
}
