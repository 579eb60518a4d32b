import type { Operation, Outcome } from '../../operations.ts'
import type { LogsTable } from '../../tables/trade.ts'

/**
 * A batch on its way between the threads: JSON of flat arrays. The copy of objects that threads make by themselves costs
 * twice as much, and every call crosses twice. Both ends are this file, so its form may change with any version.
 */

const fields = {
  hold: ['id', 'userId', 'tokenId', 'amount', 'priceId', 'at', 'idempotency'],
  settle: [
    'id',
    'userId',
    'tokenId',
    'channelId',
    'charge',
    'priceId',
    'usage',
    'at',
    'stored',
    'log',
  ],
  checkpoint: ['id', 'accrued', 'usage', 'want'],
  void: ['id'],
  recover: ['id', 'at'],
} as const satisfies { [K in Operation['kind']]: readonly Exclude<KeyOf<K>, 'kind'>[] }
type KeyOf<K extends Operation['kind']> = keyof Extract<Operation, { kind: K }>

const logFields = [
  'id',
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'channel_id',
  'request_time',
  'is_stream',
  'source_ip',
  'metadata',
] as const satisfies readonly (keyof LogsTable)[]

type Fields = Record<string, unknown>

const pack = (value: Fields, names: readonly string[], flat: unknown[]): unknown[] => {
  for (const name of names) flat.push(value[name])
  return flat
}

const unpack = (flat: readonly unknown[], names: readonly string[], from: number): Fields => {
  const value: Fields = {}
  for (let at = 0; at < names.length; at++) value[names[at]!] = flat[from + at]
  return value
}

const packOperation = (operation: Operation): unknown[] => {
  const flat = pack(operation, fields[operation.kind], [operation.kind])
  if (operation.kind === 'settle' && operation.log)
    flat[flat.length - 1] = pack(operation.log, logFields, [])
  return flat
}

const unpackOperation = (flat: readonly unknown[]): Operation => {
  const kind = flat[0] as Operation['kind']
  const operation = unpack(flat, fields[kind], 1)
  operation.kind = kind
  if (operation.log) operation.log = unpack(operation.log as unknown[], logFields, 0)
  if (operation.idempotency === null) delete operation.idempotency
  if (operation.stored === null) delete operation.stored
  return operation as Operation
}

export const encodeOperations = (operations: readonly Operation[]): string =>
  JSON.stringify(operations.map(packOperation))

export const decodeOperations = (text: string): Operation[] =>
  (JSON.parse(text) as unknown[][]).map(unpackOperation)

/** Most say only that it is done: 1. */
export const encodeOutcomes = (outcomes: readonly Outcome[]): string =>
  JSON.stringify(outcomes.map(packOutcome))

export const decodeOutcomes = (text: string): Outcome[] =>
  (JSON.parse(text) as (1 | unknown[] | Outcome)[]).map(unpackOutcome)

const packOutcome = (outcome: Outcome): unknown => {
  if (!outcome.ok) return outcome
  if ('charged' in outcome) return [outcome.charged, outcome.shortfall, outcome.late]
  return 'granted' in outcome ? outcome : 1
}

const done: Outcome = { ok: true }

const unpackOutcome = (packed: 1 | unknown[] | Outcome): Outcome => {
  if (packed === 1) return done
  if (!Array.isArray(packed)) return packed
  const [charged, shortfall, late] = packed as [number, number, boolean]
  return { ok: true, charged, shortfall, late }
}
