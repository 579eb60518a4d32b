import { createSocket } from 'node:dgram'
import type { RequestListener } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Canary, startCanary } from '../../../../../test/harness/addresses/canary.ts'
import {
  type FileHost,
  goodZone,
  png,
  publicAddress,
  startFileHost,
} from '../../../../../test/harness/addresses/file-host.ts'
import {
  hostileHosts,
  hostileUrls,
  hostileZone,
} from '../../../../../test/harness/addresses/hostile.ts'
import { makeAddressSet } from '../ip.ts'
import { type FetchLimits, fetchGuarded } from './fetch-guarded.ts'

let canary: Canary
let host: FileHost
let port: number
let respond: RequestListener

beforeAll(async () => {
  canary = await startCanary()
  host = await startFileHost()
  port = host.port
  host.respond((request, response) => respond(request, response))
})
afterAll(async () => {
  await host.close()
  await canary.close()
})
beforeEach(() => {
  respond = send(png)
  host.resolve(goodZone)
  host.requests.length = 0
  host.names.questions.length = 0
})
afterEach(() => expect(canary.connections()).toBe(0))

const limitsOf = (more: Partial<FetchLimits> = {}): FetchLimits => ({
  rules: {
    ports: new Set([80, 443, port, canary.port]),
    isExempt: makeAddressSet([publicAddress]),
    nameServers: [host.names.address],
  },
  types: new Set(['image/png']),
  bytesMax: 1_000_000,
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  takeBytes: () => true,
  ...more,
})

const fetchGood = (path = '/cat.png', more: Partial<FetchLimits> = {}) =>
  fetchGuarded(`http://good.example:${port}${path}`, limitsOf(more))

const send =
  (body: Buffer | string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body)

it('S2 there are more than 200 hostile addresses', () => {
  expect(new Set([...hostileHosts, ...hostileUrls]).size).toBeGreaterThan(200)
})

it('S2 S3 no hostile host is connected to, however it is spelt', async () => {
  host.resolve(hostileZone)
  const wrong: unknown[] = []
  for (const name of hostileHosts) {
    const result = await fetchGuarded(`http://${name}:${canary.port}/a.png`, limitsOf())
    const isRefused = !result.ok && (result.reason === 'address' || result.reason === 'url')
    if (!isRefused) wrong.push([name, result])
  }
  expect(wrong).toEqual([])
  expect(host.names.questions).toContain('AAAA six.attacker.example')
})

it('S2 no hostile address is fetched, whatever its scheme, port and user', async () => {
  host.resolve(name => goodZone(name) ?? hostileZone(name))
  respond = send(png)
  const wrong: unknown[] = []
  for (const text of hostileUrls) {
    const result = await fetchGuarded(text.replaceAll('{port}', String(canary.port)), limitsOf())
    const isRefused = !result.ok && (result.reason === 'address' || result.reason === 'url')
    if (!isRefused) wrong.push([text, result])
  }
  expect(wrong).toEqual([])
})

it('a file is fetched without anything of the caller', async () => {
  respond = send(png, { 'content-type': 'text/html' })
  const result = await fetchGood()
  expect(result).toMatchObject({ ok: true, mime: 'image/png' })
  expect(result.ok && Buffer.concat(result.chunks)).toEqual(png)
  const [request] = host.requests
  expect(request?.headers).toEqual({
    host: `good.example:${port}`,
    connection: 'keep-alive',
    'user-agent': 'One-Hub',
    accept: '*/*',
    'accept-encoding': 'identity',
  })
  expect(request?.socket.localAddress).toBe(publicAddress)
})

it('S2 a name is looked up once, and a second answer of its name server changes nothing', async () => {
  const answers = [publicAddress, publicAddress]
  host.resolve(() => [answers.shift() ?? '127.0.0.1'])
  respond = send(png)
  const result = await fetchGuarded(`http://rebind.example:${port}/cat.png`, limitsOf())
  expect(result.ok).toBe(true)
  expect(host.names.questions.sort()).toEqual(['A rebind.example', 'AAAA rebind.example'])
})

it('S2 a name that changes to a private address between two hops is not followed', async () => {
  let lookups = 0
  host.resolve(() => {
    lookups += 1
    return lookups <= 2 ? [publicAddress] : ['127.0.0.1']
  })
  respond = (_request, response) =>
    void response.writeHead(302, { location: `http://rebind.example:${canary.port}/` }).end()
  const result = await fetchGuarded(`http://rebind.example:${port}/`, limitsOf())
  expect(result).toEqual({ ok: false, reason: 'address' })
})

it('S2 a name with one private address among public ones is refused', async () => {
  for (const extra of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', 'fd00::1']) {
    host.resolve(() => [publicAddress, extra])
    const result = await fetchGuarded(`http://mixed.example:${port}/`, limitsOf())
    expect(result).toEqual({ ok: false, reason: 'address' })
  }
  expect(host.requests).toEqual([])
})

