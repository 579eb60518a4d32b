import { Fault } from '@hub/contract'
import type { Ask, Counting, Dialect } from '@hub/dialects'
import { type Counting as Counter, deepEdits, topEdits } from '@hub/providers'
import type { App } from '../core/app.ts'
import { admitModel, admitting } from './admit.ts'
import { readBody } from './body.ts'
import { type Channel, sentAs } from './channels/channel.ts'
import { pickCounting } from './channels/counting.ts'
import { chooseCredential } from './channels/disable.ts'
import { type Exchange, writeWhole } from './exchange.ts'
import { type Identity, identify } from './identify.ts'
import { judgeTold } from './judge-told.ts'
import { goOn } from './kept/going-on.ts'
import { placeFor } from './stored/place.ts'
import { unreadable } from './translate/translation.ts'
import { decoded } from './upstream/decode.ts'
import { forwardedHeaders, setHeaders } from './upstream/headers.ts'
import { scrub } from './upstream/scrub.ts'
import { type Answer, type Outgoing, readSome, send } from './upstream/send.ts'
import { signed } from './upstream/sign.ts'

/** A count, or a refusal, is short. */
const answerMax = 64 * 1024
const json = ['content-type', 'application/json; charset=utf-8']

/**
 * How many tokens a prompt has: as a vendor of the caller's dialect counts them, else by the gateway's own cautious
 * estimate. It is a request like any other to the limits, and costs nothing.
 */
export const relayCount = async (app: App, exchange: Exchange, dialect: Dialect): Promise<void> => {
  const identity = await identify(app, exchange)
  await admitting(app, exchange, dialect, identity.token, () =>
    serve(app, exchange, identity, dialect),
  )
}

const serve = async (app: App, exchange: Exchange, identity: Identity, dialect: Dialect) => {
  const { counting } = dialect
  if (!counting) throw new Fault('operation.unsupported', { detail: exchange.path })
  const read = dialect.read(await readBody(app, exchange), exchange.named)
  if (!read.ok) throw unreadable(read)
  const told = await askVendor(app, exchange, identity, { ask: read.ask, dialect, counting })
  const own = () => Buffer.from(JSON.stringify(counting.encodeReply(read.ask.promptTokens)))
  writeWhole(exchange, 200, json, told ?? own())
}

type Count = { ask: Ask; dialect: Dialect; counting: Counting }
type Trial = Count & {
  channel: Channel
  counter: Counter
  credential: string
  /** As the upstream calls it. */
  model: string
}

/** The vendor's own answer; undefined: nobody counts in this dialect, or not now. */
const askVendor = async (
  app: App,
  exchange: Exchange,
  { token, pin }: Identity,
  count: Count,
): Promise<Buffer | undefined> => {
  const { ask, dialect } = count
  const model = plainName(ask.model)
  admitModel(token, model)
  const { id, ip, startedAt } = exchange
  const call = { id, caller: token.caller, ip, startedAt, pin }
  const asked = { ask: { ...ask, model }, dialect, isCompaction: false }
  const { serving, credential: holder, previous } = await placeFor(app, call, asked)
  // A conversation that is kept here is in nobody's own words: the gateway counts it.
  if (previous !== undefined) {
    const told = await goOn(app, exchange, { ...asked, call, previous })
    return Buffer.from(JSON.stringify(count.counting.encodeReply(told.ask.promptTokens)))
  }
  const wanted = { model, hasTools: ask.hasTools, dialect: dialect.id, serving }
  const found = pickCounting(app, call, wanted)
  if (!found) return unknown(holder)
  const { channel } = found
  exchange.provider = channel.provider.id
  const credential = holder ?? chooseCredential(app, channel)
  const trial = { ...count, ...found, credential, model: sentAs(channel, model) }
  const answer = await request(app, exchange, trial)
  if (exchange.stopped) throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  return (answer && read(app, exchange, trial, answer)) ?? unknown(holder)
}

/** The gateway's own count; of what a vendor keeps nobody but that vendor can have one. */
const unknown = (holder: string | undefined): undefined => {
  if (holder === undefined) return undefined
  throw new Fault('operation.unsupported', { hint: 'Its account does not count what it keeps.' })
}

/** What follows a `#` is for the answer, which nobody makes here. */
const plainName = (name: string) =>
  name.indexOf('#') > 0 ? name.slice(0, name.indexOf('#')) : name

type Told = { status: number; type: string; body: Buffer }

const request = async (app: App, exchange: Exchange, trial: Trial): Promise<Told | undefined> => {
  if (exchange.stopped) return undefined
  try {
    const sending = send(app, outgoing(app, exchange, trial))
    exchange.onStop = sending.drop
    const told = await sending.answer
    if (told instanceof Fault) return undefined
    const answer = decoded(told)
    const type = String(answer.headers['content-type'] ?? '')
    return { status: answer.status, type, body: await whole(exchange, answer) }
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  } finally {
    exchange.onStop = undefined
  }
}

const whole = (exchange: Exchange, answer: Answer) =>
  new Promise<Buffer>((resolve, reject) => {
    exchange.onStop = why => {
      answer.drop()
      reject(new Fault('upstream.broken', { detail: why }))
    }
    readSome(answer, answerMax).then(resolve, reject)
  })

/** The caller's own bytes. What the operator adds to a request is for answers: a vendor would refuse it here. */
const outgoing = (app: App, exchange: Exchange, trial: Trial): Outgoing => {
  const { ask, dialect, channel, credential, counter, model } = trial
  const headers = setHeaders(forwardedHeaders(exchange.request.rawHeaders), {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
  })
  for (const [name, value] of Object.entries(channel.provider.headers))
    if (!headers.includes(name)) headers.push(name, value)
  const { path, quirks } = counter
  const edits = topEdits(quirks, ask, model, model === ask.model ? {} : { model })
  const body = deepEdits(quirks, dialect.splice(ask, edits), model)
  return signed(
    app,
    { channel, credential, path, model, stream: false },
    { method: 'POST', headers: setHeaders(headers, channel.headers), body },
  )
}

/** What the vendor says against the prompt itself is told as it came; other refusals say nothing about it. */
const read = (app: App, exchange: Exchange, trial: Trial, told: Told): Buffer | undefined => {
  const { status, type, body } = told
  if (!type.startsWith('application/json')) return undefined
  if (status === 200)
    return trial.counting.decodeReply(parsed(body)) === undefined ? undefined : body
  // A key that may not count may still answer: neither channel nor credential is blamed.
  const verdict = judgeTold(app, trial, status, body, undefined)
  if (verdict.canRetry) return undefined
  exchange.told = { status, type, body: scrub(body, trial) }
  throw verdict.fault
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
