import { emptyAnswer, type FailedAttempt, hedgeCancelled } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { CallCounter } from '../../core/metrics.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { reportEmptyAccount } from '../channels/status.ts'
import type { CallContext } from '../context.ts'
import { type CooldownKey, countFailure, countSuccess } from '../routing/cooldown.ts'
import { hasOtherKey, isKeyFailure, refuseKey } from '../routing/keys.ts'
import type { PickCriteria } from '../routing/pick.ts'
import { shareCooldown } from '../routing/shared-cooldowns.ts'
import { rememberWarmKey } from '../routing/warm-keys.ts'
import { traceAttempt } from '../telemetry/spans.ts'
import { classifyBrokenStream, type ErrorClassification } from '../upstream/classify-error.ts'

export type RetryCriteria = PickCriteria & {
  excluded: Set<number> | undefined
  /** The fingerprint of the preferred channel's key that has the conversation's prompt in its cache. */
  preferredKey: string | undefined
  /** Keys that failed in this call, of channels that may be tried again with another. */
  failedKeys: Set<ChannelKey> | undefined
}

/** One attempt at one channel. */
export type StartedAttempt = { channel: Channel; key: ChannelKey; startedAt: number }

export type EndedAttempt = StartedAttempt & {
  /** Undefined: the caller was answered, or has left. */
  error: ErrorClassification | undefined
}

/** Counts an attempt for metrics, the health of its channel and the log row. */
export const recordEnd = (
  app: App,
  context: CallContext,
  criteria: RetryCriteria,
  ended: EndedAttempt,
): void => {
  const { error } = ended
  const outcome = outcomeOf(context, error)
  countAttempt(app, ended.channel, outcome)
  if (error || context.record.streamFault) addFailedAttempt(app, context, ended)
  if (context.record.trace)
    traceAttempt(app, context, ended, { outcome, status: error?.upstreamStatus })
  // An aborted call says nothing about the channel.
  if (context.abort.reason !== undefined) return
  if (error) countRefusal(app, context, { ...ended, criteria, error })
  else countAnswer(app, context, { ...ended, criteria })
}

/** Notes an attempt that another one made needless. It says nothing about the health of its channel. */
export const recordCancelled = (
  app: App,
  context: CallContext,
  cancelled: StartedAttempt,
): void => {
  countAttempt(app, cancelled.channel, hedgeCancelled)
  if (context.record.trace) traceAttempt(app, context, cancelled, { outcome: hedgeCancelled })
  addAttempt(app, context, cancelled, { code: hedgeCancelled, status: null, detail: '' })
}

/** Notes an answer that the caller got although it has no output, for the log row and the health of its channel. */
export const noteEmptyAnswer = (
  app: App,
  context: CallContext,
  { channel, key }: Pick<StartedAttempt, 'channel' | 'key'>,
): void => {
  const startedAt = context.upstream.times?.sentAt ?? context.startedAt
  const result = { code: emptyAnswer, status: null, detail: '' }
  addAttempt(app, context, { channel, key, startedAt }, result)
}

const outcomeOf = (context: CallContext, error: ErrorClassification | undefined): string =>
  context.abort.reason === 'caller-left'
    ? 'caller.left'
    : ((error?.fault ?? context.record.streamFault)?.code ?? 'ok')

/** For the log row. A stream that broke was answered, so that it has no classification. */
const addFailedAttempt = (app: App, context: CallContext, ended: EndedAttempt) => {
  const { error } = ended
  addAttempt(app, context, ended, {
    code: outcomeOf(context, error),
    status: error?.upstreamStatus ?? null,
    detail: (error?.fault ?? context.record.streamFault)?.detail ?? '',
  })
}

const addAttempt = (
  app: App,
  context: CallContext,
  { channel, key, startedAt }: StartedAttempt,
  result: Pick<FailedAttempt, 'code' | 'status' | 'detail'>,
) => {
  context.record.failedAttempts ??= []
  context.record.failedAttempts.push({
    channel_id: channel.id,
    channel: channel.name,
    ...result,
    after: Math.max(0, Math.round(startedAt - context.startedAt)),
    milliseconds: Math.round(app.monotonic() - startedAt),
    ...(context.virtual && { model: context.parsed.model }),
    ...(channel.storedKeys.length > 1 && { key: key.index }),
  })
}

type CountedAttempt = EndedAttempt & { criteria: RetryCriteria }

/** A stream that broke after its first byte is a failure of its channel, although nothing else may answer the call. */
const countAnswer = (app: App, context: CallContext, answered: CountedAttempt): void => {
  const { streamFault } = context.record
  const { channel, key, criteria } = answered
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

type FailedChannel = CountedAttempt & { error: ErrorClassification }

/** Counts the failure against the channel, and leaves the channel out unless another of its keys may answer. */
const countRefusal = (app: App, context: CallContext, failed: FailedChannel): void => {
  recordFailure(app, context, failed)
  if (canTryOtherKey(app, context, failed)) return
  const { criteria, channel } = failed
  criteria.excluded ??= new Set()
  criteria.excluded.add(channel.id)
}

const recordFailure = (app: App, { requestId }: CallContext, failed: FailedChannel) => {
  const { channel, key, criteria, error } = failed
  // A vendor may refuse one call for its price, which leaves the key in use.
  const isEmpty = error.fault.code === 'upstream.funds' && error.refusedCredential !== undefined
  if (isEmpty) noteEmptyAccount(app, channel, error)
  if (error.refusedCredential === undefined) coolDown(app, failed)
  else refuseKey(app, channel, key, { error, model: criteria.model, requestId })
  app.log.info(
    { channel: channel.id, code: error.fault.code, detail: error.fault.detail },
    'a channel did not answer',
  )
}

const noteEmptyAccount = (app: App, channel: Channel, { fault, reason }: ErrorClassification) => {
  reportEmptyAccount(app, channel, reason || (fault.detail ?? '')).catch(error =>
    app.log.error({ err: error, channel: channel.id }, 'could not tell of an empty account'),
  )
}

/** A call that continues a stored response has the key that created it, and no other. */
const canTryOtherKey = (app: App, context: CallContext, failed: FailedChannel): boolean => {
  const { channel, key, criteria, error } = failed
  if (channel.keys.length === 1 || context.target.key || !isKeyFailure(error)) return false
  criteria.failedKeys ??= new Set()
  criteria.failedKeys.add(key)
  return hasOtherKey(app, channel, { ...criteria, failed: criteria.failedKeys })
}

/** Bounds the number of time series. Attempts at further channels are counted together. */
const channelsMax = 2_000
const otherChannels = 'other'

const countersOf = appScoped(() => new Map<string, Map<string, CallCounter>>())

/** Counts an attempt by channel and outcome: `ok`, `caller.left`, `hedge.cancelled` or a fault code. */
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
