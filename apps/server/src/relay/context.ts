import type { IncomingMessage } from 'node:http'
import { Fault, type ParameterRule, type VirtualRoute } from '@hub/contract'
import {
  type CallerFormat,
  type Dialect,
  isDialect,
  type ParsedRequest,
  type PathParams,
  type ResponseItem,
  type Served,
} from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { OpenHold } from '../billing/open-hold.ts'
import type { App } from '../core/app.ts'
import type { Caller } from '../core/call.ts'
import type { StoredResource } from '../db/queries/stored-resources.ts'
import type { ResponseOwner } from '../db/queries/vendor-responses.ts'
import type { CachedToken } from './auth/token-cache.ts'
import type {
  Abort,
  AbortReason,
  BodyState,
  CallerResponse,
  CallRecord,
  ResponseState,
  UpstreamState,
} from './call-state.ts'
import type { Channel } from './channels/channel.ts'
import type { ChannelKey } from './channels/keys.ts'
import type { Reference } from './links/references.ts'
import type { RequestedModes } from './price-fields/check-fields.ts'
import type { Candidates } from './routing/pick.ts'
import type { BackgroundResponse, LocalResponse, Translation } from './translate/translation.ts'

/** The parts of a request by which its waits end. Work without a caller has one of its own. */
export type Abortable = Pick<RequestContext, 'abort' | 'upstream'>

/** The channel and the key that have the beginning of a conversation in their vendor's prompt cache. */
export type WarmKey = { channel: Channel; fingerprint: string }

/** Tokens that the vendor adds to the prompt. */
export type NamedSize = {
  /** At most. */
  tokens: number
  /** Assumed for what has no bound; 0 for nothing. */
  assumedTokens: number
}

/** The channels that serve a model for a group. */
export type GroupChannels = {
  /** The group that the call is charged in. */
  group: string
  candidates: Candidates
}

/** The channels that a token may use for a model. */
export type TokenChannels = GroupChannels & {
  /** Those of the token's backup group, which serve once the others failed. */
  backup?: GroupChannels | undefined
}

/** The channels and the account that a call may go to. */
export type RoutingTarget = TokenChannels & {
  /** The key whose account stores the response that the call continues; undefined: any of the channel's. */
  key?: ChannelKey
  /** Appended to the endpoint's path, as in `/compact`. */
  pathSuffix?: string
  /** The references of the body to objects of an account; absent before they are looked for. */
  references?: readonly Reference[]
  /** Ids of the caller's objects at the account, which the request may name. */
  objects?: ReadonlySet<string>
  /** The vendor's response that the call continues. */
  continues?: ResponseOwner
  /** Stored objects that the body names, each as often as it is named. */
  namedObjects?: readonly StoredResource[]
  /** Tokens of stored prompts that the body names. */
  storedTokens?: number
  /** The size of what the body only names. */
  named?: NamedSize
  /** The conversation, or that of the locally stored response, that the call continues. Any channel may serve it. */
  continuation?: Continuation
  /** Set where the gateway makes the response in the background, for a vendor that cannot. */
  background?: BackgroundResponse
}

/** A request as one group and model may serve it. */
export type CallTarget = ResolvedRequest & {
  /** In the group that the call is charged in. */
  readonly caller: Caller
  /** Stands in for the target before it, whose channels of the token's own group failed. */
  readonly isBackup?: boolean
  /** Set for a candidate of a virtual model. */
  readonly virtual?: VirtualCandidate | undefined
}

/** A candidate in the note of the call's route. */
export type VirtualCandidate = {
  route: VirtualRoute
  noted: VirtualRoute['candidates'][number]
  /** Change what leaves, before the rules of the channel. Absent: none. */
  rules?: readonly ParameterRule[] | undefined
}

/** A call that continues a locally stored response, or a conversation that the gateway stores. */
export type Continuation = {
  /** The id of that response. */
  previous: string | undefined
  /** The id of that conversation. */
  conversation?: string
  /** The call's own input, without the conversation before it. */
  input: readonly ResponseItem[]
}

