import { Fault, type FaultCode } from '@hub/contract'
import type { Ask, ChatRequest, Dialect, Tap, Unreadable, Upstream } from '@hub/dialects'
import { dialectOf, dropBareThoughts } from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import type { Channel } from '../channels/channel.ts'
import type { OwnAnswer } from '../kept/own-answer.ts'
import { wordsOf } from './notes.ts'
import { type ToldReply, translateReply } from './reply.ts'
import { type Manner, translatingTap } from './stream.ts'

/** A call that is told to its upstream in another dialect. */
export type Translation = {
  /** The upstream's dialect. */
  to: Upstream
  /** The request as the upstream gets it. */
  ask: Ask
  /** What it could not be told. */
  notes: readonly string[]
  /** Its stream, told to the caller. */
  tap(manner: Manner): Tap
  /** Its whole answer; throws where that is none. */
  reply(body: Buffer, manner: Pick<Manner, 'createdAt' | 'id'>): ToldReply
}

const codes: Record<Unreadable['why'], FaultCode> = {
  unreadable: 'request.unreadable',
  invalid: 'request.invalid',
  ambiguous: 'request.ambiguous',
  'too-deep': 'request.too-deep',
}

export const unreadable = ({ why, hint }: Unreadable): Fault => new Fault(codes[why], { hint })

export type Telling = {
  ask: Ask
  from: Dialect
  endpoint: Endpoint
  channel: Channel
  /** As the upstream calls it: what it knows shows in its name. */
  model: string
  /** What the caller is told of an answer that the gateway keeps. */
  own?: OwnAnswer | undefined
}

/** The request in the upstream's own words. Throws `request.*` where the caller's body cannot be understood. */
export const translateChat = (
  app: App,
  { ask, from, endpoint, channel, model, own }: Telling,
): Translation => {
  const to = dialectOf(endpoint.dialect)
  const named = { model, stream: ask.stream }
  const body: unknown = JSON.parse(ask.body.toString())
  const hasDropped = own !== undefined && from.id === to.id && dropBareThoughts(body)
  const read = from.decodeRequest(body, named)
  if (!read.ok) throw unreadable(read)
  const { request } = read
  // No vendor is to keep what the gateway keeps.
  if (own) delete request.store
  if (from.id !== to.id) refuseStateful(from, request)
  request.model = model
  request.stream = ask.stream
  const { budgetShare, outputMaxOf } = aimOf(app)
  const written = to.encodeRequest(request, {
    budgetShare,
    outputMaxOf,
    keepsExtra: channel.keepsExtra,
  })
  const sent = to.read(Buffer.from(JSON.stringify(written.body)), named)
  if (!sent.ok) throw new Fault('server.failed', { detail: `${to.id} wrote: ${sent.hint}` })
  const told = own ? toldOf(from, request, own) : request
  const spoken = { from, to, framing: endpoint.framing, request: told, id: own?.id }
  return {
    to,
    ask: ask.argument === undefined ? sent.ask : { ...sent.ask, argument: ask.argument },
    notes: [...(hasDropped ? [`${to.id}: thinking`] : []), ...wordsOf(written.notes)],
    tap: manner => translatingTap(spoken, manner),
    reply: (body, manner) => translateReply(spoken, body, manner),
  }
}

/** The request as the answer repeats it. */
const toldOf = (
  { id }: Dialect,
  request: ChatRequest,
  { store, previous }: OwnAnswer,
): ChatRequest => {
  const fields = { ...request.extra?.fields, ...(previous && { previous_response_id: previous }) }
  return { ...request, store, extra: { dialect: id, fields } }
}

/** What the caller's vendor would know and this one does not: an answer without it would be a wrong one. */
const refuseStateful = ({ stateful = [] }: Dialect, { extra }: ChatRequest): void => {
  const field = stateful.find(each => extra?.fields[each] !== undefined)
  if (field === undefined) return
  const hint = `'${field}' needs a provider that keeps its answers; send the whole conversation instead.`
  throw new Fault('request.invalid', { hint })
}

type Limits = Readonly<Record<string, number>>

/** The limits as they were last read: a setting changes rarely, and each translated call asks. */
const limits = perApp(() => ({ text: '', byModel: {} as Limits }))

const aimOf = (app: App) => {
  const { ClaudeBudgetTokensPercentage, ClaudeDefaultMaxTokens: text } = app.settings().claude
  const known = limits(app)
  if (known.text !== text) Object.assign(known, { text, byModel: JSON.parse(text) as Limits })
  return { budgetShare: ClaudeBudgetTokensPercentage, outputMaxOf: known.byModel }
}
