import { Fault } from '@hub/contract'
import { openaiChat, openaiEmbeddings } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { findChannel, noteTest } from '../../db/queries/relay-channels.ts'
import { timers } from '../clock.ts'
import { judgeTold } from '../judge-told.ts'
import { operationOfModel } from '../model-kind.ts'
import { operationOf, plan } from '../plan.ts'
import { prepare } from '../prepare.ts'
import { translate } from '../translate/translate.ts'
import { decoded } from '../upstream/decode.ts'
import { closePools } from '../upstream/pools.ts'
import { readSome, send } from '../upstream/send.ts'
import { type Channel, decodeChannel, sentAs } from './channel.ts'
import { disable } from './disable.ts'

const replyMax = 1024 * 1024
/** A test that takes longer has failed, whatever live traffic may take. */
const testMaxMs = 60_000

export type Tested =
  | { ok: true; model: string; ms: number }
  /** `isRefused`: the vendor refused the credential, so that no other call can do better. */
  | { ok: false; fault: Fault; reason: string; isRefused: boolean }

/** One small call through a channel, also a disabled one: a chat, or what the model's name says. It is charged to nobody. */
export const testChannel = async (app: App, id: number, wanted?: string) => {
  const tested = await tryChannel(app, id, wanted)
  if (tested.ok) return { time: tested.ms / 1_000, model: tested.model }
  throw new Fault('channel.test-failed', { cause: tested.fault, hint: tested.reason })
}

/** The same, told instead of thrown. A refused credential disables the channel, if the operator wants that. */
export const tryChannel = async (app: App, id: number, wanted?: string): Promise<Tested> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw new Fault('provider.unknown')
  const model = wanted || channel.testModel || channel.models.find(each => !each.endsWith('*'))
  if (!model) throw new Fault('channel.test-failed', { hint: 'Name a model to test with.' })
  const startedAt = app.monotonic()
  const failed = await call(app, channel, model).finally(() => closePools(app, channel))
  if (failed) {
    const mayDisable = app.settings().channels.AutomaticDisableChannelEnabled
    if (failed.isRefused && mayDisable) await disable(app, channel, `test: ${failed.reason}`)
    return { ok: false, ...failed }
  }
  const ms = Math.max(1, Math.round(app.monotonic() - startedAt))
  await noteTest(app.db, id, { at: Math.floor(app.now() / 1_000), ms })
  return { ok: true, model, ms }
}

type Failed = Omit<Extract<Tested, { ok: false }>, 'ok'>

const questions = {
  chat: {
    from: openaiChat,
    body: { messages: [{ role: 'user', content: 'Answer with the word "hi".' }] },
  },
  embeddings: { from: openaiEmbeddings, body: { input: 'hi' } },
}

const call = async (app: App, channel: Channel, model: string): Promise<Failed | undefined> => {
  const credential = channel.credentials[0]!
  const sentModel = sentAs(channel, model)
  const { from, body: question } = questions[operationOfModel(sentModel)]
  const read = from.read(Buffer.from(JSON.stringify({ model, ...question })))
  if (!read.ok) throw new Fault('request.invalid', { hint: read.hint })
  const asked = { operation: operationOf(from), speaks: from.id, model: sentModel }
  try {
    const { endpoint, mode } = plan(channel.provider, asked)
    const telling = { ask: read.ask, from, endpoint, channel, model: sentModel }
    const { ask, to: dialect } =
      mode === 'pass' ? { ask: read.ask, to: from } : translate(app, telling)
    const parts = { ask, dialect, channel, credential, endpoint, model: sentModel, rawHeaders: [] }
    const { status, body } = await exchange(app, prepare(app, parts))
    if (status === 200 && dialect.readReply(body).ok) return undefined
    const verdict = judgeTold(app, { ask, dialect, channel, credential }, status, body, undefined)
    const { message } = dialect.decodeFault(body)
    const isRefused = verdict.refused !== undefined
    const told = message === '' ? `Status ${status}, and not an answer.` : verdict.fault.detail
    const reason = verdict.reason || (told ?? '')
    return { fault: verdict.fault, reason: reason.slice(0, 300), isRefused }
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    return { fault, reason: fault.message, isRefused: false }
  }
}

const exchange = async (app: App, out: Parameters<typeof send>[1]) => {
  const sending = send(app, out)
  const wheel = timers(app)
  const limit = wheel.start(testMaxMs, () => sending.drop())
  try {
    const told = await sending.answer
    if (told instanceof Fault) throw told
    const answer = decoded(told)
    return { status: answer.status, body: await readSome(answer, replyMax) }
  } finally {
    wheel.stop(limit)
  }
}