it('S2 each redirect is checked like the first address', async () => {
  const statuses = [301, 302, 303, 307, 308]
  const targets = [
    `http://127.0.0.1:${canary.port}/`,
    `//127.0.0.1:${canary.port}/`,
    `http://[::1]:${canary.port}/`,
    `http://2130706433:${canary.port}/`,
    `http://localhost:${canary.port}/`,
    `http://user:password@good.example:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://good.example:22/',
    'file:///etc/passwd',
    'http://[',
  ]
  for (const [at, location] of targets.entries()) {
    respond = (_request, response) =>
      void response.writeHead(statuses[at % 5]!, { location }).end('gone')
    const result = await fetchGood()
    expect([location, result.ok || result.reason]).toEqual([
      location,
      expect.stringMatching(/^(url|address)$/),
    ])
  }
  expect(host.requests).toHaveLength(targets.length)
})

it('three redirects are followed, and not a fourth', async () => {
  respond = ({ url = '' }, response) => {
    const left = Number(url.slice(1))
    if (left === 0) response.end(png)
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  }
  expect(await fetchGood('/3')).toMatchObject({ ok: true })
  expect(await fetchGood('/4')).toEqual({ ok: false, reason: 'redirects' })
  expect(host.requests).toHaveLength(4 + 4)
})

it('S6 a longer file is given up at the limit, announced or not', async () => {
  const long = Buffer.concat([png, Buffer.alloc(100_000)])
  const small = { bytesMax: 50_000 }
  respond = send(long)
  expect(await fetchGood('/', small)).toEqual({ ok: false, reason: 'size' })
  respond = (_request, response) => {
    response.write(png)
    const more = () => {
      while (response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', more)
    more()
  }
  expect(await fetchGood('/', small)).toEqual({ ok: false, reason: 'size' })
})

it('S6 a file that does not end in time is given up, wherever it stops', async () => {
  const soon = { timeoutMs: 300 }
  respond = () => undefined
  expect(await fetchGood('/', soon)).toEqual({ ok: false, reason: 'timeout' })
  respond = (_request, response) => void response.write(png)
  expect(await fetchGood('/', soon)).toEqual({ ok: false, reason: 'timeout' })
  respond = ({ url }, response) => {
    if (url === '/') response.writeHead(302, { location: '/slow' }).end()
  }
  expect(await fetchGood('/', soon)).toEqual({ ok: false, reason: 'timeout' })
})

it('a name server that does not answer counts towards the time limit', async () => {
  const silent = createSocket('udp4')
  await new Promise<void>(resolve => silent.bind(0, '127.0.0.1', resolve))
  const limits = limitsOf({ timeoutMs: 300 })
  const nameServers = [`127.0.0.1:${silent.address().port}`]
  const result = await fetchGuarded('http://good.example/', {
    ...limits,
    rules: { ...limits.rules, nameServers },
  })
  expect(result).toEqual({ ok: false, reason: 'timeout' })
  silent.close()
})

it('a fetch ends when its caller leaves', async () => {
  const controller = new AbortController()
  respond = (_request, response) => {
    response.write(png)
    controller.abort()
  }
  const result = await fetchGood('/', { signal: controller.signal })
  expect(result).toEqual({ ok: false, reason: 'cancelled' })
})

it('a fetch ends when there is no memory for more', async () => {
  respond = send(Buffer.concat([png, Buffer.alloc(500_000)]))
  let taken = 0
  const takeBytes = (bytes: number) => {
    taken += bytes
    return taken < 100_000
  }
  expect(await fetchGood('/', { takeBytes })).toEqual({ ok: false, reason: 'cancelled' })
})

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
])('S6 the limit counts unpacked bytes: %s', async (encoding, pack) => {
  const headers = { 'content-encoding': encoding }
  respond = send(pack(png), headers)
  expect(await fetchGood()).toMatchObject({ ok: true, mime: 'image/png' })
  let taken = 0
  const takeBytes = (bytes: number) => {
    taken += bytes
    return true
  }
  respond = send(pack(Buffer.concat([png, Buffer.alloc(20_000_000)])), headers)
  expect(await fetchGood('/', { takeBytes })).toEqual({ ok: false, reason: 'size' })
  expect(taken).toBeLessThanOrEqual(1_000_000)
})

it('content that cannot be unpacked is refused', async () => {
  respond = send(gzipSync(png).subarray(0, 30), { 'content-encoding': 'gzip' })
  expect(await fetchGood()).toEqual({ ok: false, reason: 'connection' })
  for (const encoding of ['gzip, gzip', 'compress', 'gzip, br']) {
    respond = send(png, { 'content-encoding': encoding })
    expect(await fetchGood()).toEqual({ ok: false, reason: 'encoding' })
  }
})

it('S6 the first bytes decide about the type, whatever the server claims', async () => {
  const wrong = [
    '<html>secret of the intranet</html>',
    '<svg xmlns="…"/>',
    '%PDF-1.7 a document',
    '',
    'GIF89',
    '{}',
  ]
  for (const body of wrong) {
    respond = send(body, { 'content-type': 'image/png' })
    expect([body, await fetchGood()]).toEqual([body, { ok: false, reason: 'type' }])
  }
})

it('an answer other than 200 is no file', async () => {
  for (const status of [201, 204, 206, 304, 401, 404, 500]) {
    respond = (_request, response) => void response.writeHead(status).end(png)
    expect(await fetchGood()).toEqual({ ok: false, reason: 'status', status })
  }
})

it('a server that is not there or breaks off is a failed connection', async () => {
  respond = (request, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write(png)
    setImmediate(() => request.socket.destroy())
  }
  expect(await fetchGood()).toEqual({ ok: false, reason: 'connection' })
  const limits = limitsOf()
  const ports = new Set([1])
  const closed = { ...limits, rules: { ...limits.rules, ports } }
  expect(await fetchGuarded(`http://${publicAddress}:1/`, closed)).toEqual({
    ok: false,
    reason: 'connection',
  })
})
