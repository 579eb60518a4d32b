import type { InvoiceLine } from '@hub/contract'
import { readReceipt, receiptTokens } from '../../billing/calls/read-receipt.ts'
import type { Database } from '../../db/index.ts'
import { listCharges } from '../../db/queries/invoices.ts'
import type { TimeWindow } from '../../lib/time/calendar.ts'

const batchSize = 2000

type ChargePosting = Awaited<ReturnType<typeof listCharges>>[number]

/** The lines of each user's invoice by day and model, added up from the postings of the ledger. */
export const collectLines = async (
  db: Database,
  range: TimeWindow,
  dayOf: (seconds: number) => string,
): Promise<Map<number, InvoiceLine[]>> => {
  const users = new Map<number, Map<string, InvoiceLine>>()
  let after = { at: range.begin, id: Number.MIN_SAFE_INTEGER }
  while (true) {
    const charges = await listCharges(db, range, after, batchSize)
    for (const charge of charges) {
      const lines = users.get(charge.user_id) ?? new Map<string, InvoiceLine>()
      users.set(charge.user_id, lines)
      addCharge(lines, charge, dayOf(charge.at))
    }
    const last = charges.at(-1)
    if (!last || charges.length < batchSize) break
    after = { at: last.at, id: last.id }
  }
  return new Map(
    [...users].map(([userId, lines]) => [userId, [...lines.values()].toSorted(byDayAndModel)]),
  )
}

/** A late posting is the rest of the charge of a request that was counted before. */
const addCharge = (lines: Map<string, InvoiceLine>, charge: ChargePosting, date: string) => {
  const receipt = readReceipt(charge.usage)
  const model_name = receipt?.model || charge.model_name || ''
  const key = `${date} ${model_name}`
  const line = lines.get(key) ?? emptyLine(date, model_name)
  lines.set(key, line)
  line.quota += charge.amount
  if (charge.kind === 'late') return
  line.request_count += 1
  const tokens = receipt ? receiptTokens(receipt) : { prompt: 0, completion: 0 }
  line.prompt_tokens += charge.prompt_tokens ?? tokens.prompt
  line.completion_tokens += charge.completion_tokens ?? tokens.completion
  line.request_time += charge.request_time ?? 0
}

export const emptyLine = (date: string, model_name: string): InvoiceLine => ({
  date,
  model_name,
  request_count: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  request_time: 0,
})

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const byDayAndModel = (one: InvoiceLine, other: InvoiceLine) =>
  compare(one.date, other.date) || compare(one.model_name, other.model_name)
