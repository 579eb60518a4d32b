import type {
  HoldOperation,
  LedgerOperation,
  Outcome,
  SettleOperation,
} from '../../../operations.ts'
import type { LogsTable } from '../../../tables/logs-audit.ts'

/**
 * A batch between two threads: JSON of one flat list, field after field in a fixed order. A structured clone costs
 * twice as much, and every call crosses twice. Texts that contain JSON travel separately, because escaping and parsing
 * them costs more than all other fields. Both ends are this file, so that the format may change in any release.
 */
export type EncodedBatch = { fieldsJson: string; texts: readonly string[] }

type Encoder = { flat: unknown[]; texts: string[] }

export const encodeOperations = (operations: readonly LedgerOperation[]): EncodedBatch => {
  const encoder: Encoder = { flat: [operations.length], texts: [] }
  for (const each of operations) pushOperation(encoder, each)
  return { fieldsJson: JSON.stringify(encoder.flat), texts: encoder.texts }
}

const pushOperation = (encoder: Encoder, operation: LedgerOperation) => {
  const { flat, texts } = encoder
  const { kind, id } = operation
  switch (kind) {
    case 'hold': {
      const { userId, tokenId, amount, priceId, at, unbounded, idempotency } = operation
      flat.push(kind, id, userId, tokenId, amount, priceId, at)
      flat.push(unbounded ?? null, idempotency ?? null)
      return
    }
    case 'settle':
      pushSettle(encoder, operation)
      return
    case 'checkpoint':
      flat.push(kind, id, operation.accrued, operation.want)
      texts.push(operation.usage)
      return
    case 'void':
      flat.push(kind, id, operation.attempts ?? null)
      return
    case 'recover':
      flat.push(kind, id, operation.at)
  }
}

const pushSettle = (encoder: Encoder, operation: SettleOperation) => {
  const { flat, texts } = encoder
  const { kind, id, userId, tokenId, channelId, charge, priceId, usage, at, stored } = operation
  flat.push(kind, id, userId, tokenId, channelId, charge, priceId, at)
  flat.push(stored ?? null, operation.attempts ?? null)
  texts.push(usage)
  const { log } = operation
  flat.push(log !== null)
  if (log) pushLog(encoder, log)
}

const pushLog = ({ flat, texts }: Encoder, log: LogsTable) => {
  const { id, user_id, created_at, type, content, username, token_name, model_name } = log
  flat.push(id, user_id, created_at, type, content, username, token_name, model_name)
  const { quota, prompt_tokens, completion_tokens, channel_id } = log
  flat.push(quota, prompt_tokens, completion_tokens, channel_id)
  flat.push(log.request_time, log.is_stream, log.source_ip)
  flat.push(log.cost ?? null, log.cost_version ?? null, log.cost_kind ?? null)
  texts.push(log.metadata)
}

type Decoder = {
  flat: readonly unknown[]
  at: number
  texts: readonly string[]
  textAt: number
}

/** Reads the next field. Fields are read in the order in which they were written. */
const next = <T>(decoder: Decoder): T => decoder.flat[decoder.at++] as T

const nextText = (decoder: Decoder): string => decoder.texts[decoder.textAt++]!

export const decodeOperations = ({ fieldsJson: facts, texts }: EncodedBatch): LedgerOperation[] => {
  const decoder: Decoder = { flat: JSON.parse(facts), at: 0, texts, textAt: 0 }
  const operations: LedgerOperation[] = []
  const count: number = next(decoder)
  while (operations.length < count) operations.push(readOperation(decoder))
  return operations
}

const readOperation = (decoder: Decoder): LedgerOperation => {
  const kind: LedgerOperation['kind'] = next(decoder)
  const id: number = next(decoder)
  switch (kind) {
    case 'hold':
      return {
        kind,
        id,
        userId: next(decoder),
        tokenId: next(decoder),
        amount: next(decoder),
        priceId: next(decoder),
        at: next(decoder),
        unbounded: next<HoldOperation['unbounded'] | null>(decoder) ?? undefined,
        idempotency: next<HoldOperation['idempotency'] | null>(decoder) ?? undefined,
      }
    case 'settle':
      return {
        kind,
        id,
        userId: next(decoder),
        tokenId: next(decoder),
        channelId: next(decoder),
        charge: next(decoder),
        priceId: next(decoder),
        usage: nextText(decoder),
        at: next(decoder),
        stored: next<SettleOperation['stored'] | null>(decoder) ?? undefined,
        attempts: next<SettleOperation['attempts'] | null>(decoder) ?? undefined,
        log: next<boolean>(decoder) ? readLog(decoder) : null,
      }
    case 'checkpoint':
      return { kind, id, accrued: next(decoder), usage: nextText(decoder), want: next(decoder) }
    case 'void':
      return {
        ...{ kind, id },
        attempts: next<SettleOperation['attempts'] | null>(decoder) ?? undefined,
      }
    case 'recover':
      return { kind, id, at: next(decoder) }
  }
}

const readLog = (decoder: Decoder): LogsTable => ({
  id: next(decoder),
  user_id: next(decoder),
  created_at: next(decoder),
  type: next(decoder),
  content: next(decoder),
  username: next(decoder),
  token_name: next(decoder),
  model_name: next(decoder),
  quota: next(decoder),
  prompt_tokens: next(decoder),
  completion_tokens: next(decoder),
  channel_id: next(decoder),
  request_time: next(decoder),
  is_stream: next(decoder),
  source_ip: next(decoder),
  cost: next(decoder),
  cost_version: next(decoder),
  cost_kind: next(decoder),
  metadata: nextText(decoder),
})

/** Most outcomes are encoded as `true`. */
export const encodeOutcomes = (outcomes: readonly Outcome[]): string => {
  const flat: unknown[] = []
  for (const each of outcomes) pushOutcome(flat, each)
  return JSON.stringify(flat)
}

const pushOutcome = (flat: unknown[], outcome: Outcome) => {
  if (outcome.ok && 'charged' in outcome && !outcome.isUnbounded)
    flat.push(outcome.charged, outcome.shortfall, outcome.late)
  else if (outcome.ok && !('granted' in outcome) && !('charged' in outcome)) flat.push(true)
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
    } else outcomes.push(first === true ? succeeded : first)
  }
  return outcomes
}

const succeeded: Outcome = { ok: true }
