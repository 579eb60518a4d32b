import { setTimeout as sleep } from 'node:timers/promises'
import { failpoint, isFailing } from '../../../lib/failpoint.ts'
import type {
  CheckpointOperation,
  HoldOperation,
  HoldRefusal,
  Operation,
  Outcome,
  Outcomes,
  SettleOperation,
} from '../../operations.ts'
import type { Engine } from '../engine.ts'
import { numbers, texts } from './arrays.ts'
import type { WriterConnection } from './connection.ts'

type Answer = {
  total: number[] | null
  short: number[] | null
  late: boolean[] | null
  granted: number[] | null
  why: (HoldRefusal | '' | null)[] | null
  other: (number | null)[] | null
  body: (string | null)[] | null
}

const parametersCount = 41
const placeholders = Array.from({ length: parametersCount }, (_, at) => `$${at + 1}`).join(', ')
const statement = {
  name: 'ledger_batch_v1',
  text: `select ledger_batch_v1(${placeholders}) as answer`,
}

/** Where something was stored: the same call, and in the same statement what is to be remembered of it. */
const storedPlaceholders = Array.from({ length: 6 }, (_, at) => `$${parametersCount + at + 1}`)
const storing = {
  name: 'ledger_batch_v1_stored',
  text: `with stored as (
      insert into stored_answers (id, user_id, channel_id, credential, request_id, created_at)
      select * from unnest(${storedPlaceholders
        .map((each, at) => `${each}::${at === 0 || at === 3 ? 'text' : 'bigint'}[]`)
        .join(', ')})
      on conflict do nothing)
    ${statement.text}`,
}

const storedColumns = (settles: SettleOperation[]) => {
  const rows = settles.flatMap(({ stored, ...of }) =>
    (stored?.ids ?? []).map(key => ({ ...of, key, credential: stored?.credential ?? '' })),
  )
  return [
    texts(rows, each => each.key),
    numbers(rows, each => each.userId),
    numbers(rows, each => each.channelId),
    texts(rows, each => each.credential),
    numbers(rows, each => each.id),
    numbers(rows, each => each.at),
  ]
}

const settleColumns = (settles: SettleOperation[]) => [
  numbers(settles, each => each.id),
  numbers(settles, each => each.userId),
  numbers(settles, each => each.tokenId),
  numbers(settles, each => each.channelId),
  numbers(settles, each => each.charge),
  numbers(settles, each => each.priceId),
  numbers(settles, each => each.at),
  texts(settles, each => each.usage),
]

const logColumns = (settles: SettleOperation[]) => {
  const of = settles.flatMap(({ log }, at) => (log ? [{ log, at: at + 1 }] : []))
  return [
    numbers(of, each => each.at),
    numbers(of, each => each.log.id),
    numbers(of, each => each.log.user_id),
    numbers(of, each => each.log.created_at),
    numbers(of, each => each.log.type),
    texts(of, each => each.log.content),
    texts(of, each => each.log.username),
    texts(of, each => each.log.token_name),
    texts(of, each => each.log.model_name),
    numbers(of, each => each.log.prompt_tokens),
    numbers(of, each => each.log.completion_tokens),
    numbers(of, each => each.log.channel_id),
    numbers(of, each => each.log.request_time),
    numbers(of, each => each.log.is_stream),
    texts(of, each => each.log.source_ip),
    texts(of, each => each.log.metadata),
  ]
}

const checkpointColumns = (checkpoints: CheckpointOperation[]) => [
  numbers(checkpoints, each => each.id),
  numbers(checkpoints, each => each.accrued),
  numbers(checkpoints, each => each.want),
  texts(checkpoints, each => each.usage),
]

const holdColumns = (holds: HoldOperation[]) => [
  numbers(holds, each => each.id),
  numbers(holds, each => each.userId),
  numbers(holds, each => each.tokenId),
  numbers(holds, each => each.amount),
  numbers(holds, each => each.priceId),
  numbers(holds, each => each.at),
  texts(holds, each => each.idempotency?.keyHash),
  texts(holds, each => each.idempotency?.bodyHash),
]

const settleOutcome = ({ total, short, late }: Answer, at: number): Outcomes['settle'] => ({
  ok: true,
  charged: total?.[at] ?? 0,
  shortfall: short?.[at] ?? 0,
  late: late?.[at] ?? false,
})

const checkpointOutcome = ({ granted }: Answer, at: number): Outcomes['checkpoint'] => {
  const given = granted?.[at] ?? -1
  return given < 0 ? { ok: false, why: 'gone' } : { ok: true, granted: given }
}

const holdOutcome = ({ why, other, body }: Answer, at: number): Outcomes['hold'] => {
  const refusal = why?.[at]
  if (!refusal) return { ok: true }
  if (refusal !== 'duplicate') return { ok: false, why: refusal }
  const requestId = other?.[at] ?? undefined
  const bodyHash = body?.[at] ?? undefined
  return { ok: false, why: refusal, ...(requestId && { requestId }), ...(bodyHash && { bodyHash }) }
}

const ofKind = <K extends Operation['kind']>(operations: readonly Operation[], kind: K) =>
  operations.filter((each): each is Extract<Operation, { kind: K }> => each.kind === kind)

/** One call, one transaction: nothing stays locked when this process is stopped in the middle. */
export const ledgerBatchOf =
  (writer: WriterConnection): Engine['batch'] =>
  async (epoch, operations, replay) => {
    const settles = ofKind(operations, 'settle')
    const recovers = ofKind(operations, 'recover')
    const values = [
      epoch,
      replay,
      ...settleColumns(settles),
      ...logColumns(settles),
      numbers(ofKind(operations, 'void'), each => each.id),
      numbers(recovers, each => each.id),
      numbers(recovers, each => each.at),
      ...checkpointColumns(ofKind(operations, 'checkpoint')),
      ...holdColumns(ofKind(operations, 'hold')),
    ]
    const isStoring = settles.some(each => each.stored)
    const asked = writer.query(
      isStoring
        ? { ...storing, values: [...values, ...storedColumns(settles)] }
        : { ...statement, values },
    )
    if (isFailing()) await sent(asked)
    const { rows } = await asked
    failpoint('batch committed')
    return outcomesOf(operations, (rows[0] as { answer: Answer }).answer)
  }

/** The server has the question and may commit it, whatever becomes of us. */
const sent = async (asked: Promise<unknown>) => {
  const isRefused = asked.then(
    () => false,
    () => true,
  )
  // A server that is away is asked again and again: that is no step.
  if (!(await Promise.race([isRefused, sleep(1, false)]))) failpoint('batch sent')
}

const outcomesOf = (operations: readonly Operation[], answer: Answer): Outcome[] => {
  const at = { settle: 0, checkpoint: 0, hold: 0 }
  return operations.map(({ kind }) => {
    if (kind === 'settle') return settleOutcome(answer, at.settle++)
    if (kind === 'checkpoint') return checkpointOutcome(answer, at.checkpoint++)
    if (kind === 'hold') return holdOutcome(answer, at.hold++)
    return { ok: true }
  })
}
