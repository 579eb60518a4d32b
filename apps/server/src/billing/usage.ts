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
