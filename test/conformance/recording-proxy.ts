import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { keepAlive } from '../harness/addresses/keep-alive.ts'
import { startTlsProxy } from '../harness/sockets/tls-proxy.ts'

/** One answer as the caller got it. `isCut`: the connection broke before the answer was whole. */
export type RecordedResponse = { status: number; type: string; bytes: Buffer; isCut: boolean }

/** An own address for each conversation; `passed` grows with its answers. */
export type ProxyRoute = { url: string; secureUrl: string; passed: RecordedResponse[] }

/** Returns the bytes that the caller gets instead of the response's. */
export type Change = (passed: RecordedResponse) => Buffer

export type RecordingProxy = {
  open(change?: Change): ProxyRoute
  close(): Promise<void>
}

/**
 * Starts a proxy in front of the gateway that records every response, and changes it on request. The messages of a
 * WebSocket pass unrecorded.
 */
export const startRecordingProxy = async (gateway: string): Promise<RecordingProxy> => {
  const agent = new Agent({ keepAlive: true })
  const routes = new Map<string, { route: ProxyRoute; change: Change | undefined }>()

  const pass = (incoming: IncomingMessage, response: ServerResponse) => {
    const [, name = '', path = ''] = /^\/(w\d+)(\/.*)$/.exec(incoming.url ?? '') ?? []
    const known = routes.get(name)
    if (!known) return response.writeHead(404).end()
    const { method = 'GET', headers } = incoming
    const upstreamRequest = request(`${gateway}${path}`, { method, headers, agent })
    upstreamRequest.once(
      'response',
      answer => void give(answer, response, known.route, known.change),
    )
    upstreamRequest.once('error', () => response.destroy())
    incoming.pipe(upstreamRequest)
    return undefined
  }

  const server = createServer(keepAlive, pass)
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { port, hostname } = new URL(gateway)
    const outgoing = connect(Number(port), hostname)
    const path = incoming.url?.replace(/^\/w\d+/, '')
    const headers = incoming.rawHeaders.map((each, at) => each + (at % 2 === 0 ? ': ' : '\r\n'))
    outgoing.write(`GET ${path} HTTP/1.1\r\n${headers.join('')}\r\n`)
    outgoing.write(head)
    socket.pipe(outgoing).pipe(socket)
    socket.on('error', () => outgoing.destroy())
    outgoing.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const secure = await startTlsProxy(`http://127.0.0.1:${port}`)
  let count = 0
  return {
    open: change => {
      count += 1
      const route: ProxyRoute = {
        url: `http://127.0.0.1:${port}/w${count}`,
        secureUrl: `https://localhost:${secure.port}/w${count}`,
        passed: [],
      }
      routes.set(`w${count}`, { route, change })
      return route
    },
    close: async () => {
      agent.destroy()
      await secure.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const give = async (
  answer: IncomingMessage,
  response: ServerResponse,
  route: ProxyRoute,
  change: Change | undefined,
) => {
  const { statusCode: status = 0, headers } = answer
  const chunks: Buffer[] = []
  let isCut = false
  try {
    for await (const chunk of answer) chunks.push(chunk)
  } catch {
    isCut = true
  }
  const type = String(headers['content-type'] ?? '')
  const passed: RecordedResponse = { status, type, bytes: Buffer.concat(chunks), isCut }
  if (change) passed.bytes = change(passed)
  route.passed.push(passed)
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers
  response.writeHead(status, kept)
  response.write(passed.bytes)
  if (isCut) response.destroy()
  else response.end()
}
