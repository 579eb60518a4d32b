import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { engines } from '../harness/engines.ts'
import { rawRequest } from '../harness/raw-http.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

let hub: TestHub
let person: Person
beforeAll(async () => {
  const [sqlite = { name: 'SQLite' as const, available: true }] = engines
  hub = await startTestHub(sqlite)
  person = await hub.admin.addPerson(10_000_000)
})
afterAll(() => hub?.close())

const chat = '{"model":"any:out=1","messages":[]}'
const hidden = 'GET /api/status HTTP/1.1\r\nHost: x\r\n\r\n'
const statuses = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(each => each[1])

const smuggled: Record<string, string> = {
  'CL.TE': `Content-Length: ${chat.length + hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'TE.CL': `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${chat}${hidden}\r\n0\r\n\r\n`,
  'two lengths': `Content-Length: ${chat.length}\r\nContent-Length: ${chat.length + 5}\r\n\r\n${chat}${hidden}`,
  'a length with a sign': `Content-Length: +${chat.length}\r\n\r\n${chat}`,
  'a space before the colon': `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'a folded header': `Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'a doubled encoding': `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
  'an unknown encoding': `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  'a bare line feed': `Content-Length: 0\n\n${hidden}`,
}

it.each(Object.keys(smuggled))(
  'S42 a request that two servers would cut differently is refused whole: %s',
  async name => {
    const answer = await rawRequest(
      hub.gateway.url,
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.key}\r\nContent-Type: application/json\r\n${smuggled[name]}`,
    )
    // An answer of the parser has no request id: nothing behind it has seen a part of the request.
    const isHandled = /request-id/i.test(answer)
    expect([name, statuses(answer), isHandled]).toEqual([name, ['400'], false])
  },
)

const socketHead =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

it.each([
  ['the relay', 'POST /v1/chat/completions'],
  ['the console', 'GET /api/status'],
  ['a WebSocket', 'GET /v1/responses', socketHead],
])('S14 S42 a request to %s with two Host headers is refused', async (_name, head, more = '') => {
  const answer = await rawRequest(
    hub.gateway.url,
    `${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.key}\r\nhost: y\r\n${more}Content-Length: 0\r\n\r\n`,
  )
  expect(statuses(answer)).toEqual(['400'])
})

