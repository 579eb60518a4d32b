import { Fault } from '@hub/contract'
import {
  hasTools,
  hasValidCounts,
  inputTokens,
  isTokenCount,
  type TokenClass,
  type Usage,
  weightedTokens,
} from '@hub/dialects/usage'
import { type Decimal, multiply, powerOfTen, rescale } from '../lib/decimal.ts'
import { inModes, type Terms, toDecimal, toolPriceOf } from './prices/terms.ts'
import { tokenClasses, tokenClassSpecs } from './usage.ts'

/** Calculates the cost of calls by one price. */
export type CostCalculator = {
  /** True when input and output cost nothing in every tier. Tool calls keep their own prices. */
  isFree: boolean
  /**
   * Points, rounded up once: at least 1 unless the price or the tier is free, at most the largest safe integer. A free
   * price costs its tool calls only. Throws `request.invalid` for an invalid count.
   */
  cost(usage: Usage): number
  /** The sum in points before it is rounded, also of a free price. Throws `request.invalid` for an invalid count. */
  sum(usage: Usage): ExactSum
}

/** `digits` ÷ `unit`. */
export type ExactSum = { digits: bigint; unit: bigint }

/** Terms as whole numbers on one common scale, computed before any request. */
type Prepared = {
  isFree: boolean
  factors: Readonly<Record<TokenClass, bigint>>
  /** The factors as floats, for `quickCost`. */
  quickFactors: Readonly<Record<TokenClass, number>>
  fixed: bigint
  tools: Readonly<Record<string, bigint>>
  unit: bigint
  quickUnit: number
}

/**
 * Prepares terms for charging: usage × price × ratios → points. The arithmetic is exact, and takes less than a microsecond
 * for usual token counts. Tiers must be sorted by ascending `above`.
 */
export const prepareCost = (terms: Terms): CostCalculator => {
  const base = prepareTiers(terms)
  if (!terms.modes) return base
  const byModes = new Map<string, CostCalculator>()
  const inOwnModes = (names: readonly string[]): CostCalculator => {
    const key = names.filter(name => Object.hasOwn(terms.modes!, name)).join()
    let prepared = byModes.get(key)
    if (!prepared) {
      prepared = prepareTiers(inModes(terms, names))
      byModes.set(key, prepared)
    }
    return prepared
  }
  return {
    isFree: base.isFree,
    cost: usage => (usage.modes?.length ? inOwnModes(usage.modes) : base).cost(usage),
    sum: usage => (usage.modes?.length ? inOwnModes(usage.modes) : base).sum(usage),
  }
}

const prepareTiers = (terms: Terms): CostCalculator => {
  const base = prepareTier(terms)
  if (!terms.tiers?.length) return base
  const tiers = terms.tiers.map(({ above, ...prices }) => ({
    above,
    ...prepareTier({ ...terms, ...prices }),
  }))
  const tierOf = (usage: Usage) => {
    const prompt = inputTokens(usage)
    return tiers.findLast(({ above }) => prompt > above) ?? base
  }
  return {
    isFree: base.isFree && tiers.every(tier => tier.isFree),
    cost: usage => tierOf(usage).cost(usage),
    sum: usage => tierOf(usage).sum(usage),
  }
}

/** The terms of one tier, which hold for every length of prompt. */
const prepareTier = (terms: Terms): CostCalculator => {
  const prepared = prepare(terms)
  return {
    isFree: prepared.isFree,
    cost: usage => {
      if (!hasValidCounts(usage)) throwInvalidCounts(usage)
      if (prepared.isFree) return hasTools(usage) ? exactCost(prepared, usage) : 0
      return Math.max(1, quickCost(prepared, usage) ?? exactCost(prepared, usage))
    },
    sum: usage => {
      if (!hasValidCounts(usage)) throwInvalidCounts(usage)
      return { digits: exactSum(prepared, usage), unit: prepared.unit }
    },
  }
}

const prepare = (terms: Terms): Prepared => {
  const group = toDecimal(terms.group_ratio)
  const sides = {
    input: multiply(toDecimal(terms.input), group),
    output: multiply(toDecimal(terms.output), group),
  }
  const isPerCall = terms.type === 'times'
  // At multiplier 1 a call costs 1000 points.
  const fixed: Decimal = isPerCall ? multiply(sides.input, toDecimal('1000')) : toDecimal('0')
  const prices = tokenClasses.map(each =>
    isPerCall
      ? toDecimal('0')
      : multiply(sides[tokenClassSpecs[each].side], toDecimal(terms.ratios[each])),
  )
  const tools = Object.entries(terms.tools).map(
    ([kind, points]) => [kind, multiply(toDecimal(points), group)] as const,
  )
  const all = [fixed, ...prices, ...tools.map(([, points]) => points)]
  const scale = Math.max(...all.map(each => each.scale))
  const factors = prices.map(each => rescale(each, scale))
  return {
    isFree: sides.input.digits === 0n && (isPerCall || sides.output.digits === 0n),
    factors: byClass(factors),
    quickFactors: byClass(factors.map(Number)),
    fixed: rescale(fixed, scale),
    tools: Object.fromEntries(tools.map(([kind, points]) => [kind, rescale(points, scale)])),
    unit: powerOfTen(scale),
    quickUnit: Number(powerOfTen(scale)),
  }
}

const byClass = <T>(values: readonly T[]) =>
  Object.fromEntries(tokenClasses.map((each, index) => [each, values[index]!])) as Record<
    TokenClass,
    T
  >

const throwInvalidCounts = (usage: Usage): never => {
  throw new Fault('request.invalid', {
    hint: 'A number of tokens is out of bounds.',
    detail: tokenClasses.find(each => !isTokenCount(usage[each])) ?? 'tools',
  })
}

/**
 * The cost in floats. Undefined: floats might not be exact. All terms are whole and not negative, and float rounding is
 * monotonic, so a sum below 2^53 proves that no product and no partial sum was rounded.
 */
const quickCost = (prepared: Prepared, usage: Usage): number | undefined => {
  if (prepared.fixed !== 0n || prepared.quickUnit > Number.MAX_SAFE_INTEGER) return undefined
  if (hasTools(usage)) return undefined
  const sum = weightedTokens(usage, prepared.quickFactors)
  if (!(sum <= Number.MAX_SAFE_INTEGER)) return undefined
  const remainder = sum % prepared.quickUnit
  return (sum - remainder) / prepared.quickUnit + (remainder > 0 ? 1 : 0)
}

const exactSum = (prepared: Prepared, usage: Usage): bigint => {
  let sum = prepared.fixed
  for (const each of tokenClasses) sum += BigInt(usage[each]) * prepared.factors[each]
  for (const [kind, calls] of Object.entries(usage.tools) as [string, number][])
    sum += BigInt(calls) * (toolPriceOf(prepared.tools, kind) ?? 0n)
  return sum
}

const exactCost = (prepared: Prepared, usage: Usage): number => {
  const points = (exactSum(prepared, usage) + prepared.unit - 1n) / prepared.unit
  // More than a safe integer is far above every balance.
  return points > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(points)
}
