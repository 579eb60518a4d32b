import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { CallCounter } from '../../core/metrics.ts'
import { type Channel, refuseCredential } from '../channels/channel.ts'
import type { CallContext } from '../context.ts'
import type { ErrorClassification } from '../upstream/classify-error.ts'
import {
  type CooldownKey,
  cooldownEnd,
  countFailure,
  countSuccess,
  startChannelCooldown,
} from './cooldown.ts'
import { type PickCriteria, pick, pickCoolingDown } from './pick.ts'

/**
 * Tries channels until one answers. `attempt` returns undefined once the caller was answered, and a classification as
 * long as no byte was sent: after the first byte there is no other channel.
 */
export const retry = async (
  app: App,
  context: CallContext,
  attempt: (channel: Channel) => Promise<ErrorClassification | undefined>,
): Promise<void> => {
  const { RetryTimes, RetryTimeOut } = app.settings().retry
  const deadline = context.startedAt + RetryTimeOut * 1_000
  const criteria = makeCriteria(app, context)
  let last: ErrorClassification | undefined
  for (let tries = 0; tries <= RetryTimes; tries++) {
    const channel = pickChannel(context, criteria, tries)
    if (!channel) break
    if (tries > 0) app.metrics.retries.inc()
    const startedAt = app.monotonic()
    const error = await attempt(channel)
    countAttempt(app, channel, outcomeOf(context, error))
    if (error || context.streamFault) addFailedAttempt(app, context, { channel, startedAt, error })
    // An aborted call says nothing about the channel.
    const isAborted = context.aborted !== undefined
    if (error === undefined) return isAborted ? undefined : countSuccess(app, channel, criteria)
    last = error
    if (isAborted) break
    recordFailure(app, channel, criteria, error)
    criteria.excluded ??= new Set()
    criteria.excluded.add(channel.id)
    const isLate = app.monotonic() > deadline
    if (!error.canRetry || isLate || context.forcedChannel?.only !== undefined) break
  }
  throw faultOf(app, context, last)
}

type RetryCriteria = PickCriteria & { excluded: Set<number> | undefined }

/** Asks a channel that is cooling down only if the call has no other, and only once, so that an outage stays cheap. */
const pickChannel = ({ target }: CallContext, criteria: RetryCriteria, tries: number) =>
  pick(target.candidates, criteria) ??
  (tries === 0 ? pickCoolingDown(target.candidates, criteria) : undefined)

const makeCriteria = (
  app: App,
  { parsed, operation, forcedChannel }: CallContext,
): RetryCriteria => {
  const except = forcedChannel?.except
  return {
    model: parsed.model,
    operation,
    hasTools: parsed.hasTools,
    stream: parsed.stream,
    excluded: except === undefined ? undefined : new Set([except]),
    cooldownEnd: cooldownEnd(app),
    random: Math.random,
  }
}

const faultOf = (app: App, context: CallContext, last: ErrorClassification | undefined): Fault => {
  if (context.aborted === 'stopping') return new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (!last)
    return new Fault('channel.none', {
      hint: `Model: ${context.parsed.model.slice(0, 200)}.`,
      retryAfterSeconds: Math.max(1, app.settings().retry.RetryCooldownSeconds),
    })
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
    milliseconds: Math.round(app.monotonic() - startedAt),
    detail: fault?.detail ?? '',
  })
}

const recordFailure = (
  app: App,
  channel: Channel,
  key: CooldownKey,
  error: ErrorClassification,
) => {
  const { refusedCredential: refused, reason, cooldownSeconds } = error
  if (refused === undefined) countFailure(app, channel, key, error)
  else if (refuseCredential(app, channel, refused, reason))
    startChannelCooldown(app, channel, cooldownSeconds)
  app.log.info(
    { channel: channel.id, code: error.fault.code, detail: error.fault.detail },
    'a channel did not answer',
  )
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
