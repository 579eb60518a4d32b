import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../core/app.ts'
import { wantsWebSocket } from '../relay/formats/route.ts'
import { createRunner } from '../relay/handler.ts'
import { acceptSocket, type SocketRoute } from './accept.ts'
import { isLivePath, liveRoute } from './formats/live.ts'
import { realtimeSockets } from './formats/realtime.ts'
import { responsesSockets } from './formats/responses.ts'

/** Takes a connection over whose request asks for a WebSocket. */
type UpgradeListener = (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  requestId: string,
) => void

/** Returns the listener of a request that may become a WebSocket; undefined where it is served over HTTP. */
export const createUpgradeFinder = (app: App) => {
  const listeners = new Map(
    [...responsesSockets, ...realtimeSockets].map(route => [
      route.path,
      createUpgradeListener(app, route),
    ]),
  )
  const liveListener = createUpgradeListener(app, liveRoute)
  return (request: IncomingMessage): UpgradeListener | undefined => {
    if (request.method !== 'GET' || !wantsWebSocket(request)) return undefined
    const path = pathOf(request.url ?? '')
    return listeners.get(path) ?? (isLivePath(path) ? liveListener : undefined)
  }
}

const pathOf = (url: string): string => url.replace(/\/?(\?.*)?$/, '')

const createUpgradeListener = (app: App, route: SocketRoute): UpgradeListener => {
  const run = createRunner(app, route)
  return (request, socket, head, requestId) => {
    const response = responseOver(request, socket)
    void run({ request, response, requestId }, (_app, context) =>
      acceptSocket(app, context, { request, response, socket, head }, route.socket),
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
