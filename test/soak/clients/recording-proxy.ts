import { createServer, type IncomingMessage, request as send } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Duplex, Writable } from 'node:stream'
import { Receiver } from 'ws'
import { keepAlive } from '../../harness/addresses/keep-alive.ts'
import { certificate, privateKey } from '../../harness/sockets/tls-proxy.ts'

declare module 'ws' {
  // Exported by the package, missing in its types: https://github.com/websockets/ws/blob/8.23.0/wrapper.mjs
  const Receiver: new (options: { isServer: boolean; maxPayload: number }) => Writable
}

type Json = Record<string, unknown> & { type?: string }

/** A request of the client, and the status that the gateway answered. */
export type RecordedCall = {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  status: number
}

/** The traffic between a client and the gateway. */
export type Recorded = {
  upgrades: number
  posts: number
  /** Requests that are not messages of a WebSocket, in the order of their answers. */
  calls: RecordedCall[]
  /** Messages of the client, in order. */
  sent: { at: number; event: Json }[]
  received: { at: number; event: Json }[]
}

export type RecordingProxy = { url: string; recorded: Recorded; close(): Promise<void> }

const headOf = ({ method, url, rawHeaders }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

const decode = (list: Recorded['sent'], isServer: boolean): Writable => {
  const receiver = new Receiver({ isServer, maxPayload: 16 * 1024 * 1024 })
  receiver.on('message', (data: Buffer) =>
    list.push({ at: performance.now(), event: JSON.parse(String(data)) }),
  )
  // A refused upgrade has a body instead of messages.
  receiver.on('error', () => undefined)
  return receiver
}

const record = (recorded: Recorded, client: Duplex, gateway: Duplex): void => {
  const fromClient = decode(recorded.sent, true)
  const fromGateway = decode(recorded.received, false)
  client.on('error', () => gateway.destroy())
  gateway.on('error', () => client.destroy())
  // The receiver unmasks in place.
  client.on('data', (chunk: Buffer) => fromClient.write(Buffer.from(chunk)))
  let head: Buffer | undefined = Buffer.alloc(0)
  gateway.on('data', (chunk: Buffer) => {
    if (head === undefined) return void fromGateway.write(Buffer.from(chunk))
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    fromGateway.write(head.subarray(end + 4))
    head = undefined
  })
}

/** Counts the upgrades and posts of a client, and decodes the messages of its connections. */
export const startRecordingProxy = async (
  gatewayUrl: string,
  isTls: boolean,
): Promise<RecordingProxy> => {
  const { hostname, port } = new URL(gatewayUrl)
  const recorded: Recorded = { upgrades: 0, posts: 0, calls: [], sent: [], received: [] }
  const sockets = new Set<Socket>()
  const server = isTls
    ? createTlsServer({ ...keepAlive, key: privateKey, cert: certificate })
    : createServer(keepAlive)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => {
    if (request.method === 'POST') recorded.posts += 1
    const { method, url: path = '', headers } = request
    const body: Buffer[] = []
    request.on('data', (chunk: Buffer) => body.push(chunk))
    const forwarded = send({ hostname, port, method, path, headers, agent: false }, answer => {
      const status = answer.statusCode ?? 0
      recorded.calls.push({ path, headers, body: Buffer.concat(body), status })
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    // The gateway must hear at once of a client that left.
    response.once('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    recorded.upgrades += 1
    const outgoing = connect(Number(port), hostname)
    outgoing.write(headOf(request))
    outgoing.write(head)
    record(recorded, socket, outgoing)
    socket.pipe(outgoing).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const scheme = isTls ? 'https' : 'http'
  return {
    url: `${scheme}://localhost:${(server.address() as AddressInfo).port}`,
    recorded,
    close: async () => {
      for (const each of sockets) each.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
