import { Fault } from '@hub/contract'
import type { Ask, Dialect } from '@hub/dialects'
import type { Keeping } from '@hub/providers'
import type { App } from '../../core/app.ts'
import * as background from '../../db/queries/background.ts'
import * as stored from '../../db/queries/stored.ts'
import { admitting } from '../admit.ts'
import { roster } from '../channels/roster.ts'
import { type Exchange, writeWhole } from '../exchange.ts'
import { identify } from '../identify.ts'
import { judgeTold } from '../judge-told.ts'
import { serveKept } from '../kept/serve.ts'
import { decoded } from '../upstream/decode.ts'
import { scrub } from '../upstream/scrub.ts'
import { type Answer, readSome } from '../upstream/send.ts'
import { settleSeen } from './background.ts'
import { settleEnd } from './deliver.ts'
import { credentialOf, findHolder, isOurs } from './holder.ts'
import { keepingEndpoint } from './keeping.ts'
import { answerMax, look } from './look.ts'
import { type Account, askKept, type KeptRequest } from './request.ts'
import { pipeKept } from './stream.ts'

/** What can be done with an answer that is kept. */
const operations: Readonly<
  Record<string, { method: KeptRequest['method']; under: string; what: Keeping }>
> = {
  answer: { method: 'GET', under: '', what: 'answers' },
  'answer-delete': { method: 'DELETE', under: '', what: 'answers' },
  'answer-input': { method: 'GET', under: '/input_items', what: 'input' },
  'answer-cancel': { method: 'POST', under: '/cancel', what: 'background' },
}

/**
 * Reads, lists, stops or removes an answer that its vendor keeps: for its owner alone, from the account that has it, and
 * free of charge. Where it shows that a background answer has ended, that is charged before the caller sees it.
 */
export const relayKept = async (app: App, exchange: Exchange, dialect: Dialect): Promise<void> => {
  // Of a body, where one came, nothing is needed.
  exchange.request.resume()
  const { token } = await identify(app, exchange)
  await admitting(app, exchange, dialect, token, () =>
    serve(app, exchange, dialect, token.caller.userId),
  )
}

type Kept = { id: string; dialect: Dialect; account: Account }

const serve = async (app: App, exchange: Exchange, dialect: Dialect, userId: number) => {
  const id = /\/responses\/([^/]+)/.exec(exchange.path)?.[1] ?? ''
  const holder = await findHolder(app, userId, id)
  if (!holder) throw new Fault('response.unknown')
  if (isOurs(holder)) return serveKept(app, exchange, { userId, id })
  const { what } = operations[exchange.operation]!
  const channel = (await roster(app).get()).byId.get(holder.channel_id)
  const credential = channel && credentialOf(app, channel, holder.credential)
  if (!channel || credential === undefined) throw new Fault('response.gone')
  const endpoint = keepingEndpoint(channel, { dialect: dialect.id, what })
  if (!endpoint)
    throw new Fault('operation.unsupported', { detail: `channel ${channel.id}: ${what}` })
  exchange.provider = channel.provider.id
  if (exchange.operation === 'answer-delete') await refuseRunning(app, id)
  await pass(app, exchange, { id, dialect, account: { channel, credential, endpoint } })
}

/** Once it is deleted nobody could say what it cost. */
const refuseRunning = async (app: App, id: string) => {
  const row = await background.findByAnswer(app.db, id)
  if (row && (await look(app, row)) !== 'ended')
    throw new Fault('response.running', { hint: 'Cancel it, or wait until it has ended.' })
}

const pass = async (app: App, exchange: Exchange, kept: Kept) => {
  const answer = await ask(app, exchange, kept)
  if (answer.status < 200 || answer.status > 299) return refuse(app, exchange, kept, answer)
  if (typeOf(answer).startsWith('text/event-stream')) return passStream(app, exchange, kept, answer)
  const body = await whole(exchange, answer)
  await conclude(app, exchange, kept, body)
  writeWhole(exchange, answer.status, ['content-type', typeOf(answer)], body)
}

const ask = async (app: App, exchange: Exchange, { id, account }: Kept): Promise<Answer> => {
  if (exchange.stopped) throw new Fault('upstream.broken', { detail: exchange.stopped })
  const { method, under } = operations[exchange.operation]!
  const { query, request } = exchange
  const { rawHeaders } = request
  const sending = askKept(app, account, { method, under: `/${id}${under}`, query, rawHeaders })
  exchange.onStop = sending.drop
  const told = await sending.answer
  exchange.onStop = undefined
  if (told instanceof Fault) throw told
  return decoded(told)
}

const typeOf = ({ headers }: Answer): string => String(headers['content-type'] ?? '')

const whole = (exchange: Exchange, answer: Answer, max = answerMax) =>
  new Promise<Buffer>((resolve, reject) => {
    exchange.onStop = why => {
      answer.drop()
      reject(new Fault('upstream.broken', { detail: why }))
    }
    readSome(answer, max).then(resolve, reject)
  }).finally(() => {
    exchange.onStop = undefined
  })

/** What the answer means for what is remembered of it. */
const conclude = async (app: App, { operation }: Exchange, { id, dialect }: Kept, body: Buffer) => {
  if (operation === 'answer-delete') return stored.remove(app.db, id)
  if (operation === 'answer-input') return
  const row = await background.findByAnswer(app.db, id)
  if (row) await settleSeen(app, row, dialect, body)
}

const passStream = async (app: App, exchange: Exchange, kept: Kept, answer: Answer) => {
  const { id, dialect } = kept
  const delivered = await pipeKept(app, exchange, {
    answer,
    dialect,
    tap: dialect.tap(nothingAsked),
    faultOf: failure => judged(app, kept, undefined, Buffer.from(JSON.stringify(failure))).fault,
    end: last => settleEnd(app, { answerId: id, dialect, last }),
  })
  if (!delivered.ok) throw delivered.fault
}

/** A stream that is read again was asked for by another call. */
const nothingAsked: Ask = {
  model: '',
  stream: true,
  outputMax: undefined,
  n: 1,
  hasTools: false,
  wantsUsage: true,
  promptTokens: 0,
  places: new Map(),
  body: Buffer.alloc(0),
}

const refusalMax = 64 * 1024

const judged = (app: App, { dialect, account }: Kept, status: number | undefined, body: Buffer) =>
  judgeTold(app, { ...account, ask: nothingAsked, dialect }, status, body, undefined)

/** What the vendor says of the answer itself is told as it came. */
const refuse = async (app: App, exchange: Exchange, kept: Kept, answer: Answer) => {
  const body = await whole(exchange, answer, refusalMax)
  const verdict = judged(app, kept, answer.status, body)
  const type = typeOf(answer)
  const isTold = (!verdict.canRetry || answer.status === 404) && type.startsWith('application/json')
  if (isTold) exchange.told = { status: answer.status, type, body: scrub(body, kept.account) }
  throw verdict.fault
}