/** One request of a caller, from the handler to the log row. */
export type RequestContext = {
  readonly request: IncomingMessage
  /** The format in which the caller called: a dialect for chat, otherwise the format of the operation. */
  readonly dialect: CallerFormat
  /** The ledger's id for this request: epoch * 2^32 + n. */
  readonly id: number
  /** The id as text, as the caller sees it. */
  readonly requestId: string
  /** The route's operation: a label of metrics and log lines. */
  readonly operation: string
  readonly path: string
  readonly query: string
  /** Parameters that the dialect carries in the path instead of the body. */
  readonly pathParams: PathParams | undefined
  readonly ip: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly abort: Abort
  readonly body: BodyState
  readonly response: ResponseState
  readonly record: CallRecord
  readonly upstream: UpstreamState
}

/** A request that no context was made for yet. */
export type IncomingCall = {
  request: IncomingMessage
  response: CallerResponse
  requestId: string
}

/** Runs one call from its context to its log row; resolves when it has ended, and never rejects. */
export type RunCall = (
  incoming: IncomingCall,
  handler: (app: App, context: RequestContext) => Promise<void>,
) => Promise<void>

/** A request as it is sent, with a continued conversation included, and where it may go. */
export type ResolvedRequest = { readonly parsed: ParsedRequest; readonly target: RoutingTarget }

/** The caller, found by the key of the request. */
export type Identity = {
  readonly token: CachedToken
  readonly caller: Caller
  /** The channel that an administrator asked for by `#id`, or excluded by `#!id`. */
  readonly forcedChannel: ForcedChannel | undefined
}

export type ForcedChannel = { only?: number; except?: number }

/** A context whose token is known. */
export type AuthenticatedContext = RequestContext & Identity

/** A context whose body was read. */
export type ReadContext = AuthenticatedContext & {
  readonly parsed: ParsedRequest
  /** The key of the client's session; undefined where the client names none. */
  readonly session: string | undefined
  /** The response that the gateway may have to make in the background; one id for every candidate. */
  readonly background: BackgroundResponse | undefined
}

/** A context with an open hold, for one target: everything that an attempt needs. */
export type CallContext = ReadContext & {
  readonly target: RoutingTarget
  readonly virtual: VirtualCandidate | undefined
  readonly hold: OpenHold
}

/** One try at one channel. */
export type Attempt = {
  readonly channel: Channel
  readonly key: ChannelKey
  /** The model's name at the upstream. */
  readonly upstreamModel: string
  readonly billedModel: string
  readonly endpoint: Endpoint
  /** Undefined where the upstream speaks the caller's dialect and bytes pass through. */
  readonly translation: Translation | undefined
  /** Set where the caller sees a response id of the gateway instead of the vendor's. */
  readonly localResponse: LocalResponse | undefined
  /** The account that stores the response at the vendor; undefined where none does. */
  readonly storedBy: StoredBy | undefined
  readonly serving: Serving
  /** Parts that were left out of the request as not the vendor's own; receipt and log list them. */
  readonly notes?: string[]
  /** All state of vendors is left out, because this one refused some of it. */
  readonly dropsState?: boolean
}

/** How the vendor is asked to serve the call, and how the head of its answer says that it does. */
export type Serving = { requested: RequestedModes; head: Served | undefined }

export type StoredBy = {
  /** The fingerprint of the credential. */
  credential: string
  /** The response and its items are stored; its containers are in any case. */
  isResponseStored: boolean
}

/** The caller as one who is charged in this group. */
export const callerIn = (caller: Caller, group: string): Caller =>
  caller.group === group ? caller : { ...caller, group }

/** The dialect of a chat, or of a response that a chat stored. */
export const chatDialect = ({ dialect }: Pick<RequestContext, 'dialect'>): Dialect => {
  if (isDialect(dialect)) return dialect
  throw new Fault('operation.unsupported', { detail: dialect.id })
}

export const abortRequest = (
  { abort }: Pick<RequestContext, 'abort'>,
  reason: AbortReason,
): void => {
  if (abort.reason !== undefined) return
  abort.reason = reason
  abort.onAbort?.(reason)
}
