import { usageClassNames, usageClassSpecs } from '@hub/contract'
import { noUsage, type TokenClass, type Usage } from '@hub/dialects/usage'

/**
 * The contract's table under the classes of the dialects' `Usage`. Neither line compiles if one of the two has a class
 * that the other lacks.
 */
export const tokenClasses: readonly TokenClass[] = usageClassNames
export const tokenClassSpecs: Readonly<Record<TokenClass, (typeof usageClassSpecs)['input']>> =
  usageClassSpecs

/** A usage with these counts and 0 in all other classes. */
export const usageOf = (counts: Partial<Usage>): Usage => Object.assign(noUsage(), counts)

/** The largest count that a charge can have. */
const countMax = 1_000_000_000

/** The sum of two usages. */
export const addUsage = (one: Usage, other: Usage): Usage => {
  const sum = noUsage()
  for (const each of tokenClasses) sum[each] = Math.min(countMax, one[each] + other[each])
  for (const kind of new Set([...Object.keys(one.tools), ...Object.keys(other.tools)]))
    sum.tools[kind] = (one.tools[kind] ?? 0) + (other.tools[kind] ?? 0)
  return sum
}

/** The usage times a factor, rounded up. */
export const scaleUsage = (usage: Usage, factor: number): Usage => {
  const scaled = noUsage()
  for (const each of tokenClasses) scaled[each] = Math.ceil(usage[each] * factor)
  return scaled
}
