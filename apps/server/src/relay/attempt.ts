import { Fault } from '@hub/contract'
import { type Ask, type Dialect, dialectOf } from '@hub/dialects'
import { type Endpoint, pathUnder } from '@hub/providers'
import type { Held } from '../billing/held.ts'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import { billedAs, type Channel, sentAs } from './channels/channel.ts'
import { chooseCredential } from './channels/disable.ts'
import type { Bill } from './deliver/ending.ts'
import type { Delivered, Delivery } from './deliver/stream.ts'
import { deliverStream } from './deliver/stream.ts'
import { deliverWhole } from './deliver/whole.ts'
import type { Exchange } from './exchange.ts'
import { judgeFailure, readRetryAfter, type Verdict } from './judge.ts'
import { judgeTold } from './judge-told.ts'
import { keepingOf } from './kept/keep.ts'
import { type OwnAnswer, ownAnswerOf } from './kept/own-answer.ts'
import { operationOf, plan } from './plan.ts'
import { prepare } from './prepare.ts'
import { deliverRunning } from './stored/deliver.ts'
import { printOf } from './stored/holder.ts'
import type { Place } from './stored/place.ts'
import { translate } from './translate/translate.ts'
import type { Translation } from './translate/translation.ts'
import { decoded } from './upstream/decode.ts'
import { scrub } from './upstream/scrub.ts'
import { type Answer, type Outgoing, readSome, send } from './upstream/send.ts'

export type Task = {
  ask: Ask
  dialect: Dialect
  held: Held
  channel: Channel
  call: Call
  place: Place
}
type Trial = Task & {
  credential: string
  /** As the upstream calls it. */
  model: string
  endpoint: Endpoint
  /** Absent: the upstream speaks the caller's dialect, and bytes pass through. */
  translation: Translation | undefined
  /** Absent: its vendor's id is the caller's too. */
  own: OwnAnswer | undefined
}

/** What of a refusal is read. */
const refusalMax = 64 * 1024

/** One channel's try: undefined when the caller was answered, else what its failure means. */
export const attempt = async (
  app: App,
  exchange: Exchange,
  task: Task,
): Promise<Verdict | undefined> => {
  exchange.provider = task.channel.provider.id
  const trial = makeTrial(app, task)
  if (trial instanceof Fault) return failed(app, trial)
  const told = await request(app, exchange, trial)
  exchange.onStop = undefined
  const answer = told instanceof Fault ? told : readable(told)
  if (answer instanceof Fault) return failed(app, answer)
  if (answer.status < 200 || answer.status > 299) return refused(app, trial, answer)
  const delivered = await deliver(app, exchange, trial, answer)
  return delivered.ok ? undefined : judgeDelivered(app, trial, delivered)
}

const judgeDelivered = (
  app: App,
  trial: Trial,
  { fault, failure }: Extract<Delivered, { ok: false }>,
): Verdict => (failure === undefined ? failed(app, fault) : judgeStreamed(app, trial, failure))

/** A failure that the upstream told under a good status. */
const judgeStreamed = (app: App, trial: Trial, failure: unknown): Verdict =>
  judgeTold(app, wordsOf(trial), undefined, Buffer.from(JSON.stringify(failure)), undefined)

/** What is no fault is a mistake of ours. */
const asFault = (error: unknown): Fault => {
  if (error instanceof Fault) return error
  throw error
}

const readable = (answer: Answer): Answer | Fault => {
  try {
    return decoded(answer)
  } catch (error) {
    return asFault(error)
  }
}

const makeTrial = (app: App, task: Task): Trial | Fault => {
  try {
    return trialOf(app, task)
  } catch (error) {
    return asFault(error)
  }
}

const trialOf = (app: App, task: Task): Trial => {
  const { ask, dialect, held, channel, call, place } = task
  const model = sentAs(channel, ask.model)
  const operation = operationOf(dialect)
  const asked = { operation, speaks: dialect.id, model, lacks: channel.lacks }
  const { endpoint: usual, mode } = plan(channel.provider, asked)
  const { under } = place
  const endpoint = under === undefined ? usual : { ...usual, path: pathUnder(usual.path, under) }
  // The same bytes serve only where the dialect is in its usual form, and its stream cut in the usual way.
  const isUsual =
    operation !== 'chat' || (dialect === dialectOf(dialect.id) && endpoint.framing === 'sse')
  // Bytes that pass would tell the vendor's id; and who kept the conversation may not be who goes on with it.
  const own = ownAnswerOf(app, { ask, place, endpoint })
  const translation =
    mode === 'pass' && isUsual && !own
      ? undefined
      : translate(app, { ask, from: dialect, endpoint, channel, model, own })
  const credential = place.credential ?? chooseCredential(app, channel)
  return {
    ask,
    dialect,
    held,
    channel,
    call,
    place,
    credential,
    model,
    endpoint,
    translation,
    own,
  }
}

