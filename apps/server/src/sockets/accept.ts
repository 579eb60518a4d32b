import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '@hub/contract'
import type { Dialect } from '@hub/dialects'
import { WebSocketServer } from 'ws'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import { identify } from '../relay/auth/identify.ts'
import type { AuthenticatedContext, RequestContext } from '../relay/context.ts'
import type { RouteFields } from '../relay/formats/route.ts'
import type { Lease } from '../state/index.ts'
import { type SessionHandler, SocketSession } from './session.ts'
import { closeIfRefused, socketSessions } from './sessions.ts'

const messageMax = 16 * 1024 * 1024
const leaseWindowSeconds = 60

/** A connection whose upgrade is not answered yet. */
export type Upgrade = {
  request: IncomingMessage
  /** Writes a refusal. */
  response: ServerResponse
  socket: Socket
  head: Buffer
}

/** An operation that is served over a WebSocket. */
export type SocketOperation = {
  /** The connection ends after this, as at the vendor. */
  ageMaxMs: number
  expired: Fault
  /** Makes ready what a session needs before its upgrade is accepted. Throws a fault where it is refused. */
  prepare(app: App, context: AuthenticatedContext): PreparedSession | Promise<PreparedSession>
}

/** A route that accepts a WebSocket. */
export type SocketRoute = RouteFields & { socket: SocketOperation }

export const socketRoute = (
  path: string,
  dialect: Dialect,
  socket: SocketOperation,
): SocketRoute => ({ ...{ method: 'GET', path, dialect, socket }, operation: 'socket' })

export type PreparedSession = {
  open(session: SocketSession): SessionHandler
  /** The caller left before its session was opened. */
  abandon(): void
}

const server = appScoped(
  () =>
    new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: messageMax,
      // Another sub-protocol of a browser contains its key, which must not be echoed.
      handleProtocols: protocols => (protocols.has('realtime') ? 'realtime' : false),
    }),
)

/** Answers an upgrade. Throws a fault, which the caller receives as an HTTP error, where it is refused. */
export const acceptSocket = async (
  app: App,
  context: RequestContext,
  upgrade: Upgrade,
  operation: SocketOperation,
): Promise<void> => {
  const authenticated = await identify(app, context)
  if (!app.accepting()) throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (context.request.headers['idempotency-key'] !== undefined)
    throw new Fault('request.invalid', { hint: 'A WebSocket takes no Idempotency-Key.' })
  const lease = await takePlace(app, authenticated)
  const release = () => app.state.release([{ kind: 'lease', key: lease.key, id: lease.id }])
  const prepared = await prepare(app, authenticated, operation).catch(async error => {
    await release()
    throw error
  })
  if (context.abort.reason) {
    prepared.abandon()
    return release()
  }
  const { request, response, socket, head } = upgrade
  response.detachSocket(socket)
  server(app).handleUpgrade(request, socket, head, accepted => {
    const { query, ip, token, caller, forcedChannel } = authenticated
    const fields = {
      socket: accepted,
      caller: { request, query, ip, token, caller, forcedChannel },
      lease,
      ageMaxMs: operation.ageMaxMs,
      expired: operation.expired,
    }
    const sessions = socketSessions(app)
    const session = new SocketSession(app, fields, ended => sessions.remove(ended))
    sessions.add(session)
    session.start(prepared.open(session))
    // The token may have changed before the session was listed.
    void closeIfRefused(app, session)
  })
}

const prepare = async (app: App, context: AuthenticatedContext, operation: SocketOperation) =>
  operation.prepare(app, context)

/** Takes one of the connections that a token may have at once, on all nodes together. */
const takePlace = async (app: App, { requestId, caller }: AuthenticatedContext): Promise<Lease> => {
  const limit = app.settings().relay.SocketsPerTokenMax
  const lease = {
    key: `sockets:token:${caller.tokenId}`,
    id: `socket:${requestId}`,
    amount: 1,
    windowSeconds: leaseWindowSeconds,
  }
  const { ok } = await app.state.take(lease.id, [{ kind: 'lease', limit, ...lease }])
  if (ok) return lease
  const hint = `This API key may have ${limit} open WebSockets.`
  throw new Fault('rate.concurrent', { hint, retryAfterSeconds: 1 })
}
