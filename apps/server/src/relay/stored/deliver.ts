import { Fault } from '@hub/contract'
import type { Dialect } from '@hub/dialects'
import type { Ending, Held } from '../../billing/held.ts'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as background from '../../db/queries/background.ts'
import { type Bill, makeEnding } from '../deliver/ending.ts'
import type { Delivered } from '../deliver/stream.ts'
import { type Exchange, writeWhole } from '../exchange.ts'
import { type Answer, readSome } from '../upstream/send.ts'
import { isTerminal, leaveRunning, noteRead, settleSeen } from './background.ts'
import { answerMax, look } from './look.ts'
import { pipeKept } from './stream.ts'

export type LeavingDelivery = {
  call: Call
  answer: Answer
  dialect: Dialect
  bill: Bill
  held: Held
  /** A fingerprint of the credential that was used. */
  credential: string
  isStream: boolean
  faultOf(failure: unknown): Fault
}

/** The beginning of an answer that is made in the background: the caller learns its id once the hold is left to it. */
export const deliverRunning = (
  app: App,
  exchange: Exchange,
  delivery: LeavingDelivery,
): Promise<Delivered> =>
  delivery.isStream ? streamRunning(app, exchange, delivery) : wholeRunning(app, exchange, delivery)

const streamRunning = (app: App, exchange: Exchange, delivery: LeavingDelivery) => {
  const { answer, dialect, bill, faultOf } = delivery
  let id = ''
  return pipeKept(app, exchange, {
    answer,
    dialect,
    tap: dialect.tap(bill.ask),
    faultOf,
    begin: answerId => {
      id = answerId
      return leaveRunning(app, { ...delivery, answerId })
    },
    end: last => settleEnd(app, { answerId: id, dialect, last }),
    broke: metered =>
      void noteRead(app, id, metered).catch((error: unknown) =>
        app.log.warn(
          { err: error, request: delivery.call.id },
          'what was read is not written down',
        ),
      ),
  })
}

type Ended = { answerId: string; dialect: Dialect; last: Buffer }

/** The last frame of a stream says what the answer is: what it cost is charged before the end is seen. */
export const settleEnd = async (app: App, { answerId, dialect, last }: Ended): Promise<void> => {
  const row = await background.findByAnswer(app.db, answerId)
  if (!row) return
  try {
    if (!(await settleSeen(app, row, dialect, answerIn(last)))) await look(app, row)
  } catch (error) {
    // What fails here is done later: the hold is on disk, and so is who owes it.
    app.log.warn({ err: error, request: row.request_id }, 'a background call is charged later')
  }
}

/** https://platform.openai.com/docs/api-reference/responses-streaming/response/completed */
const answerIn = (frame: Buffer): Buffer => {
  const line = frame
    .toString()
    .split(/\r?\n/)
    .find(each => each.startsWith('data:'))
  const said: unknown = line === undefined ? {} : JSON.parse(line.slice('data:'.length))
  return Buffer.from(JSON.stringify((said as { response?: unknown }).response ?? {}))
}

const wholeRunning = async (
  app: App,
  exchange: Exchange,
  delivery: LeavingDelivery,
): Promise<Delivered> => {
  const { answer, dialect, held } = delivery
  const body = await readSome(answer, answerMax).catch((error: unknown) => asFault(error))
  if (body instanceof Fault) return { ok: false, fault: body }
  const facts = dialect.readReply(body)
  if (!facts.ok && facts.failure === undefined)
    return { ok: false, fault: new Fault('upstream.garbage', { detail: 'not an answer' }) }
  const { id, status } = JSON.parse(body.toString()) as { id?: unknown; status?: unknown }
  if (!facts.ok && typeof id !== 'string')
    return { ok: false, fault: delivery.faultOf(facts.failure), failure: facts.failure }
  exchange.firstByteAt ??= app.monotonic()
  if (isTerminal(status) && facts.ok) await held.settle(endingOf(app, exchange, delivery, facts))
  else await leaveRunning(app, { ...delivery, answerId: String(id) })
  writeWhole(exchange, 200, ['content-type', 'application/json'], body)
  return { ok: true }
}

type Facts = Extract<ReturnType<Dialect['readReply']>, { ok: true }>

/** It was there at once. */
const endingOf = (
  app: App,
  exchange: Exchange,
  { bill }: LeavingDelivery,
  { usage, metered, answerId }: Facts,
): Ending =>
  makeEnding(app, exchange, bill, { reported: usage, metered, finish: 'complete', answerId })

const asFault = (error: unknown): Fault => {
  if (error instanceof Fault) return error
  throw error
}
