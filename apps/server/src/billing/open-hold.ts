import type { CallPhases, FailedAttempt, RouteNote } from '@hub/contract'
import type { ToolCalls, Usage } from '@hub/dialects'
import type { Caller } from '../core/call.ts'

/** The request for a hold. The amount is that of the most expensive model and group that the call may be served by. */
export type Reservation = {
  /** Names that the call may be billed as, one per channel mapping of a candidate; at least one. */
  models: readonly string[]
  promptTokens: number
  /**
   * Further tokens that are assumed for a prompt without a bound. The call is served without them as well, as the only one
   * of its payer, because its excess is the operator's loss.
   */
  assumedTokens?: number | undefined
  outputMax: number | undefined
  n: number
  stream: boolean
  /** Output tokens of each answer to hold, instead of those that follow from the limit. */
  heldOutput?: number
  /** How long an answer may become; absent where its length has no limit that could be sent. */
  outputBound?: OutputBound | undefined
  /** The most that the call may use, by class, where its fields fix it; replaces the estimate from tokens. */
  usage?: Usage
  /** Modes that the request asks for, as keys of `extra_ratios`. */
  modes?: readonly string[] | undefined
  /** The prompt is marked for a cache with this lifetime, whose writes may cost more than the prompt. */
  cacheWrite?: '5m' | '1h' | undefined
  /** The calls of tools that a vendor sells by the call; absent where the request and its channels declare none. */
  tools?: ToolCalls | undefined
  /** The number of results. A price per call covers one, so more are refused at such a price. */
  units?: number
  /** Groups other than the caller's, and further models of it, that the call may move to. */
  others?: readonly GroupReservation[] | undefined
  idempotency?: { keyHash: string; bodyHash: string } | undefined
  /** Does not wait for other holds of the payer: the caller's other calls may end only after this one. */
  isRefusedAtOnce?: boolean
}

/** Output tokens of one answer. */
export type OutputBound = {
  /** The most that the request allows: its own limit, or else the model's. */
  most: number
  /** The most that is not seen before it is made: a whole answer, or hidden reasoning. Undefined: a stream shows all. */
  unseen: number | undefined
  /** The part of `unseen` that stays hidden while the rest is delivered. */
  reasoning: number
  /** The smallest limit that the vendor is sent instead of none. */
  least: number
}

/** A group, and the names that a call may be billed as there. */
export type GroupReservation = { group: string; models: readonly string[] }

export type Finish = 'complete' | 'caller-left' | 'upstream-broke' | 'cut'

/** A channel's key as log rows have it: its place in the list, from 1, and digits of its keyed hash. */
export type ServingKey = { index: number; fingerprint: string }

/** The facts by which the vendor may bill a call to the operator. */
export type UpstreamBill = {
  /** The model's name at the upstream. */
  upstreamModel: string
  channelType: number
  /** The channel is the vendor's own service, where its published prices hold. */
  hasListPrices: boolean
  /** The vendor's count, where the caller is charged less. */
  usage?: Usage | undefined
  /** The part of the price that the vendor charges, as for a batch; absent for the whole. */
  ratio?: string | undefined
}

/** An attempt that did not answer its call, and that the vendor may bill: it failed, was cancelled, or lost a hedged start. */
export type BilledAttempt = {
  /** The model that the call is billed as. */
  model: string
  channelId: number
  bill: UpstreamBill
  usage: Usage
  /** The vendor told no final usage. */
  estimated: boolean
}

