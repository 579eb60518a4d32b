import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import type { RunCall } from '../relay/context.ts'
import { type Route, wantsWebSocket } from '../relay/formats/route.ts'
import { createRunner } from '../relay/handler.ts'
import { chat } from '../relay/operations/chat.ts'
import { createCallHandler } from '../relay/run-call.ts'
import { acceptSocket, type SocketOperation } from './accept.ts'
import { liveRoute, type SocketRoute, socketRoutes } from './formats/routes.ts'
import { liveOverSocket, realtimeOverSocket } from './realtime/index.ts'
import { responsesOverSocket } from './responses/index.ts'

/** Takes a connection over whose request asks for a WebSocket. */
type UpgradeListener = (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  requestId: string,
) => void

/** Each response of a connection is a call like one that was posted, in metrics and log rows too. */
const responseRunner = appScoped(app => {
  const { path, dialect } = socketRoutes[0]!
  const posted: Route = { method: 'POST', path, dialect, operation: 'chat' }
  return createRunner(app, posted)
})

/** Each response of a session is a call of its own. */
const realtimeRunner = appScoped(app => {
  const { path, dialect } = socketRoutes.find(each => each.kind === 'realtime')!
  return createRunner(app, { method: 'GET', path, dialect, operation: 'realtime' })
})

const liveRunner = appScoped(app =>
  createRunner(app, { ...liveRoute, method: 'GET', operation: 'realtime' }),
)

const operations: Record<SocketRoute['kind'], SocketOperation> = {
  responses: responsesOverSocket({ serve: createCallHandler(chat), runner: responseRunner }),
  realtime: realtimeOverSocket({ runner: realtimeRunner }),
  live: liveOverSocket({ runner: liveRunner }),
}

/** Returns the listener of a request that may become a WebSocket; undefined where it is served over HTTP. */
export const createUpgradeFinder = (app: App) => {
  const listeners = new Map(
    socketRoutes.map(route => [route.path, createUpgradeListener(app, route)]),
  )
  const liveListener = createUpgradeListener(app, liveRoute)
  return (request: IncomingMessage): UpgradeListener | undefined => {
    if (request.method !== 'GET' || !wantsWebSocket(request)) return undefined
    const path = pathOf(request.url ?? '')
    return listeners.get(path) ?? (isLivePath(path) ? liveListener : undefined)
  }
}

/** Clients put a base address, two slashes and any version before the service. */
const isLivePath = (path: string): boolean =>
  /[./](GenerativeService\.|LlmBidiService\/)BidiGenerateContent(Constrained)?$/.test(path)

const pathOf = (url: string): string => url.replace(/\/?(\?.*)?$/, '')

const createUpgradeListener = (app: App, route: SocketRoute): UpgradeListener => {
  const run: RunCall = createRunner(app, route)
  return (request, socket, head, requestId) => {
    const response = responseOver(request, socket)
    void run({ request, response, requestId }, (_app, context) =>
      acceptSocket(app, context, { request, response, socket, head }, operations[route.kind]),
    )
  }
}

/** The HTTP response of a refusal, after which the connection ends. */
const responseOver = (request: IncomingMessage, socket: Socket): ServerResponse => {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  return response.once('finish', () => socket.destroySoon())
}
