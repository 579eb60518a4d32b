import { Fault } from '@hub/contract'
import {
  type CallerFormat,
  type ChatRequest,
  type Dialect,
  dropBareThoughts,
  emptyConversation,
  forcedToolNote,
  isDialect,
  type LinkedMedia,
  linkedMedia,
  type ParsedRequest,
  type StreamObserver,
  stateEdits,
  type UpstreamDialect,
  type UpstreamFormat,
  unmarkRequest,
  withCacheMarks,
} from '@hub/dialects'
import { type Endpoint, ruledEffortRefusal, upstreamDialectOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { attributionEdits } from '../channels/attribution.ts'
import type { Channel } from '../channels/channel.ts'
import { inventedState, isMarked, markOf } from '../channels/marks.ts'
import { unreadableFault } from '../request/unreadable.ts'
import { encodeSettings } from './encode-settings.ts'
import { keepRules } from './keep-rules.ts'
import { isRepeated, type SessionCall } from './repeated-sessions.ts'
import { type TranslatedResponse, translateResponse } from './response.ts'
import { type AnswerOptions, translatingObserver } from './stream.ts'
import { warningTexts } from './warnings.ts'

/** A call that is sent to its upstream in another dialect. */
export type Translation = {
  /** The upstream's format. */
  to: UpstreamFormat
  /** The request as it is sent. */
  parsed: ParsedRequest
  /** Features of the request that the upstream's dialect cannot express. */
  warnings: readonly string[]
  /** Headers that the vendor needs with this request. */
  headers?: Readonly<Record<string, string>>
  /** The file of the caller's form whose bytes are the body. */
  file?: string
  /** The answer shows the prompt's tokens also where the vendor reports none. */
  showsPrompt?: boolean
  /** The answer has the caller's form already, so its bytes can pass as they arrive. */
  passesAnswer?: boolean
  /** Translates the streamed answer; absent for operations that are not streamed in translation. */
  observe?(options: AnswerOptions): StreamObserver
  /** Translates the whole answer; throws where the body is not one. */
  response(
    body: Buffer,
    options: Pick<AnswerOptions, 'createdAt' | 'id'> & {
      contentType?: string
      /** The gateway's count of the prompt; only where the answer shows one that the vendor did not report. */
      promptTokens?: number
    },
  ): TranslatedResponse
}

/** A response that the gateway makes in the background. */
export type BackgroundResponse = {
  id: string
  /** Unix seconds. */
  createdAt: number
}

/** A response that the caller knows by an id of the gateway's, whatever the vendor calls it. */
export type LocalResponse = {
  id: string
  /** The locally stored response that it continues. */
  previous: string | undefined
  /** The conversation of the gateway that it is added to. */
  conversation?: string | undefined
  /** The gateway stores it. */
  store: boolean
  /** Set where it is made in the background. */
  background?: BackgroundResponse | undefined
}

export type TranslationInput = {
  parsed: ParsedRequest
  from: CallerFormat
  endpoint: Endpoint
  channel: Channel
  /** The model's name at the upstream, which decides what the model supports. */
  upstreamModel: string
  localResponse?: LocalResponse | undefined
  call?: SessionCall | undefined
  /** Replaces addresses in the request by the content behind them. Rejects with `request.*`. */
  fetchLinks(links: readonly LinkedMedia[]): Promise<void>
}

/** Writes a chat request in the endpoint's dialect. Throws `request.*` where it cannot be read or expressed there. */
export const translateChat = (
  app: App,
  input: TranslationInput,
): Translation | Promise<Translation> => {
  const { parsed, from, endpoint, channel, upstreamModel, localResponse } = input
  if (!isDialect(from)) throw new Fault('operation.unsupported', { detail: from.id })
  const to = upstreamDialectOf(endpoint)
  const body = JSON.parse(parsed.body.toString()) as Record<string, unknown>
  if (from.id !== to.id) {
    refuseEmpty(from, body)
    Object.assign(body, attributionEdits(from, parsed, { channel, isTranslated: true }))
  }
  const hasMarks = isMarked(app, parsed.body, from.id)
  if (hasMarks && from.id === to.id)
    Object.assign(
      body,
      stateEdits(from.id, parsed, {}, inventedState(app, from.id, upstreamModel)).edits,
    )
  const hasDropped = localResponse !== undefined && from.id === to.id && dropBareThoughts(body)
  const decoded = from.decodeRequest(body, { model: upstreamModel, stream: parsed.stream })
  if (!decoded.ok) throw unreadableFault(decoded)
  const request = hasMarks ? unmarkRequest(decoded.request, markOf(app)) : decoded.request
  const chat = { from, to, request, hasDropped }
  const links = linkedMedia(
    request,
    link => (endpoint.mediaBytesOnly && isOnTheWeb(link)) || (to.needsBytes?.(link) ?? false),
  )
  if (links.length === 0) return encodeChat(app, input, chat)
  return input.fetchLinks(links).then(() => encodeChat(app, input, chat))
}

/** The caller reads what its own vendor would say. */
const refuseEmpty = ({ id }: Dialect, body: Record<string, unknown>): void => {
  const hint = emptyConversation(id, body)
  if (hint !== undefined) throw new Fault('request.invalid', { hint })
}

/** Other addresses are those of files that the vendor stores. */
const isOnTheWeb = ({ url }: LinkedMedia): boolean => /^https?:/i.test(url)

type DecodedChat = {
  from: Dialect
  to: UpstreamDialect
  request: ChatRequest
  /** Thinking without a signature was left out. */
  hasDropped: boolean
}

const encodeChat = (
  app: App,
  { parsed, endpoint, channel, upstreamModel, localResponse, call }: TranslationInput,
  { from, to, request, hasDropped }: DecodedChat,
): Translation => {
  const pathParams = { model: upstreamModel, stream: parsed.stream }
  // The gateway stores the response itself, so the vendor must not.
  if (localResponse) delete request.store
  if (from.id !== to.id) refuseVendorState(from, request)
  request.model = upstreamModel
  request.stream = parsed.stream
  const cachesPrompts = from.id !== to.id && endpoint.cachesPrompts?.(channel.options)
  const mayMark = cachesPrompts && call !== undefined && !hasCacheMarks(request)
  const isMarking = mayMark && isRepeated(app, call, parsed)
  const compactsItself = from.id === to.id && endpoint.storedResponses?.includes('compaction')
  const summaryRequest = compactsItself ? undefined : from.summaryRequest?.(request)
  const sentRequest = summaryRequest ?? request
  const flat = from.id === to.id ? sentRequest : (from.flattenTools?.(sentRequest) ?? sentRequest)
  const plain = isMarking ? withCacheMarks(flat) : flat
  refuseEffort(parsed, endpoint, upstreamModel)
  const kept = keepRules(plain, { from, to, endpoint, model: parsed.model })
  if (kept.refusal !== undefined) throw new Fault('request.invalid', { hint: kept.refusal })
  const encoded = to.encodeRequest(kept.request, {
    ...encodeSettings(app),
    keepUnknownFields: channel.keepsUnknownFields,
  })
  if (encoded.refusal !== undefined) throw new Fault('request.invalid', { hint: encoded.refusal })
  const sent = to.read(Buffer.from(JSON.stringify(encoded.body)), pathParams)
  if (!sent.ok) throw new Fault('server.failed', { detail: `${to.id} wrote: ${sent.hint}` })
  const chat = {
    from,
    to,
    framing: endpoint.framing,
    request: localResponse ? withLocalState(from, request, localResponse) : request,
    localId: localResponse?.id,
    thoughtsAsText: channel.thoughtsAsText && from.mayShowThoughts,
    toolNames: kept.toolNames,
    mark: markOf(app),
    summaryMark: summaryRequest && markOf(app),
  }
  return {
    to,
    parsed: withNamed(sent.parsed, parsed, kept.notes),
    warnings: [
      ...(hasDropped ? [`${to.id}: thinking`] : []),
      ...kept.notes.map(each => `${to.id}: ${each}`),
      ...warningTexts(encoded.warnings),
    ],
    observe: options => translatingObserver(chat, options),
    response: (bytes, options) => translateResponse(chat, bytes, options),
  }
}

/** The request with what the name of its model says, and with the limit that the balance covers. */
const withNamed = (
  sent: ParsedRequest,
  { modelSuffix, effort, isLimitOurs }: ParsedRequest,
  notes: readonly string[],
): ParsedRequest => {
  if (modelSuffix === undefined && effort === undefined && !isLimitOurs) return sent
  const mayThink = effort && !notes.includes(forcedToolNote)
  return {
    ...sent,
    ...(modelSuffix && { modelSuffix }),
    ...(mayThink && { effort }),
    ...(isLimitOurs && { isLimitOurs }),
  }
}

/** The sentence names no field, because the caller wrote none. */
const refuseEffort = (
  { effort }: Pick<ParsedRequest, 'effort'>,
  endpoint: Endpoint,
  upstreamModel: string,
): void => {
  if (effort === undefined) return
  const hint = ruledEffortRefusal(endpoint, upstreamModel, effort)
  if (hint !== undefined) throw new Fault('request.invalid', { hint })
}

/** A caller that marks what to cache knows better than the option of a channel. */
const hasCacheMarks = ({ cache, messages, tools = [] }: ChatRequest): boolean =>
  cache !== undefined ||
  tools.some(each => each.type === 'function' && each.cache !== undefined) ||
  messages.some(({ parts }) => parts.some(each => each.cache !== undefined))

/** The request as the answer echoes it. */
const withLocalState = (
  { id }: Dialect,
  request: ChatRequest,
  { store, previous, conversation, background }: LocalResponse,
): ChatRequest => {
  const fields = {
    ...request.unknownFields?.fields,
    ...(previous && { previous_response_id: previous }),
    ...(conversation && { conversation: { id: conversation } }),
    ...(background && { background: true }),
  }
  return { ...request, store, unknownFields: { dialect: id, fields } }
}

/** Refuses fields that refer to state of the caller's vendor: without them the answer would be a wrong one. */
const refuseVendorState = (
  { statefulFields = [] }: Dialect,
  { unknownFields }: ChatRequest,
): void => {
  const field = statefulFields.find(each => unknownFields?.fields[each] !== undefined)
  if (field === undefined) return
  const hint = `'${field}' needs a provider that stores its responses; send the whole conversation instead.`
  throw new Fault('request.invalid', { hint })
}
