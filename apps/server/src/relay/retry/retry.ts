import { Fault } from '@hub/contract'
import type { Operation } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { type Channel, contextSizeOf } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { type CallContext, requestedModelOf } from '../context.ts'
import { cooldownEnd, isProbed, startProbe } from '../routing/cooldown.ts'
import { chooseKey } from '../routing/keys.ts'
import { obstacleOf, type PickCriteria, pick } from '../routing/pick.ts'
import { noteChoice, noteStop, type StopReason } from '../routing/route-note.ts'
import { findWarmKey } from '../routing/warm-keys.ts'
import type { ErrorClassification } from '../upstream/classify-error.ts'
import { type OpenChannel, startHedged } from './hedge.ts'
import { canTryAnother, pickChannel, type RunningAttempt, shareOf } from './next-attempt.ts'
import { type RetryCriteria, recordEnd } from './outcome.ts'
import { type RetryBudget, retryBudgets, type TakenRetry } from './retry-budget.ts'

/** `canTryAnother` says whether a failure now would leave the call another attempt. */
type TryChannel = (
  channel: Channel,
  key: ChannelKey,
  canTryAnother: () => boolean,
) => Promise<ErrorClassification | undefined>

type RetryOptions = {
  /**
   * Returns undefined once the caller was answered, and a classification as long as no byte was sent: after the first
   * byte there is no other channel.
   */
  attempt: TryChannel
  /** Channels whose provider has none of these are passed over. */
  endpoints?: Operation
  /** Set where two attempts at a time do no harm. */
  open?: OpenChannel | undefined
}

/** Tries channels until one answers: those of the call's group, then those of the token's backup group. */
export const retry = async (
  app: App,
  context: CallContext,
  options: RetryOptions,
): Promise<void> => {
  context.warmKey = findWarmKey(app, context)
  const criteria = makeCriteria(app, context, options.endpoints)
  let failed = await retryInGroup(app, context, criteria, options)
  if (failed && moveToBackup(context, failed)) {
    const { last } = failed
    failed = await retryInGroup(app, context, criteria, options)
    if (failed) failed.last ??= last
  }
  if (!failed) return
  context.stopReason = failed.stop
  noteStop(app, context, criteria, failed.stop)
  throw faultOf(app, context, { last: failed.last, criteria })
}

type Failure = { stop: StopReason; last: ErrorClassification | undefined }

const retryInGroup = async (
  app: App,
  context: CallContext,
  criteria: RetryCriteria,
  { attempt, open }: RetryOptions,
): Promise<Failure | undefined> => {
  let last: ErrorClassification | undefined
  let stop: StopReason | undefined
  for (let tries = 0; stop === undefined; tries++) {
    const channel = pickChannel(context, criteria, tries)
    const turn = channel && takeTurn(app, context, tries)
    if (!channel || !turn) {
      stop = channel ? 'retry_budget' : 'no_candidate'
      break
    }
    const { budget, retry } = turn
    noteChoice(app, context, criteria, channel)
    const account = { channel, key: keyFor(app, context, criteria, channel) }
    const { error, attempts } =
      open && canHedge(app, context, tries)
        ? await attemptHedged(app, context, { account, criteria, tries, open, budget })
        : await attemptAlone(app, context, { account, criteria, tries, attempt })
    tries += attempts - 1
    if (retry) budget.end(retry, error === undefined)
    if (error === undefined) return undefined
    last = error
    stop = stopReasonOf(app, context, { error, tries })
  }
  return { stop, last }
}

type AllowedAttempt = { budget: RetryBudget; retry?: TakenRetry }

/** The call's first attempt is free, whichever group or model it asks. Undefined: the budget for a further one is used up. */
const takeTurn = (app: App, context: CallContext, tries: number): AllowedAttempt | undefined => {
  const { retryBudgets: budgets } = context
  if (!budgets) return { budget: countCall(app, context) }
  const budget = tries > 0 ? budgets.retries : budgets.moves
  const retry = budget.takeRetry(app.monotonic(), context.response, shareOf(context, tries))
  if (!retry) return undefined
  app.metrics.retries.inc()
  return { budget, retry }
}

const countCall = (app: App, context: CallContext): RetryBudget => {
  const budgets = retryBudgets(app, context.target.candidates)
  context.retryBudgets = budgets
  budgets.retries.addCall(app.monotonic())
  budgets.moves.addCall(app.monotonic())
  return budgets.retries
}

type Ended = { error: ErrorClassification | undefined; attempts: number }

/** The key is chosen in the same turn as the channel, so that two calls never become the probe of one key. */
const keyFor = (
  app: App,
  { target, warmKey, failedKeys: failed }: CallContext,
  { model, operation }: RetryCriteria,
  channel: Channel,
): ChannelKey => {
  const preferredKey = warmKey?.channel === channel ? warmKey.fingerprint : undefined
  return target.key ?? chooseKey(app, channel, { model, operation, failed, preferredKey })
}

type AloneAttempt = RunningAttempt & { attempt: TryChannel }

