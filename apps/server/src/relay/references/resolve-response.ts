import { Fault } from '@hub/contract'
import { type Dialect, needsStorage, type ParsedRequest, type StateParams } from '@hub/dialects'
import type { Endpoint, StoredResponseFeature } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type * as stored from '../../db/queries/vendor-responses.ts'
import type { Channel } from '../channels/channel.ts'
import {
  chatDialect,
  type ReadContext,
  type ResolvedRequest,
  type RoutingTarget,
  type TokenChannels,
} from '../context.ts'
import { continueLocally, reread } from '../local-responses/continuation.ts'
import {
  continueConversation,
  readStoredConversation,
} from '../local-responses/stored-conversation.ts'
import { newResponseId } from '../request/with-request.ts'
import { channelsFor, resolveAny } from '../routing/channel-index.ts'
import { type Candidates, makeCandidates } from '../routing/pick.ts'
import type { BackgroundResponse, LocalResponse } from '../translate/translation.ts'
import { findOwnedResponse, isLocal, storingKeyOf } from './owner.ts'
import { storingEndpoint } from './storing-endpoint.ts'

type Options = { isCompaction?: boolean }

/**
 * Resolves where a chat may go: every channel of the model, or only those that store responses where the request needs
 * that. A call that continues a vendor's response goes to the account that stores it, or nowhere. A call that continues
 * a local response is expanded to the full conversation.
 */
export const resolveTarget = (
  app: App,
  context: ReadContext,
  parsed: ParsedRequest,
  { isCompaction = false }: Options = {},
): ResolvedRequest | Promise<ResolvedRequest> => {
  const channels = channelsFor(app, context, parsed.model)
  const { state } = parsed
  if (state && (isCompaction || needsStorage(state))) {
    const feature = neededFeature(state, isCompaction)
    const dialect = chatDialect(context)
    return resolveStateful(app, context, { parsed, dialect, state, feature }, channels)
  }
  if (isCompaction) throw new Fault('operation.unsupported', { detail: context.dialect.id })
  return resolveAny(parsed, channels)
}

const neededFeature = (
  { background }: StateParams,
  isCompaction: boolean,
): StoredResponseFeature => {
  if (isCompaction) return 'compaction'
  return background ? 'background' : 'answers'
}

type StatefulRequest = {
  parsed: ParsedRequest
  dialect: Dialect
  state: StateParams
  feature: StoredResponseFeature
}

const resolveStateful = async (
  app: App,
  context: ReadContext,
  request: StatefulRequest,
  channels: TokenChannels | Promise<TokenChannels>,
): Promise<ResolvedRequest> => {
  const { parsed, state, feature } = request
  const isCompaction = feature === 'compaction'
  if (isCompaction && (parsed.stream || state.background))
    throw new Fault('request.invalid', { hint: 'It is answered whole and at once.' })
  const conversation =
    state.conversationId === undefined
      ? undefined
      : await readStoredConversation(app, context, state.conversationId)
  if (conversation) {
    refuseInConversation(app, request)
    const continuation = continueConversation(context, { parsed, conversation })
    return { parsed: continuation.parsed, target: { ...(await channels), continuation } }
  }
  const owned = await findPrevious(app, context, state)
  if (owned && isLocal(owned)) {
    refuseVendorFeatures(request)
    if (owned.is_running !== null)
      throw new Fault('response.previous', { hint: 'It has not ended yet.' })
    const background = state.background && openBackground(app, context, request)
    const continuation = await continueLocally(app, context, { parsed, previous: owned.id })
    return {
      parsed: continuation.parsed,
      target: {
        ...(isCompaction ? compactingTarget(app, request, await channels) : await channels),
        continuation,
        ...(background && { background }),
      },
    }
  }
  const { group, candidates } = await channels
  const able = ableChannels(app, request, candidates)
  const pathSuffix = isCompaction ? { pathSuffix: '/compact' } : {}
  if (owned) return { parsed, target: { group, ...ownersTarget(owned, able), ...pathSuffix } }
  if (able.length === 0) {
    if (needsVendor(request)) throw noStorage(request)
    if (isCompaction) return { parsed, target: await channels }
    const background = openBackground(app, context, request)
    return {
      parsed: inForeground(context, parsed),
      target: { ...(await channels), background },
    }
  }
  return { parsed, target: { group, candidates: makeCandidates(able), ...pathSuffix } }
}

const ableChannels = (
  app: App,
  { dialect, parsed: { model }, feature }: StatefulRequest,
  { tiers }: Candidates,
): Channel[] =>
  tiers
    .flatMap(each => each.channels)
    .filter(each => storingEndpoint(app, each, { dialect: dialect.id, model, feature }))

