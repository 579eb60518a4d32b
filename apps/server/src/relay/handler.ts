import type { IncomingMessage } from 'node:http'
import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import type { CallCounter } from '../core/metrics.ts'
import { timers } from '../core/timers.ts'
import { hasNul, isDatabaseBusy } from '../db/engines/query-errors.ts'
import { clientAddress, makeAddressSet } from '../lib/ip.ts'
import {
  type CallerResponse,
  makeAbort,
  makeRecord,
  makeResponseState,
  makeUpstreamState,
} from './call-state.ts'
import { abortRequest, type IncomingCall, type RequestContext, type RunCall } from './context.ts'
import { completeRecord } from './error-log/complete-record.ts'
import { recordError } from './error-log/error-log.ts'
import { switchOf } from './formats/format-switch.ts'
import type { Handler, RouteFields } from './formats/route.ts'
import { liveCalls } from './limits/live-calls.ts'
import { releaseBody } from './request/body.ts'
import { commonHeaders, endResponse, lateFault, writeFault } from './response/write.ts'
import { beginTrace, endTrace } from './telemetry/spans.ts'

export type { Handler } from './formats/route.ts'

/** Takes a request over from Node, with the request id that its caller will see. */
export type RequestListener = (
  request: IncomingMessage,
  response: CallerResponse,
  requestId: string,
) => void

/** Creates the listener of a route. */
export const createListener = (app: App, route: RouteFields, handler: Handler): RequestListener => {
  const run = createRunner(app, route)
  return (request, response, requestId) => void run({ request, response, requestId }, handler)
}

/**
 * Creates the runner of a route. The response belongs to the handler alone: whatever happens, the caller is answered or
 * disconnected, and the call is counted and logged once.
 */
export const createRunner = (app: App, route: RouteFields): RunCall => {
  const countCall = makeCallCounter(app, route.operation)
  const isSwitchedOff = switchOf(route.dialect)
  return (incoming, handler) => {
    const context = createContext(app, route, incoming)
    const isUnsupported = route.pathParams !== undefined && context.pathParams === undefined
    const known = isUnsupported ? refuseUnsupported : handler
    const run = context.path.includes('%00') ? refuseNul : known
    return handle(app, context, isSwitchedOff?.(app) ? refuseSwitchedOff : run, countCall)
  }
}

const nulHint = 'It contains the character U+0000, which cannot be stored; remove it.'

/** The vendor has this action, and the gateway does not; a path without an action is none of the vendor's. */
const refuseUnsupported: Handler = async (_app, { path }) => {
  if (!path.includes(':')) throw new Fault('route.unknown')
  throw new Fault('operation.unsupported', { detail: path })
}

/** No name or id has this character, which PostgreSQL can store in no text. */
const refuseNul: Handler = async () => {
  throw new Fault('request.invalid', { hint: nulHint })
}

const refuseSwitchedOff: Handler = async () => {
  throw new Fault('route.disabled')
}

const handle = async (
  app: App,
  context: RequestContext,
  handler: Handler,
  countCall: CountCall,
): Promise<void> => {
  liveCalls(app).add(context)
  const { stream } = context.response
  stream.on('close', () => onClose(app, context, stream)).on('error', ignore)
  let outcome = 'ok'
  try {
    try {
      await handler(app, context)
      if (context.record.streamFault) recordError(app, context, context.record.streamFault)
    } catch (error) {
      if (context.record.requestedModel === undefined) await completeRecord(app, context, error)
      outcome = respondWithFault(app, context, error)
    }
    finish(app, context, outcome, countCall)
  } catch (error) {
    // A call that can be neither refused nor counted must not end the process.
    context.response.stream.destroy()
    app.log.error({ err: error, request: context.id }, 'a relay request failed unexpectedly')
  }
}

/** A write to a caller who has left fails; `close` reports that. */
const ignore = () => undefined

const onClose = (app: App, context: RequestContext, response: CallerResponse) => {
  // A call in the background goes on without its caller.
  if (response !== context.response.stream) return
  abortRequest(context, 'caller-left')
  if (context.response.drainTimer) timers(app).stop(context.response.drainTimer)
}

const trustedProxies = appScoped(app => makeAddressSet(app.env.trustedProxies))

