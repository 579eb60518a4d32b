import type { HistoryRow, HistoryTable } from '../gateway-data.ts'
import { commonLogFields, flatJsonOf, orderRow } from '../sources/history.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { decimalOf, integerOf, jsonOf, textOf } from '../sources/values.ts'

/** Ratio 1 of a call is $0.002, and New API's prices of calls are dollars. */
const ratioOfDollars = 500

const readNewApiLog = (row: SourceRow): HistoryRow | undefined => {
  const common = commonLogFields(row)
  if (!common) return undefined
  const details = flatJsonOf(row, 'other')
  const cached = countOf(details.cache_tokens) + countOf(details.cache_creation_tokens)
  // In Claude's format the prompt is counted without its cached part.
  const isClaude = (jsonOf(row, 'other') as { claude?: unknown } | undefined)?.claude === true
  return {
    ...common,
    promptTokens: common.promptTokens + (isClaude ? cached : 0),
    milliseconds: integerOf(row, 'use_time') * 1_000,
    ip: textOf(row, 'ip'),
    metadata: metadataOf(details, textOf(row, 'group')),
  }
}

/** NaN for what cannot be a count, so that the row is left out. */
const countOf = (value: string | number | undefined): number => {
  const count = Number(value ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : Number.NaN
}

type Details = HistoryRow['metadata']

/** The price of a call, under the names of this gateway. */
const metadataOf = (details: Details, group: string): Details => {
  const { model_ratio, completion_ratio, model_price, group_ratio, frt } = details
  const isPerCall = Number(model_price ?? -1) >= 0
  const input = isPerCall ? Number(model_price) * ratioOfDollars : Number(model_ratio)
  if (Number.isNaN(input)) return {}
  return {
    ...(group && { group_name: group }),
    price_type: isPerCall ? 'times' : 'tokens',
    group_ratio: group_ratio ?? 1,
    input_ratio: exact(input),
    output_ratio: isPerCall ? 0 : exact(input * Number(completion_ratio ?? 1)),
    ...(Number(frt) > 0 && { first_response: Number(frt) }),
    ...partOf(details, 'cache', 'cached_read_tokens'),
    ...partOf(details, 'cache_creation', 'cached_write_tokens'),
  }
}

const partOf = (details: Details, name: string, key: string): Details => {
  const count = Number(details[`${name}_tokens`] ?? 0)
  return count > 0 ? { [key]: count, [`${key}_ratio`]: details[`${name}_ratio`] ?? 1 } : {}
}

/** A product of decimals without the error of its binary form. */
const exact = (value: number): number => Number(value.toPrecision(12))

const readTopUp = (row: SourceRow): HistoryRow => {
  const [status, trade_no] = [textOf(row, 'status'), textOf(row, 'trade_no')]
  const [amount, paid] = [integerOf(row, 'amount'), decimalOf(row, 'money')]
  return orderRow(
    row,
    {
      createdAt: integerOf(row, 'create_time'),
      quota: 0,
      content: `Order ${trade_no}: ${amount} for ${paid}, ${status}`,
    },
    { trade_no, status, amount, pay_amount: paid },
  )
}

export const newApiHistory: HistoryTable[] = [
  { table: 'logs', timeColumn: 'created_at', read: readNewApiLog },
  { table: 'top_ups', timeColumn: 'create_time', read: readTopUp },
]

/** One API says in words only what a call cost. */
const readOneApiLog = (row: SourceRow): HistoryRow | undefined => {
  const common = commonLogFields(row)
  return common && { ...common, milliseconds: integerOf(row, 'elapsed_time') }
}

export const oneApiHistory: HistoryTable[] = [
  { table: 'logs', timeColumn: 'created_at', read: readOneApiLog },
]
