import { isDialect, type ParsedRequest } from '@hub/dialects'
import type { OpenHold, Reservation } from '../billing/open-hold.ts'
import { withHold } from '../billing/with-hold.ts'
import type { App } from '../core/app.ts'
import { timers } from '../core/timers.ts'
import { attemptChannel, openerOf } from './attempt.ts'
import { identify } from './auth/identify.ts'
import { findVirtualModel } from './channels/virtual-models.ts'
import type {
  AuthenticatedContext,
  CallContext,
  RequestContext,
  ResolvedRequest,
  RoutingTarget,
} from './context.ts'
import type { Handler } from './handler.ts'
import { withIdempotency } from './idempotency/with-idempotency.ts'
import { checkModelAllowed, type LimitedCall, withAdmission } from './limits/admit.ts'
import { limitAnswer } from './operations/limit-answer.ts'
import type { Operation } from './operations/operation.ts'
import { boundOutput } from './operations/unseen-output.ts'
import { bothModes, reservedModes } from './price-fields/reserved-modes.ts'
import { readBody } from './request/body.ts'
import { checkContent } from './request/content-check.ts'
import { formAsJson } from './request/form-json.ts'
import { isForm, readForm } from './request/read-form.ts'
import { findSessionKey } from './request/session-key.ts'
import { beginAnswer, streamHeaders, writeChunks } from './response/write.ts'
import { withResponseCache } from './response-cache/with-response-cache.ts'
import { runInBackground } from './responses-store/local/background.ts'
import { retry } from './retry/retry.ts'
import { type ReservedRequest, resolveVirtual } from './virtual-models/resolve.ts'
import { tryCandidates } from './virtual-models/try-candidates.ts'

/** Creates the handler of a charged operation. */
export const createCallHandler =
  (operation: Operation): Handler =>
  async (app, request) => {
    const context = await identify(app, request)
    await withAdmission(app, context, limited => runCall(app, context, { operation, limited }))
  }

type CallSteps = { operation: Operation; limited: LimitedCall }

/** Read, resolve the target, reserve, try channels until one answers. Each answer settles its hold before its end. */
const runCall = async (
  app: App,
  context: AuthenticatedContext,
  { operation, limited }: CallSteps,
): Promise<void> => {
  const { body, identity } = await readRequest(app, context, operation.forms)
  const parsed = operation.read(context, body)
  context.parsed = parsed
  context.session = findSessionKey(context.request.headers, parsed)
  checkModelAllowed(context.token, parsed.model)
  checkContent(app, context, parsed)
  await withIdempotency(app, context, identity, async idempotency => {
    const { resolved, reservation: most } = await resolveCall(app, context, operation, parsed)
    const reservation = { ...most, idempotency }
    const cacheable = {
      ...{ resolved, idempotency },
      whileWaiting: <T>(wait: () => Promise<T>) => withEarlyPings(app, context, parsed, wait),
    }
    await withResponseCache(app, context, cacheable, watch =>
      limited(context, reservation, trackUsage =>
        withHold(app, context, reservation, hold => {
          const limited = limitAnswer(context, resolved, hold.outputLimit)
          const call = makeCall(context, { ...limited, hold: watch(trackUsage(hold)) })
          const run = () =>
            retry(app, call, {
              endpoints: operation.endpoints,
              attempt: (channel, key, canTryAnother) =>
                attemptChannel(app, call, operation, { channel, key, canTryAnother }),
              open: operation.canHedge?.(call) ? openerOf(app, operation) : undefined,
            })
          const runCandidates = () =>
            withEarlyPings(app, call, call.parsed, () => tryCandidates(call, run))
          const { background } = call.target
          keepBackground(call)
          return background
            ? runInBackground(app, call, background, runCandidates)
            : runCandidates()
        }),
      ),
    )
  })
}

/** Resolves the target and what it may cost: that of the model, or those of a virtual model's candidates. */
const resolveCall = (
  app: App,
  context: AuthenticatedContext,
  operation: Operation,
  parsed: ParsedRequest,
): ReservedRequest | Promise<ReservedRequest> => {
  const reserve = (resolved: ResolvedRequest): ReservedRequest | Promise<ReservedRequest> => {
    const reservation = reserveBothGroups(context, operation, resolved)
    const { candidates } = resolved.target
    const { dialect, backup } = context
    const groups = backup ? [candidates, backup.candidates] : [candidates]
    const { endpoints } = operation
    const bounded = { parsed: resolved.parsed, dialect, endpoints, groups }
    const bound = boundOutput(app, bounded, reservation)
    const withBound = (outputBound: typeof reservation.outputBound) => ({
      resolved,
      reservation: { ...reservation, outputBound },
    })
    return bound instanceof Promise ? bound.then(withBound) : withBound(bound)
  }
  const resolve = (request: ParsedRequest) => {
    const resolved = operation.resolveTarget(app, context, request)
    return resolved instanceof Promise ? resolved.then(reserve) : reserve(resolved)
  }
  const virtual = findVirtualModel(app, parsed.model)
  return virtual ? resolveVirtual(app, context, { virtual, parsed }, resolve) : resolve(parsed)
}

