import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '@hub/contract'
import type { Dialect } from '@hub/dialects'
import type { App } from '../core/app.ts'
import type { Tally } from '../core/metrics.ts'
import { perApp } from '../core/per-app.ts'
import { clientAddress, makeAddressSet } from '../lib/ip.ts'
import { giveBodyBack } from './body.ts'
import { timers } from './clock.ts'
import { commonHeaders, type Exchange, stop, writeFault } from './exchange.ts'
import { liveCalls } from './live.ts'
import type { Row } from './surface.ts'

export type Serve = (app: App, exchange: Exchange, dialect: Dialect) => Promise<void>

const trusted = perApp(app => makeAddressSet(app.env.trustedProxies))

/** Takes a request over, with the id that its caller is told. */
export type Door = (request: IncomingMessage, response: ServerResponse, requestId: string) => void

/**
 * The one bracket around every public AI route. Behind it the response is ours alone: whatever happens, the caller is
 * answered or disconnected, and the call is counted and logged once.
 */
export const relayDoor =
  (app: App, row: Row, serve: Serve): Door =>
  (request, response, requestId) => {
    const exchange = open(app, row, { request, response, requestId })
    const stream = exchange.named?.stream ? row.streamOf?.(exchange.query) : undefined
    const dialect = stream ?? row.dialect
    void attend(app, exchange, dialect, row.named && !exchange.named ? serveNothing : serve)
  }

/** The path names something that its vendor has and the gateway does not. */
const serveNothing: Serve = async (_app, { path }) => {
  throw new Fault('operation.unsupported', { detail: path })
}

const attend = async (
  app: App,
  exchange: Exchange,
  dialect: Dialect,
  serve: Serve,
): Promise<void> => {
  liveCalls(app).add(exchange)
  const { requestIdHeader } = dialect
  if (requestIdHeader !== undefined) exchange.headers.push(requestIdHeader, exchange.requestId)
  exchange.response.on('close', () => onClosed(app, exchange)).on('error', ignore)
  let outcome = 'ok'
  try {
    try {
      await serve(app, exchange, dialect)
    } catch (error) {
      outcome = refuse(app, exchange, dialect, error)
    }
    close(app, exchange, outcome)
  } catch (error) {
    // What cannot even be refused or counted must not end the process.
    exchange.response.destroy()
    app.log.error({ err: error, request: exchange.id }, 'the door failed')
  }
}

/** A write to a caller who has left fails: that is what `close` tells. */
const ignore = () => undefined

const onClosed = (app: App, exchange: Exchange) => {
  stop(exchange, 'caller-left')
  if (exchange.lastBytes) timers(app).stop(exchange.lastBytes)
}

type Came = Pick<Exchange, 'request' | 'response' | 'requestId'>

const open = (app: App, row: Row, { request, response, requestId }: Came): Exchange => {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const forwardedFor = request.headers['x-forwarded-for']
  const peer = request.socket.remoteAddress ?? ''
  const path = mark === -1 ? url : url.slice(0, mark)
  return {
    request,
    response,
    // Made by the server, from the ledger's own counter.
    id: Number(requestId),
    requestId,
    operation: row.operation,
    path,
    query: mark === -1 ? '' : url.slice(mark + 1),
    named: row.named?.(path),
    ip: clientAddress(
      peer,
      typeof forwardedFor === 'string' ? forwardedFor : undefined,
      trusted(app),
    ),
    startedAt: app.monotonic(),
    firstByteAt: undefined,
    hasWritten: false,
    stopped: undefined,
    onStop: undefined,
    told: undefined,
    copy: undefined,
    provider: 'none',
    headers: commonHeaders(requestId),
    bodyBytes: 0,
    lastBytes: undefined,
    place: -1,
  }
}

/** Says what went wrong, as far as the caller can still hear it; answers the code. */
const refuse = (app: App, exchange: Exchange, dialect: Dialect, error: unknown): string => {
  const fault = error instanceof Fault ? error : new Fault('server.failed', { cause: error })
  exchange.copy = undefined
  if (fault.status >= 500 && fault.code.startsWith('server.'))
    app.log.error({ err: fault.cause ?? fault, request: exchange.id }, fault.code)
  if (exchange.stopped === 'caller-left') return 'caller.left'
  if (exchange.response.headersSent) exchange.response.destroy()
  else writeFault(exchange, dialect, fault)
  return fault.code
}

const close = (app: App, exchange: Exchange, outcome: string) => {
  const { id, operation, provider, response } = exchange
  exchange.onStop = undefined
  liveCalls(app).remove(exchange)
  giveBodyBack(app, exchange)
  countCall(app, exchange, outcome)
  if (app.log.isLevelEnabled('debug'))
    app.log.debug(
      { request: id, operation, provider, outcome, ms: app.monotonic() - exchange.startedAt },
      'call',
    )
  if (response.writableFinished || response.destroyed) return
  // The last bytes may still wait for a caller who reads nothing.
  exchange.lastBytes = timers(app).start(app.settings().relay.SlowReaderSeconds * 1_000, () =>
    response.destroy(),
  )
}

type Figures = {
  firstByte: ReturnType<App['metrics']['firstByte']['labels']>
  /** By provider and outcome. */
  calls: Map<string, Map<string, Tally>>
}

/** The figures of each operation, so that a call neither looks its labels up again nor writes a key. */
const figures = perApp(() => new Map<string, Figures>())

const figuresOf = (app: App, operation: string): Figures => {
  const known = figures(app).get(operation)
  if (known) return known
  const made = { firstByte: app.metrics.firstByte.labels({ operation }), calls: new Map() }
  figures(app).set(operation, made)
  return made
}

const countCall = (app: App, exchange: Exchange, outcome: string) => {
  const { operation, provider, firstByteAt, startedAt } = exchange
  const { firstByte, calls } = figuresOf(app, operation)
  const known = calls.get(provider)?.get(outcome)
  const tally = known ?? app.metrics.calls(operation, provider, outcome)
  tally.n++
  if (!known) calls.set(provider, (calls.get(provider) ?? new Map()).set(outcome, tally))
  if (firstByteAt !== undefined) firstByte.observe((firstByteAt - startedAt) / 1_000)
}
