import { setTimeout as sleep } from 'node:timers/promises'
import { failpoint, isFailing } from '../../../lib/failpoint.ts'
import type {
  HoldRefusal,
  LedgerOperation,
  Outcome,
  Outcomes,
  SettleOperation,
} from '../../operations.ts'
import type { Engine } from '../engine.ts'
import { numberArray, textArray } from './arrays.ts'
import type { WriterConnection } from './connection.ts'
import { groupByKind, ledgerBatchParameters } from './ledger-batch-parameters.ts'

/** The result of `ledger_batch_v3`: element i of each array belongs to operation i of its kind. */
type BatchResult = {
  /** Settles: points charged in total, shortfall, and whether the hold was gone. */
  total: number[] | null
  short: number[] | null
  late: boolean[] | null
  /** Not null where the hold of a settle had no bound. */
  unbounded: (number | null)[] | null
  /** Checkpoints: points added to the hold; -1 when the hold is gone. */
  granted: number[] | null
  /** Holds: the refusal, and for `duplicate` the request that owns the key and the hash of its body. */
  why: (HoldRefusal | '' | null)[] | null
  /** Points of the holds that stand in the way. */
  held: (number | null)[] | null
  other: (number | null)[] | null
  body: (string | null)[] | null
}

const placeholders = ledgerBatchParameters.map((_, at) => `$${at + 1}`).join(', ')
const batchStatement = {
  name: 'ledger_batch_v3',
  text: `select ledger_batch_v3(${placeholders}) as answer`,
}

type StoredResponse = { settle: SettleOperation; responseId: string; credential: string }

/** The columns of `stored_answers` that a settle fills, in the order of the statement and of its values. */
const storedColumns: readonly {
  name: string
  type: string
  encode(rows: StoredResponse[]): string
}[] = [
  { name: 'id', type: 'text[]', encode: rows => textArray(rows, each => each.responseId) },
  {
    name: 'user_id',
    type: 'bigint[]',
    encode: rows => numberArray(rows, each => each.settle.userId),
  },
  {
    name: 'channel_id',
    type: 'bigint[]',
    encode: rows => numberArray(rows, each => each.settle.channelId),
  },
  { name: 'credential', type: 'text[]', encode: rows => textArray(rows, each => each.credential) },
  {
    name: 'request_id',
    type: 'bigint[]',
    encode: rows => numberArray(rows, each => each.settle.id),
  },
  {
    name: 'created_at',
    type: 'bigint[]',
    encode: rows => numberArray(rows, each => each.settle.at),
  },
]

const storedPlaceholders = storedColumns
  .map(({ type }, at) => `$${ledgerBatchParameters.length + at + 1}::${type}`)
  .join(', ')

/** A batch whose settles store responses: the same call, and the owners of the responses in the same statement. */
const storingStatement = {
  name: 'ledger_batch_v3_stored',
  text: `with stored as (
      insert into stored_answers (${storedColumns.map(({ name }) => name).join(', ')})
      select * from unnest(${storedPlaceholders})
      on conflict do nothing)
    ${batchStatement.text}`,
}

const storedValues = (settles: SettleOperation[]) => {
  const rows = settles.flatMap(settle =>
    (settle.stored?.ids ?? []).map(responseId => ({
      settle,
      responseId,
      credential: settle.stored?.credential ?? '',
    })),
  )
  return storedColumns.map(({ encode }) => encode(rows))
}

const settleOutcome = (result: BatchResult, at: number): Outcomes['settle'] => {
  const { total, short, late, unbounded } = result
  const shortfall = short?.[at] ?? 0
  return {
    ok: true,
    charged: total?.[at] ?? 0,
    shortfall,
    late: late?.[at] ?? false,
    ...(shortfall > 0 && unbounded?.[at] && { isUnbounded: true as const }),
  }
}

const checkpointOutcome = ({ granted }: BatchResult, at: number): Outcomes['checkpoint'] => {
  const points = granted?.[at] ?? -1
  return points < 0 ? { ok: false, why: 'gone' } : { ok: true, granted: points }
}

const holdOutcome = ({ why, held, other, body }: BatchResult, at: number): Outcomes['hold'] => {
  const refusal = why?.[at]
  if (!refusal) return { ok: true }
  if (refusal === 'held') return { ok: false, why: refusal, held: held?.[at] ?? 0 }
  if (refusal !== 'duplicate') return { ok: false, why: refusal }
  const requestId = other?.[at] ?? undefined
  const bodyHash = body?.[at] ?? undefined
  return { ok: false, why: refusal, ...(requestId && { requestId }), ...(bodyHash && { bodyHash }) }
}

/** One call is one transaction: no row stays locked when this process is stopped in between. */
export const makeRunBatch =
  (writer: WriterConnection): Engine['runBatch'] =>
  async (epoch, operations, isReplay) => {
    const batch = groupByKind(epoch, operations, isReplay)
    const values = ledgerBatchParameters.map(({ encode }) => encode(batch))
    const isStoring = batch.settles.some(each => each.stored)
    const result = writer.query(
      isStoring
        ? { ...storingStatement, values: [...values, ...storedValues(batch.settles)] }
        : { ...batchStatement, values },
    )
    if (isFailing()) await failpointWhenSent(result)
    const { rows } = await result
    failpoint('batch committed')
    return outcomesOf(operations, (rows[0] as { answer: BatchResult }).answer)
  }

/** Counts a step once the server has the statement and may commit it, whatever happens to this process. */
const failpointWhenSent = async (result: Promise<unknown>) => {
  const isRefused = result.then(
    () => false,
    () => true,
  )
  // Retries against an unavailable server are no steps.
  if (!(await Promise.race([isRefused, sleep(1, false)]))) failpoint('batch sent')
}

const outcomesOf = (operations: readonly LedgerOperation[], result: BatchResult): Outcome[] => {
  const at = { settle: 0, checkpoint: 0, hold: 0 }
  return operations.map(({ kind }) => {
    if (kind === 'settle') return settleOutcome(result, at.settle++)
    if (kind === 'checkpoint') return checkpointOutcome(result, at.checkpoint++)
    if (kind === 'hold') return holdOutcome(result, at.hold++)
    return { ok: true }
  })
}