/**
 * Reserves what the call costs in its own group or in the backup group of its token, whichever is more. A call that only
 * some channels may serve, because they store what it continues, has no backup group.
 */
const reserveBothGroups = (
  context: AuthenticatedContext,
  operation: Operation,
  resolved: ResolvedRequest,
): Reservation => {
  const { backup } = context
  const { candidates } = resolved.target
  const modes = reservedModes(resolved.parsed, context.request.headers, candidates)
  const own = { ...operation.reservation(resolved), ...modes }
  if (!backup) return own
  if (resolved.target.candidates !== backup.own) {
    context.backup = undefined
    return own
  }
  const target = { ...resolved.target, candidates: backup.candidates }
  const { models, promptTokens } = operation.reservation({ ...resolved, target })
  return {
    ...own,
    ...bothModes(own, reservedModes(resolved.parsed, context.request.headers, backup.candidates)),
    promptTokens: Math.max(own.promptTokens, promptTokens),
    others: [{ group: backup.group, models }],
  }
}

/** Another candidate of a virtual model makes the response where the first one began it: here, or at its vendor. */
const keepBackground = ({ virtual, target }: CallContext): void => {
  if (virtual)
    virtual.rest = virtual.rest.filter(each => each.target.background === target.background)
}

type CallFields = { parsed: ParsedRequest; target: RoutingTarget; hold: OpenHold }

const makeCall = (context: RequestContext, { parsed, target, hold }: CallFields): CallContext => {
  context.parsed = parsed
  context.target = target
  context.hold = hold
  return context as CallContext
}

/**
 * Pings the caller while no channel has answered, because proxies cut connections that are silent for a minute. The head
 * is sent with the first ping. Another channel may still be tried; a later fault is an error event, or the body under 200.
 */
const withEarlyPings = async <T>(
  app: App,
  context: AuthenticatedContext,
  parsed: ParsedRequest,
  work: () => Promise<T>,
): Promise<T> => {
  const pings = earlyPings(app, context, parsed)
  if (!pings) return work()
  const timer = timers(app).start(pings.delay, () => {
    if (context.response.firstByteAt !== undefined || context.abort.reason !== undefined) return
    beginAnswer(context, pings.headers)
    writeChunks(context.response, [pings.ping])
    timers(app).refresh(timer, pings.interval)
  })
  context.response.sendsEarlyPings = true
  try {
    return await work()
  } finally {
    timers(app).stop(timer)
  }
}

/** Milliseconds between the pings of a token's heartbeat, as in One Hub. */
const heartbeatInterval = 5_000
/** JSON may begin with any white space: https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const jsonPing = Buffer.from('\n')
const jsonHeaders = ['content-type', 'application/json', 'x-accel-buffering', 'no']

type EarlyPings = { ping: Buffer; headers: readonly string[]; delay: number; interval: number }

/** Streams are pinged by the setting of the site, and both streams and whole answers by the heartbeat of their token. */
const earlyPings = (
  app: App,
  { dialect, caller, body }: AuthenticatedContext,
  parsed: ParsedRequest,
): EarlyPings | undefined => {
  const { heartbeat } = caller.setting
  const ofToken = heartbeat.enabled ? heartbeat.timeout_seconds * 1_000 : Number.POSITIVE_INFINITY
  const ofSite = app.settings().relay.PingSeconds * 1_000 || Number.POSITIVE_INFINITY
  const delay = parsed.stream ? Math.min(ofToken, ofSite) : ofToken
  // The caller of a background response must not see a byte before its hold is detached.
  if (delay === Number.POSITIVE_INFINITY || parsed.state?.background) return undefined
  if (parsed.stream) {
    if (dialect.ping === '') return undefined
    const ping = Buffer.from(dialect.pingBeforeFirstEvent ?? dialect.ping)
    const interval = heartbeat.enabled ? Math.min(ofSite, heartbeatInterval) : ofSite
    return { ping, headers: streamHeaders(dialect), delay, interval }
  }
  // Other operations may answer with something other than JSON; a message of a WebSocket has no beginning.
  if (!isDialect(dialect) || body.received !== undefined) return undefined
  return { ping: jsonPing, headers: jsonHeaders, delay, interval: heartbeatInterval }
}

/** Enough for the largest files that vendors document: 100 MB of audio, and several images of 50 MB. */
const formMax = 128 * 1024 * 1024

type RequestBody = {
  body: Buffer
  /** Equal for retries of the same request. */
  identity: Buffer
}

/** Reads the body of an operation. Where it is a form, the context has it, and its fields are returned as JSON. */
const readRequest = async (
  app: App,
  context: RequestContext,
  forms: 'accepted' | 'required' | undefined,
): Promise<RequestBody> => {
  const canBeForm = forms !== undefined && isForm(context.request.headers['content-type'])
  if (!canBeForm && forms !== 'required') {
    const body = await readBody(app, context)
    return { body, identity: body }
  }
  const form = await readForm(app, context, formMax)
  return { body: formAsJson(form), identity: Buffer.from(form.digest) }
}
