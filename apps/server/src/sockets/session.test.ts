import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault } from '@hub/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { App } from '../core/app.ts'
import { closeCodes, SocketSession } from './session.ts'

let server: Server
let caller: WebSocket
let accepted: WebSocket
const released: unknown[] = []
let elapsedMs = 0

/** The parts of an app that a session uses; its clock stands where the test puts it. */
const app = {
  monotonic: () => elapsedMs,
  state: {
    renew: async () => undefined,
    release: async (releases: unknown[]) => void released.push(...releases),
  },
} as unknown as App

beforeEach(async () => {
  released.length = 0
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, each => {
      accepted = each
    }),
  )
  // A caller that answers no ping.
  caller = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    autoPong: false,
  })
  await once(caller, 'open')
  await expect.poll(() => accepted?.readyState, { interval: 5 }).toBe(WebSocket.OPEN)
})
afterEach(() => {
  caller.terminate()
  server.close()
})

const lease = { key: 'k', id: 'i', amount: 1, windowSeconds: 60 }

const openSession = (isIdle: () => boolean) => {
  const fields = {
    socket: accepted,
    caller: {} as never,
    lease,
    ageMaxMs: 3_600_000,
    expired: new Fault('socket.expired'),
  }
  const session = new SocketSession(app, fields, () => undefined)
  session.start({
    onMessage: () => undefined,
    onClose: () => undefined,
    isIdle,
    encodeEnd: ({ code }) => ({ message: JSON.stringify(code), reason: code }),
  })
  return session
}

it('an old connection is closed with its error once nothing runs on it, and frees its place', async () => {
  let isRunning = true
  const session = openSession(() => !isRunning)
  const messages: string[] = []
  caller.on('message', data => messages.push(String(data)))
  caller.on('ping', () => caller.pong())
  elapsedMs += 3_600_000
  await expect.poll(() => session.retired()?.code, { interval: 5 }).toBe('socket.expired')
  expect(caller.readyState).toBe(WebSocket.OPEN)
  isRunning = false
  const closed = once(caller, 'close')
  session.closeIfIdle()
  expect((await closed)[0]).toBe(closeCodes.normal)
  expect(messages).toEqual(['"socket.expired"'])
  await expect.poll(() => released, { interval: 5 }).toEqual([{ kind: 'lease', key: 'k', id: 'i' }])
})

it('a caller who answers no ping is disconnected', async () => {
  openSession(() => true)
  let pings = 0
  caller.on('ping', () => {
    pings++
    elapsedMs += 20_000
  })
  const closed = once(caller, 'close')
  elapsedMs += 20_000
  expect((await closed)[0]).toBe(1006)
  expect(pings).toBe(3)
})
