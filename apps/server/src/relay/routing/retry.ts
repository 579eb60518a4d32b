import { Fault } from '@hub/contract'
import type { Operation } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { CallCounter } from '../../core/metrics.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { type CallContext, requestedModelOf } from '../context.ts'
import { classifyBrokenStream, type ErrorClassification } from '../upstream/classify-error.ts'
import {
  type CooldownKey,
  cooldownEnd,
  countFailure,
  countSuccess,
  isProbed,
  startProbe,
} from './cooldown.ts'
import { chooseKey, hasOtherKey, isKeyFailure, refuseKey } from './keys.ts'
import { obstacleOf, type PickCriteria, pick, pickCoolingDown } from './pick.ts'
import { retryBudget } from './retry-budget.ts'
import { noteChoice, noteStop, type StopReason } from './route-note.ts'
import { shareCooldown } from './shared-cooldowns.ts'
import { findWarmKey, rememberWarmKey } from './warm-keys.ts'

type TryChannel = (channel: Channel, key: ChannelKey) => Promise<ErrorClassification | undefined>

/**
 * Tries channels until one answers: those of the call's group, then those of the token's backup group. `attempt` returns
 * undefined once the caller was answered, and a classification as long as no byte was sent: after the first byte there
 * is no other channel. Channels whose provider has no `endpoints` are passed over.
 */
