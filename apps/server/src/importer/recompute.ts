import { prepareCost } from '../billing/price.ts'
import type { Terms } from '../billing/prices/terms.ts'
import { tokenClasses, tokenClassSpecs, usageOf } from '../billing/usage.ts'
import type { HistoryRow, SourceId } from './gateway-data.ts'

const sampleSize = 1_000
const listedMax = 100

export type RecomputedCharges = {
  /** Calls of the sample whose row has a price. */
  checked: number
  equal: number
  /** They differ by one point, because the other gateway rounds in another way. */
  rounded: number
  differing: number
  /** The first of those that differ by more. */
  differences: { id: SourceId; model: string; source: number; here: number }[]
  /** Calls of the sample whose row has no price, or counts that cannot be. */
  unknown: number
}

/** Compares the charges of a sample of calls, spread over the whole history, with those of this gateway's engine. */
export class Recomputation {
  private readonly step: number
  private calls = 0
  private readonly sums: RecomputedCharges = {
    ...{ checked: 0, equal: 0, rounded: 0, differing: 0, differences: [], unknown: 0 },
  }

  constructor(rows: number) {
    this.step = Math.max(1, Math.ceil(rows / sampleSize))
  }

  add(row: HistoryRow): void {
    if (row.kind !== 'consume' || this.calls++ % this.step !== 0) return
    const here = recompute(row)
    if (here === undefined) {
      this.sums.unknown += 1
      return
    }
    this.sums.checked += 1
    const difference = Math.abs(here - row.quota)
    if (difference === 0) this.sums.equal += 1
    else if (difference === 1) this.sums.rounded += 1
    else this.addDifference(row, here)
  }

  result(): RecomputedCharges {
    return this.sums
  }

  private addDifference({ id, modelName: model, quota: source }: HistoryRow, here: number) {
    this.sums.differing += 1
    if (this.sums.differences.length < listedMax)
      this.sums.differences.push({ id, model, source, here })
  }
}

/** The charge by the counts and the price of a row; undefined where it has no price, or counts that cannot be. */
export const recompute = ({
  promptTokens,
  completionTokens,
  metadata,
}: Pick<HistoryRow, 'promptTokens' | 'completionTokens' | 'metadata'>): number | undefined => {
  const { input_ratio, output_ratio = input_ratio, group_ratio = 1, price_type } = metadata
  if (input_ratio === undefined) return undefined
  const parts = tokenClasses.flatMap(each => {
    const key = keysOf(each).find(name => Number(metadata[name]) > 0)
    return key ? [{ each, count: Number(metadata[key]), ratio: metadata[`${key}_ratio`] ?? 1 }] : []
  })
  const rest = { input: promptTokens, output: completionTokens }
  for (const { each, count } of parts) rest[tokenClassSpecs[each].side] -= count
  const usage = usageOf({
    ...rest,
    ...Object.fromEntries(parts.map(({ each, count }) => [each, count])),
  })
  const ratios = Object.fromEntries(tokenClasses.map(each => [each, '1'])) as Terms['ratios']
  for (const { each, ratio } of parts) ratios[each] = String(ratio)
  try {
    return prepareCost({
      type: price_type === 'times' ? 'times' : 'tokens',
      ...{ input: String(input_ratio), output: String(output_ratio) },
      ...{ group_ratio: String(group_ratio), ratios, tools: {} },
    }).cost(usage)
  } catch {
    return undefined
  }
}

/** The names of a count in the metadata. One Hub names cached tokens of OpenAI's format in its own way. */
const keysOf = (each: keyof typeof tokenClassSpecs): string[] => {
  const { logKey } = tokenClassSpecs[each]
  if (logKey === undefined) return []
  return each === 'cacheRead' ? [logKey, 'cached_tokens'] : [logKey]
}