const createContext = (
  app: App,
  route: RouteFields,
  { request, response, requestId }: IncomingCall,
): RequestContext => {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  const pathParams = route.pathParams?.(path)
  const dialect = (pathParams?.stream ? route.streamDialect?.(query) : undefined) ?? route.dialect
  const headers = commonHeaders(requestId)
  if (dialect.requestIdHeader !== undefined) headers.push(dialect.requestIdHeader, requestId)
  const forwardedFor = request.headers['x-forwarded-for']
  return {
    request,
    dialect,
    // The server draws request ids from the ledger's counter.
    id: Number(requestId),
    requestId,
    operation: route.operation,
    path,
    query,
    pathParams,
    ip: clientAddress(
      request.socket.remoteAddress ?? '',
      typeof forwardedFor === 'string' ? forwardedFor : undefined,
      trustedProxies(app),
    ),
    startedAt: app.monotonic(),
    abort: makeAbort(),
    body: {
      received: undefined,
      whole: undefined,
      bytes: 0,
      form: undefined,
      linkedFiles: undefined,
    },
    response: makeResponseState(response, headers),
    record: makeRecord(app.telemetry && beginTrace(app.telemetry, request, Number(requestId))),
    upstream: makeUpstreamState(),
  }
}

/** Answers the fault unless the caller has left; returns the outcome for the metrics. */
const respondWithFault = (app: App, context: RequestContext, error: unknown): string => {
  const fault = toFault(error)
  context.response.recorded = undefined
  if (fault.status >= 500 && fault.code.startsWith('server.'))
    app.log.error({ err: fault.cause ?? fault, request: context.id }, fault.code)
  const hasLeft = context.abort.reason === 'caller-left'
  try {
    if (!hasLeft) sendFault(context, fault)
  } finally {
    // The row has what was sent.
    recordError(app, context, fault)
  }
  return hasLeft ? 'caller.left' : fault.code
}

const sendFault = (context: RequestContext, fault: Fault): void => {
  if (!context.response.stream.headersSent) writeFault(context, fault)
  else if (hasOnlyPings(context)) endResponse(context, lateFault(context, fault))
  else context.response.stream.destroy()
}

const toFault = (error: unknown): Fault => {
  // A hold that could not be released as well is swept later.
  if (error instanceof SuppressedError) return toFault(error.suppressed)
  if (error instanceof Fault) return error
  if (hasNul(error)) return new Fault('request.invalid', { hint: nulHint, cause: error })
  if (isDatabaseBusy(error)) return new Fault('server.busy', { cause: error, retryAfterSeconds: 1 })
  return new Fault('server.failed', { cause: error })
}

const hasOnlyPings = ({ response: { sendsEarlyPings, firstByteAt } }: RequestContext): boolean =>
  sendsEarlyPings && firstByteAt === undefined

const finish = (app: App, context: RequestContext, outcome: string, countCall: CountCall) => {
  const { id, operation, response, upstream } = context
  context.abort.onAbort = undefined
  liveCalls(app).remove(context)
  releaseBody(app, context)
  countCall(context, outcome)
  if (context.record.trace) endTrace(app, context, outcome)
  if (app.env.accessLog)
    app.log.info(
      {
        request: id,
        operation,
        provider: upstream.provider,
        outcome,
        ms: Math.round(app.monotonic() - context.startedAt),
      },
      'call',
    )
  const { stream } = response
  if (stream.writableFinished || stream.destroyed) return
  // The last bytes may still wait for a caller who does not read.
  context.response.drainTimer = timers(app).start(
    app.settings().relay.SlowReaderSeconds * 1_000,
    () => stream.destroy(),
  )
}

type CountCall = (context: RequestContext, outcome: string) => void

/** Keeps the counters of one operation, so that a call looks no labels up and builds no key. */
const makeCallCounter = (app: App, operation: string): CountCall => {
  const firstByte = app.metrics.firstByte.labels({ operation })
  const byProvider = new Map<string, Map<string, CallCounter>>()
  return ({ upstream: { provider }, response: { firstByteAt }, startedAt }, outcome) => {
    const known = byProvider.get(provider)?.get(outcome)
    const counter = known ?? app.metrics.calls(operation, provider, outcome)
    counter.n++
    if (!known)
      byProvider.set(provider, (byProvider.get(provider) ?? new Map()).set(outcome, counter))
    if (firstByteAt !== undefined) firstByte.observe((firstByteAt - startedAt) / 1_000)
  }
}
