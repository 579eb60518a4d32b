import { Fault, type FaultCode, type RouteNote } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { Operation } from '@hub/providers'
import type { OpenHold } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { UpstreamResponse } from '../call-state.ts'
import { type Channel, contextSizeOf } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import type { CallContext, CallTarget, ReadContext } from '../context.ts'
import { cooldownEnd, isProbed } from '../routing/cooldown.ts'
import { chooseKey, hasOtherKey } from '../routing/keys.ts'
import { obstacleOf, pick, pickCoolingDown } from '../routing/pick.ts'
import { noteStop } from '../routing/route-note.ts'
import { findWarmKey } from '../routing/warm-keys.ts'
import type { ErrorClassification } from '../upstream/classify-error.ts'
import { type AttemptBudget, type AttemptKind, type AttemptPorts, Attempts } from './attempts.ts'
import type { RetryCriteria } from './outcome.ts'
import { type RetryBudgets, retryBudgets } from './retry-budget.ts'

/** The channel and the key that an attempt asks. */
export type Account = { channel: Channel; key: ChannelKey }

/** A call whose quota is held, and the targets that it may be served by, in their order. */
export type HeldCall = {
  context: ReadContext
  targets: readonly CallTarget[]
  hold: OpenHold
  /** Channels whose provider has none of these are passed over. */
  endpoints?: Operation | undefined
}

/** The attempts of one call at the channels of its targets. */
export class CallAttempts {
  readonly order: Attempts<CallTarget, Account, ErrorClassification>
  readonly #app: App
  readonly #held: HeldCall
  #context: CallContext | undefined
  #criteria: RetryCriteria | undefined
  /** The error of a target whose backup is tried. */
  #lastInGroup: ErrorClassification | undefined
  /** The error of an attempt that says most: of the first channel that was asked, or else of the request. */
  #reported: ErrorClassification | undefined
  #failure: { fault: Fault; upstreamError: UpstreamResponse | undefined } | undefined