/** The upstream's answer, or why there is none. */
const request = (app: App, exchange: Exchange, trial: Trial): Promise<Answer | Fault> | Fault => {
  if (exchange.stopped) return new Fault('upstream.broken', { detail: exchange.stopped })
  try {
    const sending = send(app, outgoing(app, exchange, trial))
    exchange.onStop = sending.drop
    return sending.answer
  } catch (error) {
    return asFault(error)
  }
}

const outgoing = (app: App, { request }: Exchange, trial: Trial): Outgoing => {
  const { channel, credential, model, endpoint, translation } = trial
  const { ask, dialect } = translation ? { ask: translation.ask, dialect: translation.to } : trial
  // What a caller says in headers is said in its own dialect.
  const rawHeaders = translation ? [] : request.rawHeaders
  return prepare(app, { ask, dialect, channel, credential, model, endpoint, rawHeaders })
}

/** Who wrote the answer, for reading what a refusal says. */
const wordsOf = ({ ask, dialect, translation, channel, credential }: Trial) => ({
  ask,
  dialect: translation?.to ?? dialect,
  channel,
  credential,
})

const noNotes: readonly string[] = []

const deliver = (
  app: App,
  exchange: Exchange,
  trial: Trial,
  answer: Answer,
): Promise<Delivered> => {
  const { ask, dialect, held, channel, translation, own } = trial
  const billedModel = billedAs(channel, ask.model)
  const notes = translation?.notes ?? noNotes
  const bill = { ask, billedModel, channelId: channel.id, notes, keeper: keeperOf(app, trial) }
  const faultOf = (failure: unknown) => judgeStreamed(app, trial, failure).fault
  if (ask.state?.background) {
    const { call, credential } = trial
    const isStream = ask.stream && !isJson(answer)
    const print = printOf(app, channel, credential)
    const running = { call, answer, dialect, bill, held, credential: print, isStream, faultOf }
    return deliverRunning(app, exchange, running)
  }
  const keep = own && keepingOf(app, trial, own)
  const delivery: Delivery = { answer, dialect, translation, bill, held, faultOf, keep }
  return ask.stream && !isJson(answer)
    ? deliverStream(app, exchange, delivery)
    : deliverWhole(app, exchange, delivery)
}

/** Which account keeps the answer, where it is kept at all. */
const keeperOf = (app: App, trial: Trial): Bill['keeper'] => {
  const { ask, channel, credential, endpoint, translation, place } = trial
  const isKept = ask.state?.store && !translation && place.under === undefined
  if (!isKept || !endpoint.keeps?.includes('answers')) return undefined
  return { credential: printOf(app, channel, credential), conversation: ask.state?.conversation }
}

const typeOf = (answer: Answer): string => String(answer.headers['content-type'] ?? '')

/** A stream that was asked for and came as one JSON body is nearly always an error under a good status. */
const isJson = (answer: Answer) => typeOf(answer).startsWith('application/json')

const failed = (app: App, fault: Fault): Verdict =>
  judgeFailure(fault, app.settings().retry.RetryCooldownSeconds)

const refused = async (app: App, trial: Trial, answer: Answer): Promise<Verdict> => {
  const retryAfter = readRetryAfter(answer.headers['retry-after'], app.now())
  const body = await readSome(answer, refusalMax).catch(() => Buffer.alloc(0))
  const verdict = judgeTold(app, wordsOf(trial), answer.status, body, retryAfter)
  const isCallers = !verdict.canRetry || answer.status === 404
  const isPassable = isCallers && !trial.translation && isJson(answer) && body.length > 0
  if (!isPassable) return verdict
  return {
    ...verdict,
    told: { status: answer.status, type: typeOf(answer), body: scrub(body, trial) },
  }
}
