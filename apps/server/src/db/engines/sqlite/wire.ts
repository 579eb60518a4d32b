import type { HoldOperation, Operation, Outcome, SettleOperation } from '../../operations.ts'
import type { LogsTable } from '../../tables/trade.ts'

/**
 * A batch on its way between the threads: JSON of one flat list, field after field in a fixed order. The copy of objects
 * that threads make by themselves costs twice as much, and every call crosses twice; so the fields are written out here
 * instead of being walked by their names. Texts that are JSON themselves go beside it: to escape their quotes and to
 * read them again costs more than all the rest. Both ends are this file, so its form may change with any version.
 */
export type Packed = { facts: string; texts: readonly string[] }

type Writing = { flat: unknown[]; texts: string[] }

export const encodeOperations = (operations: readonly Operation[]): Packed => {
  const writing: Writing = { flat: [operations.length], texts: [] }
  for (const each of operations) packOperation(writing, each)
  return { facts: JSON.stringify(writing.flat), texts: writing.texts }
}

const packOperation = (writing: Writing, operation: Operation) => {
  const { flat, texts } = writing
  const { kind, id } = operation
  switch (kind) {
    case 'hold': {
      const { userId, tokenId, amount, priceId, at, idempotency } = operation
      flat.push(kind, id, userId, tokenId, amount, priceId, at, idempotency ?? null)
      return
    }
    case 'settle':
      packSettle(writing, operation)
      return
    case 'checkpoint':
      flat.push(kind, id, operation.accrued, operation.want)
      texts.push(operation.usage)
      return
    case 'void':
      flat.push(kind, id)
      return
    case 'recover':
      flat.push(kind, id, operation.at)
  }
}

const packSettle = (writing: Writing, operation: SettleOperation) => {
  const { flat, texts } = writing
  const { kind, id, userId, tokenId, channelId, charge, priceId, usage, at, stored } = operation
  flat.push(kind, id, userId, tokenId, channelId, charge, priceId, at, stored ?? null)
  texts.push(usage)
  const { log } = operation
  flat.push(log !== null)
  if (log) packLog(writing, log)
}

const packLog = ({ flat, texts }: Writing, log: LogsTable) => {
  const { id, user_id, created_at, type, content, username, token_name, model_name } = log
  flat.push(id, user_id, created_at, type, content, username, token_name, model_name)
  const { quota, prompt_tokens, completion_tokens, channel_id } = log
  flat.push(quota, prompt_tokens, completion_tokens, channel_id)
  flat.push(log.request_time, log.is_stream, log.source_ip)
  texts.push(log.metadata)
}

type Reading = {
  flat: readonly unknown[]
  at: number
  texts: readonly string[]
  textAt: number
}

/** The next field. Its type is what was written there: an object is made in the order in which it was taken apart. */
const next = <T>(reading: Reading): T => reading.flat[reading.at++] as T

const nextText = (reading: Reading): string => reading.texts[reading.textAt++]!

export const decodeOperations = ({ facts, texts }: Packed): Operation[] => {
  const reading: Reading = { flat: JSON.parse(facts), at: 0, texts, textAt: 0 }
  const operations: Operation[] = []
  const count: number = next(reading)
  while (operations.length < count) operations.push(unpackOperation(reading))
  return operations
}

const unpackOperation = (reading: Reading): Operation => {
  const kind: Operation['kind'] = next(reading)
  const id: number = next(reading)
  switch (kind) {
    case 'hold':
      return {
        kind,
        id,
        userId: next(reading),
        tokenId: next(reading),
        amount: next(reading),
        priceId: next(reading),
        at: next(reading),
        idempotency: next<HoldOperation['idempotency'] | null>(reading) ?? undefined,
      }
    case 'settle':
      return {
        kind,
        id,
        userId: next(reading),
        tokenId: next(reading),
        channelId: next(reading),
        charge: next(reading),
        priceId: next(reading),
        usage: nextText(reading),
        at: next(reading),
        stored: next<SettleOperation['stored'] | null>(reading) ?? undefined,
        log: next<boolean>(reading) ? unpackLog(reading) : null,
      }
    case 'checkpoint':
      return { kind, id, accrued: next(reading), usage: nextText(reading), want: next(reading) }
    case 'void':
      return { kind, id }
    case 'recover':
      return { kind, id, at: next(reading) }
  }
}

const unpackLog = (reading: Reading): LogsTable => ({
  id: next(reading),
  user_id: next(reading),
  created_at: next(reading),
  type: next(reading),
  content: next(reading),
  username: next(reading),
  token_name: next(reading),
  model_name: next(reading),
  quota: next(reading),
  prompt_tokens: next(reading),
  completion_tokens: next(reading),
  channel_id: next(reading),
  request_time: next(reading),
  is_stream: next(reading),
  source_ip: next(reading),
  metadata: nextText(reading),
})

/** Most say only that it is done: 1. */
export const encodeOutcomes = (outcomes: readonly Outcome[]): string => {
  const flat: unknown[] = []
  for (const each of outcomes) packOutcome(flat, each)
  return JSON.stringify(flat)
}

const packOutcome = (flat: unknown[], outcome: Outcome) => {
  if (outcome.ok && 'charged' in outcome)
    flat.push(outcome.charged, outcome.shortfall, outcome.late)
  else if (outcome.ok && !('granted' in outcome)) flat.push(true)
  else flat.push(outcome)
}

export const decodeOutcomes = (text: string): Outcome[] => {
  const flat = JSON.parse(text) as (true | number | Outcome)[]
  const outcomes: Outcome[] = []
  for (let at = 0; at < flat.length; at++) {
    const first = flat[at]!
    if (typeof first === 'number') {
      const shortfall = flat[++at] as number
      const late = flat[++at] as unknown as boolean
      outcomes.push({ ok: true, charged: first, shortfall, late })
    } else outcomes.push(first === true ? done : first)
  }
  return outcomes
}

const done: Outcome = { ok: true }
