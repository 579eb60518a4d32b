import { isDialect, type ParsedRequest } from '@hub/dialects'
import type { OpenHold } from '../billing/open-hold.ts'
import { withHold } from '../billing/with-hold.ts'
import type { App } from '../core/app.ts'
import { timers } from '../core/timers.ts'
import { attemptChannel, openerOf } from './attempt.ts'
import { identify } from './auth/identify.ts'
import type {
  AuthenticatedContext,
  CallContext,
  CallTarget,
  ReadContext,
  RequestContext,
} from './context.ts'
import type { Handler } from './handler.ts'
import { withIdempotency } from './idempotency/with-idempotency.ts'
import { checkModelAllowed, type LimitedCall, withAdmission } from './limits/admit.ts'
import { limitAnswer } from './operations/limit-answer.ts'
import type { Operation } from './operations/operation.ts'
import { planCall } from './plan-call.ts'
import { readBody } from './request/body.ts'
import { checkContent } from './request/content-check.ts'
import { formAsJson } from './request/form-json.ts'
import { isForm, readForm } from './request/read-form.ts'
import { withRequest } from './request/with-request.ts'
import { beginAnswer, streamHeaders, writeChunks } from './response/write.ts'
import { withResponseCache } from './response-cache/with-response-cache.ts'
import { runInBackground } from './responses-store/local/background.ts'
import { tryChannels } from './tries/try-channels.ts'

/** Creates the handler of a charged operation. */
export const createCallHandler =
  (operation: Operation): Handler =>
  async (app, request) => {
    const context = await identify(app, request)
    await withAdmission(app, context, limited => runCall(app, context, { operation, limited }))
  }

type CallSteps = { operation: Operation; limited: LimitedCall }

/** Read, plan, reserve, try channels until one answers. Each answer settles its hold before its end. */
const runCall = async (
  app: App,
  identified: AuthenticatedContext,
  { operation, limited }: CallSteps,
): Promise<void> => {
  const { body, identity } = await readRequest(app, identified, operation.forms)
  const context = withRequest(app, identified, operation.read(identified, body))
  const { parsed } = context
  checkModelAllowed(context.token, parsed.model)
  checkContent(app, context, parsed)
  await withIdempotency(app, context, identity, async idempotency => {
    const plan = await planCall(app, context, operation)
    const cacheable = {
      ...{ plan, idempotency },
      whileWaiting: <T>(wait: () => Promise<T>) => withEarlyPings(app, context, parsed, wait),
    }
    const call = { ...context, caller: plan.targets[0]!.caller }
    const reservation = { ...plan.reservation, idempotency }
    await withResponseCache(app, call, cacheable, watch =>
      limited(call, reservation, trackUsage =>
        withHold(app, call, reservation, hold => {
          const targets = limitAnswer(context.dialect, plan.targets, hold.outputLimit)
          return serve(app, context, { operation, targets, hold: watch(trackUsage(hold)) })
        }),
      ),
    )
  })
}

type ReservedCall = { operation: Operation; targets: readonly CallTarget[]; hold: OpenHold }

/** Asks the channels of the targets until one answers, here or in the background. */
const serve = (
  app: App,
  context: ReadContext,
  { operation, targets, hold }: ReservedCall,
): Promise<void> => {
  const [first] = targets
  const { parsed, target, caller, virtual } = first!
  const call: CallContext = { ...context, parsed, target, caller, virtual, hold }
  const { background } = target
  const held = {
    ...{ context, hold, endpoints: operation.endpoints },
    // Another target makes the response where the first one began it: here, or at its vendor.
    targets: targets.filter(each => each.target.background === background),
  }
  const run = () =>
    withEarlyPings(app, context, parsed, () =>
      tryChannels(app, held, {
        attempt: (of, account, canTryAnother) =>
          attemptChannel(app, of, operation, { ...account, canTryAnother }),
        open: operation.canHedge?.(call) ? openerOf(app, operation) : undefined,
      }),
    )
  return background ? runInBackground(app, call, background, run) : run()
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
