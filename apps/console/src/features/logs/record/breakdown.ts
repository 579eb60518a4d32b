import { type Log, type PriceMode, priceModes, sideOfUsageKey, type UsageKey } from '@hub/contract'
import {
  ceiling,
  type Decimal,
  decimal,
  plus,
  readDecimal,
  times,
} from '../../../domain/decimal.ts'

export type TokenKind = UsageKey
export type Side = 'input' | 'output'

/** `count` tokens with `ratio` are billed as `extra` additional tokens of their side; `extra` may be negative. */
export type BreakdownPart = {
  kind: TokenKind
  side: Side
  count: number
  ratio: Decimal
  extra: Decimal
}

export type Breakdown = {
  priceType: 'tokens' | 'times'
  groupName: string
  groupRatio: Decimal
  input: Decimal
  output: Decimal
  parts: BreakdownPart[]
  inputTokens: Decimal
  outputTokens: Decimal
  /** Points before and after the group ratio, both unrounded. */
  original: Decimal
  actual: Decimal
  /** Ratios of the tier, speed, region and cache lifetime that served the call, by their keys. */
  modes: readonly (readonly [string, Decimal])[]
  /** `actual`, rounded up. */
  computed: bigint
  charged: bigint
}

/** Recomputes a charge from its log entry; undefined if the entry has no price. */
export const breakdownOf = (
  log: Pick<Log, 'quota' | 'prompt_tokens' | 'completion_tokens' | 'metadata'>,
): Breakdown | undefined => {
  const { metadata } = log
  const inputRatio = read(metadata.input_ratio)
  if (!inputRatio) return undefined
  const modes = modesOf(metadata)
  const factor = modes
    // The ratio of a cache is that of its own tokens.
    .filter(([name]) => priceModes[name as PriceMode] !== 'cache')
    .reduce((product, [, ratio]) => times(product, ratio), decimal(1))
  const input = times(inputRatio, factor)
  const priceType = metadata.price_type === 'times' ? 'times' : 'tokens'
  const groupRatio = read(metadata.group_ratio) ?? decimal(1)
  const output = times(read(metadata.output_ratio) ?? inputRatio, factor)
  const parts = priceType === 'tokens' ? partsOf(metadata) : []
  const inputTokens = total(log.prompt_tokens, parts, 'input')
  const outputTokens = total(log.completion_tokens, parts, 'output')
  const original =
    priceType === 'times'
      ? times(input, decimal(1000))
      : plus(times(inputTokens, input), times(outputTokens, output))
  const actual = times(original, groupRatio)
  return {
    priceType,
    groupName: String(metadata.group_name ?? ''),
    groupRatio,
    input,
    output,
    parts,
    inputTokens,
    outputTokens,
    original,
    actual,
    modes,
    computed: ceiling(actual),
    charged: BigInt(log.quota),
  }
}

const modesOf = ({ modes }: Log['metadata']): (readonly [string, Decimal])[] =>
  Object.entries((modes as Record<string, unknown> | undefined) ?? {}).map(
    ([name, ratio]) => [name, read(ratio) ?? decimal(1)] as const,
  )

const partsOf = (metadata: Log['metadata']): BreakdownPart[] =>
  (Object.keys(sideOfUsageKey) as TokenKind[]).flatMap(kind => {
    const count = Number(metadata[kind] ?? 0)
    const ratio = read(metadata[`${kind}_ratio`]) ?? decimal(1)
    if (!Number.isSafeInteger(count) || count <= 0) return []
    const extra = times(decimal(count), plus(ratio, decimal(-1)))
    return [{ kind, side: sideOfUsageKey[kind], count, ratio, extra }]
  })

const total = (count: number, parts: BreakdownPart[], side: Side): Decimal =>
  parts
    .filter(part => part.side === side)
    .reduce((sum, part) => plus(sum, part.extra), decimal(count))

const read = (value: unknown): Decimal | undefined =>
  typeof value === 'number' || typeof value === 'string' ? readDecimal(value) : undefined

/** Ratio 1 is $2 per million tokens, or $0.002 per call. */
export const usdOfRatio = (ratio: Decimal, priceType: Breakdown['priceType']): Decimal =>
  times(ratio, decimal(priceType === 'times' ? '0.002' : '2'))

/** 1 point = $0.000002. */
export const usdOfPoints = (points: Decimal): Decimal => times(points, decimal('0.000002'))

/** The discount of the group ratio in whole percent; 0 without a discount. */
export const savedPercent = ({ groupRatio }: Pick<Breakdown, 'groupRatio'>): number => {
  const saved = plus(decimal(1), { units: -groupRatio.units, places: groupRatio.places })
  return saved.units > 0n ? Number((saved.units * 100n) / 10n ** BigInt(saved.places)) : 0
}