/** The end of a call, for its posting and its log row. */
export type CallResult = {
  /** The model that it is billed as. */
  model: string
  requestedModel: string
  channelId: number
  /** The key that served, of a channel with several. */
  channelKey?: ServingKey | undefined
  /** Channels that did not answer before, and how they were chosen; for administrators. */
  attempts?: readonly FailedAttempt[] | undefined
  route?: RouteNote | undefined
  /** Names of the caller's headers that the vendor did not get. */
  headersNotPassed?: readonly string[] | undefined
  /** Its input is replaced by `countPrompt` when the call is charged. */
  usage: Usage
  /** Counts the prompt where the vendor did not; never rejects. Absent: the usage is what is charged. */
  countPrompt?: (() => Promise<number>) | undefined
  /** The upstream reported no usage, so the gateway counted. */
  estimated: boolean
  /** The part of the reasoning that was estimated from recent calls, because the caller left before the usage. */
  estimatedReasoning?: number | undefined
  /** The caller left after the upstream's finish, and the end was read for its usage. */
  isEndRead?: boolean | undefined
  /** About how many of the prompt's tokens that are the system prompt of the channel. */
  channelPromptTokens?: number | undefined
  finish: Finish
  stream: boolean
  /** Milliseconds from the request to the first byte for the caller. */
  firstByteMs: number
  /** When the attempt that answered was sent, connected and had the head of the answer. */
  phases?: CallPhases | undefined
  /** The path that the caller requested, without its query. */
  path?: string | undefined
  /** Parts of the request or answer that could not be expressed, or were changed. */
  warnings: readonly string[]
  /** The answer is an earlier one, out of the response cache. */
  cache?: 'hit' | undefined
  /** The channel allows modes without a ratio, so that one raises no alarm. */
  allowsUnpricedModes?: boolean | undefined
  /** Absent where no vendor was sent the call. */
  bill?: UpstreamBill | undefined
  /** Responses that the vendor stored, and the credential of the account that stored them. */
  stored?: { ids: readonly string[]; credential: string } | undefined
}

/**
 * A promise: the reservation is used up, so no more may be delivered until it resolves; then the usage is reported again.
 * `cut`: the balance does not cover more. `failed`: the ledger did not answer. Both end the stream.
 */
export type Progress = 'go' | 'cut' | 'failed' | Promise<void>

/** The classes of the prompt, in place of those of a cautious estimate. */
export type PromptUsage = Partial<Omit<Usage, 'output' | 'reasoning' | 'tools'>>

/** Is notified of what becomes of a hold. */
export type HoldObserver = {
  /** The hold has so many points, extensions included. */
  progressed?(points: number): void
  /** The charge is durable. It is awaited before the caller may see the end of the answer. */
  settled?(result: CallResult): Promise<void> | void
  /** The answer is made in the background. */
  detached?(): Promise<void>
}

/**
 * Quota that is reserved for one call. Exactly one of `settle`, `detach` and `release` takes effect; at its disposal it is
 * released unless one did.
 */
export type OpenHold = AsyncDisposable & {
  readonly id: number
  /** Balance and cap cover answers of so many tokens only, so the vendor must be sent this limit. Absent: no limit is sent. */
  readonly outputLimit?: number | undefined
  /** Points reserved, extensions included. */
  amount(): number
  observe(observer: HoldObserver): void
  /** Records what the operator may pay for an attempt that did not answer the call. */
  noteAttempt(attempt: BilledAttempt): void
  /** Prices and names the call in this caller's group from now on. */
  moveTo(caller: Caller): void
  /**
   * Reports the usage delivered so far. Cheap enough for every chunk: the cost is computed only if the count changed.
   * `delivered` has the cautious prompt, which the reservation must cover; a checkpoint charges that of `countPrompt`.
   */
  progress(model: string, delivered: Usage, countPrompt?: () => Promise<PromptUsage>): Progress
  /**
   * Durable when it resolves. The caller may see the end of the answer only then. Where it rejects, the charge is posted
   * once the ledger can be written again; with `orVoid` the hold is released instead, for an answer that was withheld.
   */
  settle(result: CallResult, orVoid?: boolean): Promise<{ charged: number; shortfall: number }>
  /**
   * Leaves the hold open for an answer that is made in the background. `write` makes the background call durable first.
   * Any process may then end the hold with `settleDetached`, `voidDetached` or `recoverDetached`.
   */
  detach(model: string, write: (priceId: number) => Promise<void>): Promise<void>
  /** Undefined: the hold is settled already, so there is nothing to wait for. */
  release(): Promise<void> | undefined
}
