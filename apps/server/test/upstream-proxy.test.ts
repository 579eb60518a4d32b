import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openSocket } from '../../../test/harness/sockets/client.ts'
import {
  type RealtimeVendor,
  startRealtimeVendor,
} from '../../../test/harness/sockets/realtime-vendor.ts'
import { type SocksProxy, startSocksProxy } from '../../../test/harness/sockets/socks-proxy.ts'
import {
  certificate,
  startTlsProxy,
  type TlsProxy,
} from '../../../test/harness/sockets/tls-proxy.ts'
import { answerJson, answerStream, framesOf, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const login = { user: 'sales@example', password: 'p:ss/word' }
const kinds = ['http', 'socks5', 'socks5h'] as const
const tunnels: string[] = []
let httpProxy: Server
let socks: SocksProxy
let tls: TlsProxy
let vendor: RealtimeVendor

const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates('default'), certificate])
  httpProxy = createServer().on('connect', ({ url = '', headers }, socket) => {
    if (headers['proxy-authorization'] !== authorization)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    tunnels.push(url)
    const [host, port] = url.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const each of [socket, target]) each.on('error', () => target.destroy())
  })
  await new Promise<void>(resolve => httpProxy.listen(0, '127.0.0.1', resolve))
  socks = await startSocksProxy(login)
  tls = await startTlsProxy(hub.upstream.url)
  vendor = await startRealtimeVendor()
  for (const kind of kinds) {
    const proxy = proxyOf(kind)
    await hub.addChannel(1, kind, { proxy })
    await hub.addChannel(1, `${kind}-tls`, { proxy, base_url: `https://localhost:${tls.port}/a` })
    await hub.addChannel(1, `gpt-realtime-${kind}`, { proxy, base_url: vendor.url })
  }
})
afterAll(async () => {
  httpProxy.close()
  await socks?.close()
  // It waits for the pool's idle connections, which the hub closes.
  void tls?.close()
  await vendor?.close()
})
beforeEach(() => {
  tunnels.length = 0
  socks.targets.length = 0
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
const proxyOf = (kind: (typeof kinds)[number]) => {
  if (kind !== 'http') return socks.url.replace('socks5:', `${kind}:`)
  const { user, password } = login
  return `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${portOf(httpProxy)}`
}
const targets = () => [...tunnels, ...socks.targets]
const messages = [{ role: 'user', content: 'hi' }]
const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })

it.each(kinds)(
  'calls by a proxy (%s) share one connection, and a 100 Continue that nobody asked for is skipped',
  async model => {
    hub.upstream.play(model, turn => {
      turn.response.writeContinue()
      answerJson(turn, {
        choices: [{ index: 0, message: { role: 'assistant', content: 'after 100' } }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      })
    })
    for (let n = 0; n < 3; n++) {
      const response = await hub.post('/v1/chat/completions', { model, messages })
      const text = await response.text()
      expect([response.status, text]).toEqual([200, expect.stringContaining('after 100')])
    }
    expect(targets()).toEqual([new URL(hub.upstream.url).host])
  },
)

it.each(kinds)('a stream by a proxy (%s) has TLS to the vendor within the tunnel', async kind => {
  const model = `${kind}-tls`
  hub.upstream.play(model, turn =>
    answerStream(turn, [
      ...['a', 'b', 'c'].map(chunk),
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 3 } },
    ]),
  )
  const response = await hub.post('/v1/chat/completions', { model, messages, stream: true })
  const frames = framesOf(await response.text())
  expect(frames.map(each => each.choices[0]?.delta.content).join('')).toBe('abc')
  expect(targets()).toEqual([`localhost:${tls.port}`])
})

it.each(kinds)('a realtime session is opened by a proxy (%s)', async kind => {
  const url = `${hub.url}/v1/realtime?model=gpt-realtime-${kind}`
  const client = await openSocket(url, { authorization: `Bearer ${hub.key}` })
  client.send({ type: 'response.create' })
  expect(await client.next(each => each.type === 'response.done')).toBeDefined()
  expect(targets()).toEqual([new URL(vendor.url).host])
  client.socket.terminate()
})

it.each(kinds)('a proxy (%s) that refuses the login ends the call', async kind => {
  const model = `${kind}-refused`
  const proxy = proxyOf(kind).replace('p%3Ass', 'canary-secret')
  await hub.addChannel(1, model, { proxy })
  const response = await hub.post('/v1/chat/completions', { model, messages })
  const text = await response.text()
  expect([response.status, JSON.parse(text).error.code]).toEqual([502, 'upstream_unreachable'])
  expect(text).not.toContain('canary-secret')
  expect(targets()).toEqual([])
})