export const retry = async (
  app: App,
  context: CallContext,
  attempt: TryChannel,
  endpoints?: Operation,
): Promise<void> => {
  context.warmKey = findWarmKey(app, context)
  const criteria = makeCriteria(app, context, endpoints)
  let failed = await retryInGroup(app, context, criteria, attempt)
  if (failed && moveToBackup(context, failed)) {
    const { last } = failed
    failed = await retryInGroup(app, context, criteria, attempt)
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
  attempt: TryChannel,
): Promise<Failure | undefined> => {
  const budget = retryBudget(app, context.target.candidates)
  budget.addCall(app.monotonic())
  let last: ErrorClassification | undefined
  let stop: StopReason | undefined
  for (let tries = 0; stop === undefined; tries++) {
    const channel = pickChannel(context, criteria, tries)
    const retryTaken = channel && tries > 0 ? budget.take(app.monotonic()) : undefined
    if (!channel || (tries > 0 && retryTaken === undefined)) {
      stop = channel ? 'retry_budget' : 'no_candidate'
      break
    }
    noteChoice(app, context, criteria, channel)
    if (tries > 0) app.metrics.retries.inc()
    const startedAt = app.monotonic()
    const error = await attemptWithKey(app, context, { channel, criteria, attempt })
    countAttempt(app, channel, outcomeOf(context, error))
    if (error || context.streamFault) addFailedAttempt(app, context, { channel, startedAt, error })
    // An aborted call says nothing about the channel.
    const isAborted = context.aborted !== undefined
    if (error === undefined) {
      if (retryTaken !== undefined) budget.giveBack(retryTaken)
      if (!isAborted) countAnswer(app, context, { channel, criteria })
      return undefined
    }
    last = error
    if (!isAborted) countRefusal(app, context, { channel, criteria, error })
    stop = stopReasonOf(app, context, { error, tries })
  }
  return { stop, last }
}

type KeyedAttempt = { channel: Channel; criteria: RetryCriteria; attempt: TryChannel }

/** The key is chosen in the same turn as the channel, so that two calls never become the probe of one key. */
const attemptWithKey = async (
  app: App,
  context: CallContext,
  { channel, criteria, attempt }: KeyedAttempt,
): Promise<ErrorClassification | undefined> => {
  const { target, warmKey, failedKeys: failed } = context
  const { model, operation } = criteria
  const preferredKey = warmKey?.channel === channel ? warmKey.fingerprint : undefined
  const key = target.key ?? chooseKey(app, channel, { model, operation, failed, preferredKey })
  context.key = key
  const endProbe = startProbe(app, key, criteria, context)
  try {
    return await attempt(channel, key)
  } finally {
    endProbe?.()
  }
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

/** Counts the failure against the channel, and leaves the channel out unless another of its keys may answer. */
const countRefusal = (app: App, context: CallContext, failed: FailedChannel): void => {
  recordFailure(app, context, failed)
  if (canTryOtherKey(app, context, failed)) return
  const { criteria, channel } = failed
  criteria.excluded ??= new Set()
  criteria.excluded.add(channel.id)
}

/** Why no further channel is tried after a failure; undefined: one is. */
const stopReasonOf = (
  app: App,
  { aborted, startedAt, forcedChannel }: CallContext,
  { error, tries }: { error: ErrorClassification; tries: number },
): StopReason | undefined => {
  const { RetryTimes, RetryTimeOut } = app.settings().retry
  if (aborted !== undefined) return 'aborted'
  if (!error.canRetry) return 'not_retryable'
  if (forcedChannel?.only !== undefined) return 'forced'
  if (tries >= RetryTimes) return 'retry_limit'
  return app.monotonic() > startedAt + RetryTimeOut * 1_000 ? 'time_limit' : undefined
}

/** A stream that broke after its first byte is a failure of its channel, although nothing else may answer the call. */
const countAnswer = (
  app: App,
  context: CallContext,
  { channel, criteria }: { channel: Channel; criteria: CooldownKey },
): void => {
  const { streamFault, key } = context
  if (!key) return
  if (streamFault) {
    const { RetryCooldownSeconds } = app.settings().retry
    const error = classifyBrokenStream(streamFault, RetryCooldownSeconds)
    coolDown(app, { channel, key, criteria, error })
  } else {
    countSuccess(app, key, criteria)
    rememberWarmKey(app, context, { channel, key })
  }
}

type Failed = {
  channel: Channel
  key: ChannelKey
  criteria: CooldownKey
  error: ErrorClassification
}

const coolDown = (app: App, { channel, key: channelKey, criteria, error }: Failed): void => {
  const milliseconds = countFailure(app, channelKey, criteria, error)
  const { model, operation } = criteria
  if (milliseconds > 0)
    shareCooldown(app, channel, { channelKey, key: { model, operation }, milliseconds })
}

type RetryCriteria = PickCriteria & { excluded: Set<number> | undefined }

/**
 * A channel that another call probes is asked only if the call has no healthy one, and a channel that is cooling down only
 * if it has no other at all, and only once, so that an outage stays cheap.
 */
const pickChannel = (
  { target, backup, virtual }: CallContext,
  criteria: RetryCriteria,
  tries: number,
) => {
  const healthy = pick(target.candidates, criteria)
  if (healthy || backup || (virtual && virtual.rest.length > 0)) return healthy
  return (
    pick(target.candidates, { ...criteria, isProbed: undefined }) ??
    (tries === 0 ? pickCoolingDown(target.candidates, criteria) : undefined)
  )
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
    excluded: excludedFrom(context),
    cooldownEnd: cooldownEnd(app),
    isProbed: isProbed(app),
    random: Math.random,
  }
}

/** Two candidates of a virtual model may be one model in two groups, and share a channel that failed. */
const excludedFrom = ({
  forcedChannel,
  virtual,
  failedAttempts = [],
  parsed,
}: CallContext): Set<number> | undefined => {
  const except = forcedChannel?.except
  const failed = virtual ? failedAttempts.filter(each => each.model === parsed.model) : []
  if (except === undefined && failed.length === 0) return undefined
  const ids = failed.map(each => each.channel_id)
  return new Set(except === undefined ? ids : [...ids, except])
}

type Exhausted = { last: ErrorClassification | undefined; criteria: PickCriteria }

const faultOf = (app: App, context: CallContext, { last, criteria }: Exhausted): Fault => {
  if (context.aborted === 'stopping') return new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (!last) {
    const hint = `Model: ${requestedModelOf(context).slice(0, 200)}.`
    const channels = context.target.candidates.tiers.flatMap(each => each.channels)
    if (channels.every(each => obstacleOf(each, criteria) === 'no_operation'))
      return new Fault('operation.unsupported', { hint })
    const { RetryCooldownSeconds } = app.settings().retry
    return new Fault('channel.none', { hint, retryAfterSeconds: Math.max(1, RetryCooldownSeconds) })
  }
  context.upstreamError = last.upstreamResponse
  return last.fault
}

const outcomeOf = (context: CallContext, error: ErrorClassification | undefined): string =>
  context.aborted === 'caller-left'
    ? 'caller.left'
    : ((error?.fault ?? context.streamFault)?.code ?? 'ok')

type FailedTry = { channel: Channel; startedAt: number; error: ErrorClassification | undefined }

/** For the error's log row. A stream that broke was answered, so that it has no classification. */
const addFailedAttempt = (
  app: App,
  context: CallContext,
  { channel, startedAt, error }: FailedTry,
) => {
  const fault = error?.fault ?? context.streamFault
  context.failedAttempts ??= []
  context.failedAttempts.push({
    channel_id: channel.id,
    channel: channel.name,
    code: outcomeOf(context, error),
    status: error?.upstreamStatus ?? null,
    after: Math.max(0, Math.round(startedAt - context.startedAt)),
    milliseconds: Math.round(app.monotonic() - startedAt),
    ...(context.virtual && { model: context.parsed.model }),
    ...(context.key && channel.storedKeys.length > 1 && { key: context.key.index }),
    detail: fault?.detail ?? '',
  })
}

type FailedChannel = { channel: Channel; criteria: RetryCriteria; error: ErrorClassification }

const recordFailure = (
  app: App,
  { key, requestId }: CallContext,
  { channel, criteria, error }: FailedChannel,
) => {
  if (key && error.refusedCredential === undefined) coolDown(app, { channel, key, criteria, error })
  else if (key) refuseKey(app, channel, key, { error, model: criteria.model, requestId })
  app.log.info(
    { channel: channel.id, code: error.fault.code, detail: error.fault.detail },
    'a channel did not answer',
  )
}

/** A call that continues a stored response has the key that created it, and no other. */
const canTryOtherKey = (app: App, context: CallContext, failed: FailedChannel): boolean => {
  const { key, target } = context
  const { channel, criteria, error } = failed
  if (!key || channel.keys.length === 1 || target.key || !isKeyFailure(error)) return false
  context.failedKeys ??= new Set()
  context.failedKeys.add(key)
  return hasOtherKey(app, channel, { ...criteria, failed: context.failedKeys })
}

/** Bounds the number of time series. Attempts at further channels are counted together. */
const channelsMax = 2_000
const otherChannels = 'other'

const countersOf = appScoped(() => new Map<string, Map<string, CallCounter>>())

/** Counts an attempt by channel and outcome: `ok`, `caller.left` or a fault code. */
const countAttempt = (app: App, { id }: Channel, outcome: string): void => {
  const counters = countersOf(app)
  const own = String(id)
  const channel = counters.has(own) || counters.size < channelsMax ? own : otherChannels
  const byOutcome = counters.get(channel) ?? new Map<string, CallCounter>()
  const counter = byOutcome.get(outcome) ?? app.metrics.channelAttempts(channel, outcome)
  counter.n++
  if (counter.n > 1) return
  byOutcome.set(outcome, counter)
  counters.set(channel, byOutcome)
}