const attemptAlone = async (
  app: App,
  context: CallContext,
  { account, criteria, tries, attempt }: AloneAttempt,
): Promise<Ended> => {
  const { channel, key } = account
  context.key = key
  const startedAt = app.monotonic()
  const endProbe = startProbe(app, key, criteria, context.response)
  try {
    const running = { account, criteria, tries }
    const error = await attempt(channel, key, () => canTryAnother(app, context, running))
    recordEnd(app, context, criteria, { channel, key, startedAt, error })
    return { error, attempts: 1 }
  } finally {
    endProbe?.()
  }
}

/** A hedge is one of the retries that a call may have, and needs a channel to go to. */
const canHedge = (app: App, { target, forcedChannel }: CallContext, tries: number): boolean => {
  const { HedgedStartEnabled, RetryTimes } = app.settings().retry
  return (
    HedgedStartEnabled &&
    tries < RetryTimes &&
    target.candidates.size > 1 &&
    target.key === undefined &&
    forcedChannel?.only === undefined
  )
}

type HedgedAttempt = RunningAttempt & {
  open: OpenChannel
  budget: RetryBudget
}

const attemptHedged = async (
  app: App,
  context: CallContext,
  { account, criteria, tries, open, budget }: HedgedAttempt,
): Promise<Ended> => {
  const { ended, attempts } = await startHedged(app, context, {
    ...{ open, criteria, first: account },
    canTryAnother: () => canTryAnother(app, context, { account, criteria, tries }),
    budgetMs: app.settings().retry.HedgedStartMilliseconds,
    chooseSecond: () => {
      const excluded = new Set(criteria.excluded).add(account.channel.id)
      const channel = pick(context.target.candidates, { ...criteria, excluded })
      if (!channel || !budget.takeHedge(app.monotonic())) return undefined
      return { channel, key: keyFor(app, context, criteria, channel) }
    },
  })
  recordEnd(app, context, criteria, ended)
  return { error: ended.error, attempts }
}

/** Another group helps where this one has no healthy channel left; not after a refusal that every channel would repeat. */
const moveToBackup = (context: CallContext, { stop }: Failure): boolean => {
  const { backup, caller, target } = context
  if (!backup || !['no_candidate', 'retry_limit', 'retry_budget'].includes(stop)) return false
  context.backup = undefined
  context.caller = { ...caller, group: backup.group }
  context.target = { ...target, candidates: backup.candidates }
  return true
}

/** Why no further channel is tried after a failure; undefined: one is. */
const stopReasonOf = (
  app: App,
  { abort, startedAt, forcedChannel }: CallContext,
  { error, tries }: { error: ErrorClassification; tries: number },
): StopReason | undefined => {
  const { RetryTimes, RetryTimeOut } = app.settings().retry
  if (abort.reason !== undefined) return 'aborted'
  if (!error.canRetry) return 'not_retryable'
  if (forcedChannel?.only !== undefined) return 'forced'
  if (tries >= RetryTimes) return 'retry_limit'
  return app.monotonic() > startedAt + RetryTimeOut * 1_000 ? 'time_limit' : undefined
}

const makeCriteria = (
  app: App,
  context: CallContext,
  endpoints: Operation | undefined,
): RetryCriteria => {
  const { parsed, operation, warmKey } = context
  return {
    model: parsed.model,
    operation,
    endpoints,
    preferred: warmKey?.channel,
    hasTools: parsed.hasTools,
    stream: parsed.stream,
    promptTokens: parsed.promptTokens,
    excluded: excludedFrom(context),
    cooldownEnd: cooldownEnd(app),
    isProbed: isProbed(app),
  }
}

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

/** Clients such as Claude Code read the fault's message, and shorten the conversation. */
const tooLong = ({ parsed }: CallContext, channels: readonly Channel[]): Fault => {
  const largest = Math.max(...channels.map(each => contextSizeOf(each, parsed.model) ?? 0))
  const hint = `About ${parsed.promptTokens} tokens, and at most ${largest} are accepted.`
  return new Fault('upstream.context', { hint })
}

type Exhausted = { last: ErrorClassification | undefined; criteria: PickCriteria }

const faultOf = (app: App, context: CallContext, { last, criteria }: Exhausted): Fault => {
  if (context.abort.reason === 'stopping')
    return new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (!last) {
    const hint = `Model: ${requestedModelOf(context).slice(0, 200)}.`
    const channels = context.target.candidates.tiers.flatMap(each => each.channels)
    const obstacles = channels.map(each => obstacleOf(each, criteria))
    if (obstacles.every(each => each === 'no_operation'))
      return new Fault('operation.unsupported', { hint })
    if (obstacles.includes('context_too_small') && obstacles.every(each => each !== undefined))
      return tooLong(context, channels)
    const { RetryCooldownSeconds } = app.settings().retry
    return new Fault('channel.none', { hint, retryAfterSeconds: Math.max(1, RetryCooldownSeconds) })
  }
  context.record.upstreamError = last.upstreamResponse
  return last.fault
}