  constructor(app: App, held: HeldCall) {
    this.#app = app
    this.#held = held
    this.order = new Attempts(held.targets, this.#ports())
  }

  /** The call as the current target serves it. */
  get context(): CallContext {
    return this.#context!
  }

  get criteria(): RetryCriteria {
    return this.#criteria!
  }

  /** The error of the call, whose attempts all failed. */
  fault(): Fault {
    const failure = this.#failure!
    const saysLess = saysLittle(failure.fault) || isOfRequest(failure.fault)
    const reported = saysLess ? this.#reported : undefined
    this.#held.context.record.upstreamError = reported
      ? reported.upstreamResponse
      : failure.upstreamError
    return reported?.fault ?? failure.fault
  }

  #ports(): AttemptPorts<CallTarget, Account, ErrorClassification> {
    const app = this.#app
    const { abort, startedAt, forcedChannel } = this.#held.context
    const { RetryTimes, RetryTimeOut } = app.settings().retry
    return {
      now: app.monotonic,
      isAborted: () => abort.reason !== undefined,
      isForced: forcedChannel?.only !== undefined,
      retriesMax: RetryTimes,
      endsAt: startedAt + RetryTimeOut * 1_000,
      budget: makeBudget(app, this.#held.context),
      enter: target => this.#enter(target),
      pick: (_target, tries, isLast) =>
        this.#accountOf(pickChannel(this.context, this.criteria, { tries, isLast })),
      pickSecond: ({ target }, running) =>
        this.#accountOf(pick(target.candidates, this.#without(running))),
      hasOther: ({ target }, running, attempt) =>
        pickChannel(this.context, this.#without(running), attempt) !== undefined ||
        this.#hasOtherKey(target.key, running),
      leave: (_target, { stop, last, next }) => this.#leave(stop, last, next),
    }
  }

  #enter(target: CallTarget): void {
    const { context, hold, endpoints } = this.#held
    const { caller, virtual } = target
    const { record } = context
    hold.moveTo(caller)
    record.caller = caller
    if (virtual && !target.isBackup) {
      record.route = { candidates: target.target.candidates.size, virtual: virtual.route }
      virtual.noted.tried = true
    }
    const { parsed, target: routing } = target
    this.#context = { ...context, parsed, caller, target: routing, virtual, hold }
    if (!target.isBackup) this.#criteria = this.#makeCriteria(this.#context, endpoints)
  }

  #makeCriteria(context: CallContext, endpoints: Operation | undefined): RetryCriteria {
    const { parsed, operation } = context
    const warmKey = findWarmKey(this.#app, context)
    return {
      model: parsed.model,
      operation,
      endpoints,
      preferred: warmKey?.channel,
      preferredKey: warmKey?.fingerprint,
      hasTools: parsed.hasTools,
      stream: parsed.stream,
      promptTokens: parsed.promptTokens,
      avoidsShortContexts: endpoints === 'chat',
      excluded: excludedFrom(context),
      failedKeys: this.#criteria?.failedKeys,
      cooldownEnd: cooldownEnd(this.#app),
      isProbed: isProbed(this.#app),
    }
  }

  /** The key is chosen in the same turn as the channel, so that two calls never become the probe of one key. */
  #accountOf(channel: Channel | undefined): Account | undefined {
    if (!channel) return undefined
    const { model, operation, failedKeys: failed, preferred, preferredKey } = this.criteria
    const criteria = {
      model,
      operation,
      failed,
      preferredKey: preferred === channel ? preferredKey : undefined,
    }
    return { channel, key: this.context.target.key ?? chooseKey(this.#app, channel, criteria) }
  }

  #without({ channel }: Account): RetryCriteria {
    return { ...this.criteria, excluded: new Set(this.criteria.excluded).add(channel.id) }
  }

  #hasOtherKey(required: ChannelKey | undefined, { channel, key }: Account): boolean {
    if (channel.keys.length === 1 || required) return false
    const failed = new Set(this.criteria.failedKeys).add(key)
    return hasOtherKey(this.#app, channel, { ...this.criteria, failed })
  }

  /** Notes a failed attempt, whose reason may say more than that of a later one. */
  noteFailure(error: ErrorClassification): void {
    const known = this.#reported?.fault
    if (saysLittle(error.fault)) return
    if (!known || (isOfRequest(known) && !isOfRequest(error.fault))) this.#reported = error
  }

  #leave(
    stop: NonNullable<RouteNote['stop']>,
    last: ErrorClassification | undefined,
    next: CallTarget | undefined,
  ): void {
    const { context, criteria } = this
    const error = last ?? this.#lastInGroup
    this.#lastInGroup = next?.isBackup ? error : undefined
    if (next?.isBackup) return
    noteStop(this.#app, context, criteria, stop)
    const fault = faultOf(this.#app, context, { last: error, criteria })
    if (this.#failure && saysLittle(fault)) return
    const upstreamError = fault === error?.fault ? error.upstreamResponse : undefined
    this.#failure = { fault, upstreamError }
  }
}

const makeBudget = (app: App, { response }: ReadContext): AttemptBudget<CallTarget> => {
  let budgets: RetryBudgets | undefined
  const budgetOf = (kind: AttemptKind) => (kind === 'retry' ? budgets!.retries : budgets!.moves)
  return {
    begin: ({ target }) => {
      budgets = retryBudgets(app, target.candidates)
      budgets.retries.addCall(app.monotonic())
      budgets.moves.addCall(app.monotonic())
    },
    take: (kind, share) => {
      const budget = budgetOf(kind)
      const taken = budget.takeRetry(app.monotonic(), response, share)
      if (!taken) return undefined
      app.metrics.retries.inc()
      return isAnswered => budget.end(taken, isAnswered)
    },
    canTake: (kind, share) => budgetOf(kind).canTakeRetry(app.monotonic(), share),
    takeHedge: kind => budgetOf(kind).takeHedge(app.monotonic()),
  }
}

/**
 * A channel that another call probes is asked only if the call has no healthy one, and a channel that is cooling down only
 * if it has no other at all, and only once, so that an outage stays cheap. The estimate of the prompt is cautious: channels
 * that it exceeds are asked where no other is left, unless the prompt is too long for certain.
 */
const pickChannel = (
  { target: { candidates }, parsed }: CallContext,
  criteria: RetryCriteria,
  { tries, isLast }: { tries: number; isLast: boolean },
): Channel | undefined => {
  const healthy = pick(candidates, criteria)
  if (healthy || !isLast) return healthy
  const unprobed = { ...criteria, isProbed: undefined, avoidsShortContexts: false }
  const likely = { ...unprobed, promptTokens: leastPromptTokens(parsed) }
  return (
    pick(candidates, unprobed) ??
    pick(candidates, likely) ??
    (tries === 0 ? pickCoolingDown(candidates, likely) : undefined)
  )
}

/** A token of English prose or code has rarely more than six bytes, of which the estimate takes three for a token. */
const leastPromptTokens = ({ promptTokens, mediaTokens = 0 }: ParsedRequest): number =>
  Math.floor((promptTokens - mediaTokens) / 2)

/** Two candidates of a virtual model may be one model in two groups, and share a channel that failed. */
const excludedFrom = ({
  forcedChannel,
  virtual,
  record: { failedAttempts = [] },
  parsed,
}: CallContext): Set<number> | undefined => {
  const except = forcedChannel?.except
  const failed = virtual ? failedAttempts.filter(each => each.model === parsed.model) : []
  if (except === undefined && failed.length === 0) return undefined
  const ids = failed.map(each => each.channel_id)
  return new Set(except === undefined ? ids : [...ids, except])
}

/** Faults of targets of which no channel was asked, so that an earlier target's error says more. */
const unaskedCodes: ReadonlySet<FaultCode> = new Set([
  'channel.none',
  'operation.unsupported',
  'model.no_tools',
  'model.no_stream',
])

const saysLittle = ({ code }: Fault) => unaskedCodes.has(code)

/**
 * A rule of one channel refused the request before the channel was asked. Another channel that took it and failed says
 * more, because a retry may reach it again.
 */
const isOfRequest = ({ code }: Fault) => /^(request|stored)\./.test(code)

/** Clients such as Claude Code read the fault's message, and shorten the conversation. */
const tooLong = ({ parsed }: CallContext, channels: readonly Channel[]): Fault => {
  const largest = Math.max(...channels.map(each => contextSizeOf(each, parsed.model) ?? 0))
  const added = Math.max(...channels.map(each => each.systemPrompt?.tokens ?? 0))
  const tokens = parsed.promptTokens + added
  const hint = `About ${tokens} tokens, and at most ${largest} are accepted.`
  return new Fault('upstream.context', { hint })
}

type Exhausted = { last: ErrorClassification | undefined; criteria: RetryCriteria }

const faultOf = (app: App, context: CallContext, { last, criteria }: Exhausted): Fault => {
  if (context.abort.reason === 'stopping')
    return new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (last) return last.fault
  const { record, parsed, target } = context
  const hint = `Model: ${(record.requestedModel ?? parsed.model).slice(0, 200)}.`
  const channels = target.candidates.tiers.flatMap(each => each.channels)
  const obstacles = channels.map(each =>
    obstacleOf(each, { ...criteria, avoidsShortContexts: false }),
  )
  if (obstacles.every(each => each === 'no_operation'))
    return new Fault('operation.unsupported', { hint })
  // Every channel is unusable for what the request is, so that a repetition would fail too.
  if (obstacles.every(each => each !== undefined)) {
    if (obstacles.includes('context_too_small')) return tooLong(context, channels)
    if (obstacles.includes('chat_only')) return new Fault('model.no_tools', { hint })
    if (obstacles.includes('no_stream')) return new Fault('model.no_stream', { hint })
  }
  const { RetryCooldownSeconds } = app.settings().retry
  return new Fault('channel.none', { hint, retryAfterSeconds: Math.max(1, RetryCooldownSeconds) })
}
