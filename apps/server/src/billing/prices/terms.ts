import { Fault, isPriceMode, type PriceMode } from '@hub/contract'
import { inputTokens, type TokenClass, type Usage } from '@hub/dialects/usage'
import { type Decimal, formatDecimal, multiply, parseDecimal } from '../../lib/decimal.ts'
import { tokenClasses, tokenClassSpecs } from '../usage.ts'
import { defaultModes } from './default-modes.ts'

/** Everything that a charge depends on besides the usage. Stored as the body of a price version; decimals in text. */
export type Terms = {
  type: 'tokens' | 'times'
  input: string
  output: string
  /** Multiplies everything. */
  group_ratio: string
  /** By class, relative to the price of its side. Names every class, so that later defaults do not change old charges. */
  ratios: Record<TokenClass, string>
  /** Points per call of a tool, before the group ratio. */
  tools: Record<string, string>
  /** Prices of long prompts, ascending. Absent: one price for every length. */
  tiers?: Tier[]
  /** Ratios of the ways of serving that have a price of their own. Absent: there is none. */
  modes?: Modes
}

export type Modes = Partial<Record<PriceMode, string>>

/** The price of the whole call if the prompt has more than `above` tokens. Ratios and tools stay the same. */
type Tier = { above: number; input: string; output: string }

export type PriceRow = {
  model: string
  type: 'tokens' | 'times'
  channel_type: number
  input: string
  output: string
  /** JSON object of One Hub's keys, or null. */
  extra_ratios: string | null
  /** JSON list of tiers with decimals in text, ascending, or null. */
  tiers?: string | null
  /** JSON object: USD per call of a tool, decimals in text, or null. */
  tool_prices?: string | null
}

/** The terms of a price for a group, with every default filled in. */
export const termsOf = (
  price: PriceRow,
  groupRatio: string,
  tools: Record<string, string>,
): Terms => {
  const extraRatios = readExtraRatios(price.extra_ratios)
  const ratios = Object.fromEntries(
    tokenClasses.map(each => [each, ratioOf(each, extraRatios, price.channel_type)]),
  ) as Record<TokenClass, string>
  return {
    type: price.type,
    input: toCanonicalDecimal(price.input),
    output: toCanonicalDecimal(price.output),
    group_ratio: toCanonicalDecimal(groupRatio),
    ratios,
    tools,
    ...tiersOf(price),
    ...modesOf(price, extraRatios),
  }
}

/** Those of the price itself, and else those that its vendor documents. Left out where there is none, as tiers are. */
const modesOf = (price: PriceRow, extraRatios: ExtraRatios): Pick<Terms, 'modes'> => {
  const modes: Modes = { ...defaultModes(price) }
  for (const key of Object.keys(extraRatios).sort())
    if (isPriceMode(key)) modes[key] = toCanonicalDecimal(extraRatios[key]!)
  return Object.keys(modes).length > 0 ? { modes } : {}
}

const ratioOf = (name: TokenClass, extraRatios: ExtraRatios, owner: number): string => {
  const { ratioKeys, ownerRatios, defaultRatio, ratioFactor } = tokenClassSpecs[name]
  const key = ratioKeys.find(each => (extraRatios[each] ?? undefined) !== undefined)
  const ratio = key ? extraRatios[key]! : (ownerRatios?.[owner] ?? defaultRatio)
  if (ratioFactor === undefined) return toCanonicalDecimal(ratio)
  return formatDecimal(multiply(toDecimal(ratio), toDecimal(ratioFactor)))
}

/** Leaves `tiers` out if a price has none, so that the stored text and hash of its terms stay the same. */
const tiersOf = ({ type, tiers }: PriceRow): Pick<Terms, 'tiers'> => {
  if (type === 'times' || !tiers) return {}
  const parsed = JSON.parse(tiers) as Tier[]
  return {
    tiers: parsed.map(({ above, input, output }) => ({
      above,
      input: toCanonicalDecimal(input),
      output: toCanonicalDecimal(output),
    })),
  }
}

/**
 * The terms for this usage: those of the highest tier below the length of the prompt, cached tokens included, in the
 * modes in which the call was served.
 */
export const termsAt = (terms: Terms, usage: Usage): Terms => {
  const tier = terms.tiers?.findLast(({ above }) => inputTokens(usage) > above)
  const tiered = tier ? { ...terms, input: tier.input, output: tier.output } : terms
  return usage.modes ? inModes(tiered, usage.modes) : tiered
}

/** The terms of a call that was served in these modes. A mode without a ratio changes nothing. */
export const inModes = (terms: Terms, names: readonly string[]): Terms => {
  let factor = one
  let { ratios } = terms
  for (const name of names) {
    const ratio = isPriceMode(name) ? terms.modes?.[name] : undefined
    if (ratio === undefined) continue
    if (name === longCacheWrite) ratios = { ...ratios, cacheWrite5m: ratio }
    else factor = multiply(factor, toDecimal(ratio))
  }
  const times = (price: string) => formatDecimal(multiply(toDecimal(price), factor))
  return {
    ...terms,
    ratios,
    input: times(terms.input),
    output: times(terms.output),
    ...(terms.tiers && {
      tiers: terms.tiers.map(({ above, input, output }) => ({
        above,
        input: times(input),
        output: times(output),
      })),
    }),
  }
}

/** The points of a tool. A kind with a quality and a size without a price has that of its tool, which is the dearest. */
export const toolPriceOf = <T>(tools: Readonly<Record<string, T>>, kind: string): T | undefined =>
  tools[kind] ?? tools[kind.split(':', 1)[0]!]

/** The ratios of the modes of a usage; 1 for a mode without a ratio. Undefined: it has no modes. */
export const modeRatios = (terms: Terms, { modes }: Usage): Record<string, string> | undefined => {
  if (!modes?.length) return undefined
  const known: Readonly<Record<string, string>> = terms.modes ?? {}
  return Object.fromEntries(modes.map(name => [name, known[name] ?? '1']))
}

/** The mode whose ratio stands for that of cache writes. */
const longCacheWrite: PriceMode = 'cached_write_12h_tokens'
const one: Decimal = { digits: 1n, scale: 0 }

type ExtraRatios = Record<string, string | number>

const readExtraRatios = (text: string | null): ExtraRatios =>
  text === null ? {} : (JSON.parse(text) as ExtraRatios)

/** A stored multiplier. A negative one counts as 0, as in One Hub. Throws `server.failed` for text that is no decimal. */
export function toDecimal(value: string | number): Decimal {
  const exact = parseDecimal(value)
  if (!exact) throw new Fault('server.failed', { detail: `not a decimal number: ${value}` })
  return exact.digits < 0n ? { digits: 0n, scale: 0 } : exact
}

const toCanonicalDecimal = (value: string | number): string => formatDecimal(toDecimal(value))