/** The vendors that compact themselves are asked first; without one, any vendor is asked for a summary. */
const compactingTarget = (
  app: App,
  request: StatefulRequest,
  channels: TokenChannels,
): TokenChannels & { pathSuffix?: string } => {
  const able = ableChannels(app, request, channels.candidates)
  if (able.length === 0) return channels
  return { group: channels.group, candidates: makeCandidates(able), pathSuffix: '/compact' }
}

/** The gateway itself can store, compact and make a response in the background, but nothing else. */
const needsVendor = ({ state }: StatefulRequest): boolean =>
  state.conversationId !== undefined || state.hasItemReferences

/** One response for the whole call, whichever candidate of a virtual model makes it. */
const openBackground = (
  app: App,
  context: ReadContext,
  request: StatefulRequest,
): BackgroundResponse => {
  if (!app.settings().responses.KeepResponsesEnabled) throw noStorage(request)
  if (!request.state.store)
    throw new Fault('request.invalid', {
      hint: "'background' needs 'store': the gateway stores the response until it is read.",
    })
  return context.background!
}

/** The vendor is asked to answer at once. */
const inForeground = (context: ReadContext, parsed: ParsedRequest): ParsedRequest => {
  const dialect = chatDialect(context)
  return reread(dialect, parsed, dialect.splice(parsed, { background: undefined }))
}

/** Refuses features that a conversation of the gateway does not have. */
const refuseInConversation = (app: App, { state, feature }: StatefulRequest): void => {
  const refuse = (hint: string): never => {
    throw new Fault('request.invalid', { hint })
  }
  if (!app.settings().responses.KeepResponsesEnabled)
    refuse(
      'The gateway stores this conversation, and an operator has switched `KeepResponsesEnabled` off.',
    )
  if (state.previousResponseId !== undefined)
    refuse("'previous_response_id' cannot be used with 'conversation'.")
  if (feature === 'compaction' || state.background || state.hasItemReferences)
    refuse(
      "The gateway stores this conversation: it takes no compaction, 'background' or 'item_reference'.",
    )
}

/** Refuses features that need a response stored by a vendor, since a vendor knows nothing of a local one. */
const refuseVendorFeatures = (request: StatefulRequest): void => {
  if (!needsVendor(request)) return
  const field = fieldOf(request)
  const hint = `${field} needs a provider that stores its responses; this one is stored by the gateway.`
  throw new Fault('request.invalid', { hint })
}

/** The stored response that the call continues; undefined where it names none. */
const findPrevious = async (
  app: App,
  { caller }: ReadContext,
  { previousResponseId: id }: StateParams,
): Promise<stored.ResponseOwner | undefined> => {
  if (id === undefined) return undefined
  const owned = await findOwnedResponse(app, caller.userId, id)
  if (owned) return owned
  throw new Fault('response.previous', { hint: `previous_response_id: ${id.slice(0, 100)}.` })
}

const ownersTarget = (owned: stored.ResponseOwner, able: readonly Channel[]) => {
  const { channel_id, credential: fingerprint } = owned
  const channel = able.find(each => each.id === channel_id)
  const key = channel && storingKeyOf(channel, fingerprint)
  if (!channel || !key) throw new Fault('response.unavailable')
  return { candidates: makeCandidates([channel]), key, continues: owned }
}

const noStorage = (request: StatefulRequest): Fault => {
  const field = fieldOf(request)
  const model = request.parsed.model.slice(0, 100)
  const hint = `${field} needs a provider that stores its responses; no provider of ${model} does.`
  return new Fault('request.invalid', { hint })
}

/** What needs a vendor most: the gateway can do more with `background` than with the others. */
const fieldOf = ({ state }: StatefulRequest): string => {
  if (state.conversationId !== undefined) return "'conversation'"
  return state.hasItemReferences ? "'item_reference'" : "'background'"
}

type Planned = { state: StateParams; target: RoutingTarget; endpoint: Endpoint }

/**
 * Decides whether the gateway gives the response its own id: it stores the response itself, or the call continues one
 * that it stores. Undefined where the vendor stores it, or nobody does.
 */
export const localResponseFor = (
  app: App,
  { state, target, endpoint }: Planned,
): LocalResponse | undefined => {
  if (target.pathSuffix !== undefined || state.background) return undefined
  const store = state.store && app.settings().responses.KeepResponsesEnabled
  const { continuation, background } = target
  const previous = continuation?.previous
  if (background) return { id: background.id, previous, store: true, background }
  if (!continuation) {
    const isVendors =
      endpoint.storedResponses?.includes('answers') || state.conversationId !== undefined
    if (!store || isVendors) return undefined
  }
  const conversation = continuation?.conversation
  return { id: newResponseId(app), previous, store, ...(conversation && { conversation }) }
}