it.each([
  ['a wrong key', 'POST /v1/chat/completions'],
  ['a wrong method', 'PUT /api/status'],
])(
  'a caller who is refused for %s cannot hold the connection by a body that never ends',
  async (_name, head) => {
    const socket = connect(Number(new URL(hub.gateway.url).port), '127.0.0.1')
    const closed = new Promise(resolve => socket.on('error', () => {}).on('close', resolve))
    socket.write(
      `${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-wrong\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
    )
    const drip = setInterval(() => socket.write(' '), 100)
    const giveUp = AbortSignal.timeout(60_000)
    const isClosed = await Promise.race([
      closed.then(() => true),
      once(giveUp, 'abort').then(() => false),
    ])
    clearInterval(drip)
    socket.destroy()
    expect(isClosed).toBe(true)
  },
)

it('S42 a model name or a header cannot add a line to what the vendor gets', async () => {
  hub.upstream.forget()
  const seen = await hub.ask({ key: person.key, model: 'any:out=1\r\nx-planted: 1' })
  for (const each of hub.upstream.served) expect(each.headers['x-planted']).toBeUndefined()
  expect(seen.status).not.toBe(500)
})

it('S5 S37 the vendor gets the key of its channel and no header of the caller', async () => {
  hub.upstream.forget()
  await hub.ask({
    key: person.key,
    model: 'any:out=1',
    headers: {
      cookie: 'secret=1',
      'x-forwarded-for': '10.0.0.1',
      'x-api-key': person.key,
      'openai-organization': 'theirs',
      'openai-project': 'theirs',
      'mj-api-secret': person.key,
      'x-openwebui-user-email': 'theirs',
      host: 'evil.example',
    },
  })
  const [served] = hub.upstream.served
  expect(served?.credential).toMatch(/^Bearer sk-vendor-/)
  expect(JSON.stringify(served?.headers)).not.toContain(person.key)
  expect(JSON.stringify(served?.headers)).not.toContain('theirs')
  expect(served?.headers.cookie).toBeUndefined()
  expect(served?.headers.host).toBe(new URL(hub.upstream.url).host)
})

it.each([
  ['application/json', 'read'],
  ['application/json; charset=utf-8', 'read'],
  ['Application/JSON', 'read'],
  ['text/plain', 'refused'],
  ['text/json', 'refused'],
  ['application/jsonp', 'refused'],
  ['application/javascript', 'refused'],
  ['multipart/form-data; boundary=x', 'refused'],
  ['application/x-www-form-urlencoded', 'refused'],
  ['text/plain; application/json', 'refused'],
  ['application/json,text/plain', 'refused'],
  ['', 'refused'],
])(
  'S43 a content type is read as JSON or refused, never half of both: %j is %s',
  async (type, what) => {
    const headers = {
      authorization: `Bearer ${person.key}`,
      ...(type ? { 'content-type': type } : {}),
    }
    const send = async (path: string, body: string) => {
      const options = { method: 'POST', headers, body: Buffer.from(body) }
      return (await fetch(`${hub.gateway.url}${path}`, options)).status
    }
    const statuses = [
      await send('/v1/chat/completions', chat),
      await send('/api/user/login', '{"username":1}'),
    ]
    expect(statuses).toEqual(what === 'read' ? [200, 400] : [415, 415])
  },
)

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)(
  'S44 a bomb is not unpacked, whatever it is packed with: %s',
  async (encoding, pack) => {
    // Unpacked, these valid requests would be answered with 200, or with 413 for their size.
    const chat = { model: 'any:out=1', messages: [{ role: 'user', content: 'hi' }] }
    const login = { username: person.username, password: person.password }
    for (const [path, request] of [
      ['/v1/chat/completions', chat],
      ['/api/user/login', login],
    ] as const) {
      const body = pack(JSON.stringify(request).padEnd(50 * 1024 * 1024))
      const response = await fetch(`${hub.gateway.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.key}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        body,
      })
      expect([path, [400, 415].includes(response.status)]).toEqual([path, true])
    }
  },
)

it('S44 the encodings that a caller accepts do not reach the vendor', async () => {
  hub.upstream.forget()
  await hub.ask({
    key: person.key,
    model: 'any:out=1',
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(hub.upstream.served[0]?.headers['accept-encoding'] ?? 'identity').toBe('identity')
})

it('S45 keys that collide or touch prototypes change nothing', async () => {
  const collide = Array.from({ length: 100_000 }, (_, at) => `"${at * 65_536}":1`).join(',')
  const tricks = [
    '"__proto__":{"stream":true,"admin":true}',
    '"constructor":{"prototype":{"role":100}}',
    collide,
  ]
  for (const trick of tricks) {
    const response = await fetch(`${hub.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
      body: `{"model":"any:out=1","messages":[{"role":"user","content":"hi"}],${trick}}`,
    })
    expect([200, 400]).toContain(response.status)
    expect(response.headers.get('content-type')).toContain('application/json')
  }
  const user = await fetch(`${hub.gateway.url}/api/user/self`, {
    method: 'PUT',
    headers: {
      cookie: person.cookie,
      'content-type': 'application/json',
      origin: hub.gateway.url,
      'x-forwarded-for': '198.51.100.7',
    },
    body: '{"display_name":"me","__proto__":{"role":100},"role":100,"quota":999999999}',
  })
  const self = await user.text()
  expect(self).not.toContain('"role":100')
  expect((await hub.admin.user(person.id)).quota).toBeLessThanOrEqual(10_000_000)
})

it('S46 a model name is no pattern: only a `*` at its end stands for anything', async () => {
  await hub.admin.addChannel(hub.upstream.url, { models: '(x+)+*' })
  await hub.admin.setPrice('(x+)+*', 'tokens', 1)
  const statusOf = async (model: string) => (await hub.ask({ key: person.key, model })).status
  expect(await statusOf('xxxx')).toBe(404)
  expect(await statusOf('y(x+)+y')).toBe(404)
  expect(await statusOf('(x+)+y')).not.toBe(404)
  expect(await statusOf(`any:${'a'.repeat(50_000)}!`)).not.toBe(500)
})
