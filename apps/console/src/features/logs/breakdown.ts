import type { Log } from '@hub/contract'
import { ceiling, type Decimal, decimal, plus, readDecimal, times } from '../../ui/decimal.ts'

/** Which side each kind of tokens is priced on, as in the price table. */
export const sideOfKind = {
  cached_tokens: 'input',
  cached_write_tokens: 'input',
  cached_write_1h_tokens: 'input',
  cached_read_tokens: 'input',
  input_audio_tokens: 'input',
  input_text_tokens: 'input',
  input_image_tokens: 'input',
  output_audio_tokens: 'output',
  output_text_tokens: 'output',
  output_image_tokens: 'output',
  reasoning_tokens: 'output',
} as const
export type Kind = keyof typeof sideOfKind
export type Side = 'input' | 'output'

/** `count` tokens at `ratio` count as `extra` more (or fewer) tokens of their side. */
export type Part = { kind: Kind; side: Side; count: number; ratio: Decimal; extra: Decimal }

export type Breakdown = {
  by: 'tokens' | 'times'
  groupName: string
  groupRatio: Decimal
  input: Decimal
  output: Decimal
  parts: Part[]
  inputTokens: Decimal
  outputTokens: Decimal
  /** Points before the group ratio, and with it: both before rounding. */
  original: Decimal
  actual: Decimal
  /** `actual` rounded up once, 1 at least where the price is not zero. */
  computed: bigint
  charged: bigint
}

/** Recomputes a charge from what the row says. Undefined where the row carries no price. */
export const breakdownOf = (
  log: Pick<Log, 'quota' | 'prompt_tokens' | 'completion_tokens' | 'metadata'>,
): Breakdown | undefined => {
  const { metadata } = log
  const input = read(metadata.input_ratio)
  if (!input) return undefined
  const by = metadata.price_type === 'times' ? 'times' : 'tokens'
  const groupRatio = read(metadata.group_ratio) ?? decimal(1)
  const output = read(metadata.output_ratio) ?? input
  const parts = by === 'tokens' ? partsOf(metadata) : []
  const inputTokens = total(log.prompt_tokens, parts, 'input')
  const outputTokens = total(log.completion_tokens, parts, 'output')
  const original =
    by === 'times'
      ? times(input, decimal(1000))
      : plus(times(inputTokens, input), times(outputTokens, output))
  const actual = times(original, groupRatio)
  return {
    by,
    groupName: String(metadata.group_name ?? ''),
    groupRatio,
    input,
    output,
    parts,
    inputTokens,
    outputTokens,
    original,
    actual,
    computed: ceiling(actual),
    charged: BigInt(log.quota),
  }
}

const partsOf = (metadata: Log['metadata']): Part[] =>
  (Object.keys(sideOfKind) as Kind[]).flatMap(kind => {
    const count = Number(metadata[kind] ?? 0)
    const ratio = read(metadata[`${kind}_ratio`]) ?? decimal(1)
    if (!Number.isSafeInteger(count) || count <= 0) return []
    const extra = times(decimal(count), plus(ratio, decimal(-1)))
    return [{ kind, side: sideOfKind[kind], count, ratio, extra }]
  })

const total = (count: number, parts: Part[], side: Side): Decimal =>
  parts
    .filter(part => part.side === side)
    .reduce((sum, part) => plus(sum, part.extra), decimal(count))

const read = (value: unknown): Decimal | undefined =>
  typeof value === 'number' || typeof value === 'string' ? readDecimal(value) : undefined

/** Multiplier 1 is $2 per million tokens; a call priced by times costs the multiplier x $0.002. */
export const usdOfRatio = (ratio: Decimal, by: Breakdown['by']): Decimal =>
  times(ratio, decimal(by === 'times' ? '0.002' : '2'))

/** 1 point = $0.000002. */
export const usdOfPoints = (points: Decimal): Decimal => times(points, decimal('0.000002'))

/** How much the group's ratio saved, in whole percent; 0 where it saved nothing. */
export const savedPercent = ({ groupRatio }: Pick<Breakdown, 'groupRatio'>): number => {
  const saved = plus(decimal(1), { units: -groupRatio.units, places: groupRatio.places })
  return saved.units > 0n ? Number((saved.units * 100n) / 10n ** BigInt(saved.places)) : 0
}
