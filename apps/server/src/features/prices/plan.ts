import { createHash } from 'node:crypto'
import type { PriceChange, PricePlan, SyncMode } from '@hub/contract'
import { columnsOf } from '../../billing/prices/columns.ts'
import { asPrice } from '../../db/queries/prices.ts'
import type { PricesTable } from '../../db/tables/prices.ts'
import { parseDecimal, rescale } from '../../lib/decimal.ts'

/** The change of one model's row. At least one of `before` and `after` is set. */
export type PlannedChange = { model: string; before?: PricesTable; after?: PricesTable }

export type Plan = { changes: PlannedChange[]; unchanged: number; locked: string[]; digest: string }

/**
 * Plans the changes that a list makes to the stored prices. The preview shows this plan and applying writes it. Locked
 * prices never change.
 */
export const planSync = (
  current: readonly PricesTable[],
  list: readonly PricesTable[],
  mode: SyncMode,
): Plan => {
  const stored = new Map(current.map(row => [row.model, row]))
  const listed = new Set(list.map(row => row.model))
  const changes: PlannedChange[] = []
  const locked: string[] = []
  let unchanged = 0
  for (const after of list) {
    const { model } = after
    const before = stored.get(model)
    if (before && isSame(before, after)) unchanged += 1
    else if (before?.locked === 1) locked.push(model)
    else if (!before && mode !== 'update') changes.push({ model, after })
    else if (before && mode !== 'add') changes.push({ model, before, after })
  }
  if (mode === 'overwrite')
    for (const before of current)
      if (!listed.has(before.model) && before.locked === 0)
        changes.push({ model: before.model, before })
  changes.sort((a, b) => (a.model < b.model ? -1 : 1))
  return { changes, unchanged, locked: locked.sort(), digest: digestOf(mode, changes) }
}

const digestOf = (mode: SyncMode, changes: readonly PlannedChange[]): string => {
  const digested = changes.map(each => [
    each.model,
    canonicalText(each.before),
    canonicalText(each.after),
  ])
  return createHash('sha256')
    .update(JSON.stringify([mode, digested]))
    .digest('hex')
}

/** Rows of equal meaning have equal text, whatever the notation of their decimals and the order of their keys. */
const canonicalText = (row: PricesTable | undefined): string =>
  row ? JSON.stringify(columnsOf(asPrice(row))) : ''

export const isSame = (a: PricesTable | undefined, b: PricesTable | undefined): boolean =>
  canonicalText(a) === canonicalText(b)

export const toPricePlan = ({ changes, ...plan }: Plan): PricePlan => ({
  ...plan,
  changes: changes.map(toPriceChange),
  free: changes.filter(({ after }) => after && isFree(after)).map(each => each.model),
})

/** A price without tool prices that costs nothing. A video is sold by the second, among the prices of tools. */
const isFree = (row: PricesTable): boolean =>
  [row.input, row.type === 'times' ? '0' : row.output].every(each => Number(each) === 0) &&
  Object.keys(asPrice(row).tool_prices ?? {}).length === 0

const toPriceChange = ({ model, before, after }: PlannedChange): PriceChange => {
  const hasSameType = before !== undefined && before.type === after?.type
  return {
    model,
    kind: before ? (after ? 'change' : 'remove') : 'add',
    before: before ? asPrice(before) : null,
    after: after ? asPrice(after) : null,
    input_percent: hasSameType ? percent(before.input, after!.input) : null,
    output_percent: hasSameType ? percent(before.output, after!.output) : null,
  }
}

/** The change in percent with two decimals. Null when the old price was 0 and the new one is not. */
export const percent = (before: string, after: string): number | null => {
  const [a, b] = [parseDecimal(before)!, parseDecimal(after)!]
  const scale = Math.max(a.scale, b.scale)
  const [old, now] = [rescale(a, scale), rescale(b, scale)]
  if (old === 0n) return now === 0n ? 0 : null
  const twice = (now - old) * 20_000n
  const hundredths = (twice + (twice < 0n ? -old : old)) / (2n * old)
  return Number(hundredths) / 100
}
