import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../test/harness/addresses/keep-alive.ts'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import { buildApp, type RunningApp } from '../src/app.ts'
import { readEnv } from '../src/env.ts'

const key = 'sk-0123456789012345678901234567890123456789012'
const accessToken = 'access-token-of-the-first-root'
let dataDir: string
let running: RunningApp
let upstream: Upstream
let url: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-relay-'))
  upstream = await startUpstream()
  running = await buildApp(
    readEnv({
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      INITIAL_ROOT_PASSWORD: 'password-of-root',
      INITIAL_ROOT_TOKEN: key,
      INITIAL_ROOT_ACCESS_TOKEN: accessToken,
    }),
  )
  url = `http://127.0.0.1:${await running.listen()}`
  const channel = { type: 1, key: 'sk-vendor', models: 'any:*,hi', group: 'default' }
  await admin('POST', '/api/channel/', { ...channel, name: 'a', base_url: `${upstream.url}/a` })
  await admin('POST', '/api/channel/', {
    ...channel,
    name: 'b',
    base_url: `${upstream.url}/b`,
    models: 'any:*,only-b',
    model_mapping: JSON.stringify({ 'any:mapped': '+any:out=1' }),
  })
  for (const model of ['any:*', 'hi', 'only-b'])
    await admin('POST', '/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
  await admin('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
  await admin('PUT', '/api/option/', { key: 'RetryCooldownSeconds', value: '0' })
  await new Promise(resolve => setTimeout(resolve, 700))
})

afterAll(async () => {
  await running?.close(1)
  await upstream?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

beforeEach(() => {
  upstream.forget()
  upstream.behave('a', '')
  upstream.behave('b', '')
})

const admin = async (method: string, path: string, body: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(body),
  })
  const received = (await response.json()) as { success: boolean; message: string }
  expect(received.success, `${path}: ${received.message}`).toBe(true)
}

const post = (
  body: string | object,
  headers: Record<string, string> = {},
  path = '/v1/chat/completions',
) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const chat = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
})

const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code

const account = () => running.app.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()

it('forwards the bytes of the caller and of the vendor unchanged', async () => {
  const body =
    '{ "messages":[{"role":"user","content":"hi"}],"seed":9007199254740993,"model":"hi" }'
  const before = await account()
  const response = await post(body)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(upstream.served).toHaveLength(1)
  expect(upstream.served[0]!.body.toString()).toBe(body)
  expect(upstream.served[0]!.credential).toBe('Bearer sk-vendor')
  expect(JSON.parse(text).object).toBe('chat.completion')
  expect(response.headers.get('x-oneapi-request-id')).toBe(response.headers.get('x-request-id'))
  expect(response.headers.get('cache-control')).toBe('no-store')
  const after = await account()
  expect(after.balance).toBe(before.balance - 15)
  expect(after.held).toBe(0)
})

it('streams events to the end marker, and hides usage that was not requested', async () => {
  const before = await account()
  const response = await post(chat('any:out=7', { stream: true }))
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(text).not.toContain('prompt_tokens')
  expect(upstream.served[0]!.body.toString()).toContain('include_usage')
  expect((await account()).balance).toBe(before.balance - 17)
})

it('a wrong key is refused in the caller’s dialect, before a body is read', async () => {
  const response = await post('not even json', { authorization: 'Bearer sk-wrong' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
})

it('a key that was made a moment ago works, however often it is used at once', async () => {
  const made = await fetch(`${url}/api/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ name: 'new' }),
  })
  const { data } = (await made.json()) as { data: { key: string } }
  const headers = { authorization: `Bearer ${data.key}` }
  const all = await Promise.all(Array.from({ length: 60 }, () => post(chat('hi'), headers)))
  expect(all.map(each => each.status)).toEqual(Array(60).fill(200))
})

it.each([
  [{ 'content-type': 'text/plain' }, 415, 'request_media_type'],
  [{ 'content-encoding': 'gzip' }, 415, 'request_media_type'],
])('%o is refused', async (headers, status, code) => {
  const response = await post(chat('hi'), headers)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code } })
})

it('an unknown model is 404, a broken body 400, and neither reaches a vendor', async () => {
  const unknown = await post(chat('nobody'))
  expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'model_not_found'])
  const broken = await post('{"model":')
  expect(broken.status).toBe(400)
  expect(upstream.served).toHaveLength(0)
})

it('another channel answers when one fails, and each failure is tried once', async () => {
  upstream.behave('a', 'status=500')
  for (let n = 0; n < 8; n++) expect((await post(chat('any:x=1'))).status).toBe(200)
  const failed = upstream.served.filter(each => each.channel === 'a').length
  const good = upstream.served.filter(each => each.channel === 'b').length
  expect(good).toBe(8)
  expect(failed).toBeLessThanOrEqual(8)
})

it('when all channels fail the caller gets one error, and nothing stays held', async () => {
  upstream.behave('a', 'status=500')
  upstream.behave('b', 'status=503')
  const before = await account()
  const response = await post(chat('any:x=1'))
  expect(response.status).toBe(502)
  expect(upstream.served).toHaveLength(2)
  expect(await account()).toMatchObject({ balance: before.balance, held: 0 })
})

it('a caller error is returned in the words of the vendor and not retried', async () => {
  upstream.behave('a', 'status=400')
  upstream.behave('b', 'status=400')
  const response = await post(chat('any:x=1'))
  expect(response.status).toBe(400)
  expect(upstream.served).toHaveLength(1)
  expect(await codeOf(response)).not.toBe('upstream_caller')
})

it('a mapping that begins with + sends its target and bills what was asked', async () => {
  upstream.behave('a', 'status=500')
  const before = await account()
  const response = await post(chat('any:mapped'))
  expect(response.status).toBe(200)
  const served = upstream.served.find(each => each.channel === 'b')
  expect(served?.model).toBe('any:out=1')
  expect((await account()).balance).toBe(before.balance - 11)
})

it('one Idempotency-Key is one upstream call and one charge, however often it is sent', async () => {
  const before = await account()
  const body = chat('any:out=3;first=100')
  const headers = { 'idempotency-key': 'once-1' }
  const all = await Promise.all(Array.from({ length: 20 }, () => post(body, headers)))
  const texts = new Set(await Promise.all(all.map(each => each.text())))
  expect(all.map(each => each.status)).toEqual(Array(20).fill(200))
  expect(texts.size).toBe(1)
  expect(await (await post(body, headers)).text()).toBe([...texts][0])
  expect(upstream.served).toHaveLength(1)
  expect((await account()).balance).toBe(before.balance - 13)
  const other = await post(chat('any:out=4'), headers)
  expect([other.status, await codeOf(other)]).toEqual([409, 'request_key_reused'])
})

it('a repeated stream is the same stream', async () => {
  const body = chat('any:out=3', { stream: true })
  const headers = { 'idempotency-key': 'once-2' }
  const first = await (await post(body, headers)).text()
  expect(await (await post(body, headers)).text()).toBe(first)
  expect(upstream.served).toHaveLength(1)
})

it('a caller who leaves lets the upstream go and pays for what was forwarded', async () => {
  const before = await account()
  const abort = new AbortController()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(chat('any:out=1000;every=10', { stream: true })),
    signal: abort.signal,
  })
  const reader = response.body!.getReader()
  await reader.read()
  abort.abort()
  await expect.poll(() => upstream.served[0]?.closedAt).toBeDefined()
  await expect.poll(async () => (await account()).held).toBe(0)
  const charged = before.balance - (await account()).balance
  expect(charged).toBeGreaterThan(0)
  expect(charged).toBeLessThan(100)
})

it('a caller who leaves before the first byte pays nothing, and the channel is not blamed', async () => {
  const before = await account()
  await admin('PUT', '/api/option/', { key: 'RetryCooldownSeconds', value: '60' })
  await new Promise(resolve => setTimeout(resolve, 400))
  const model = 'any:first=200'
  const signal = AbortSignal.timeout(80)
  const left = fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}#2` },
    body: JSON.stringify(chat(model)),
    signal,
  })
  await expect(left).rejects.toThrow()
  await expect.poll(async () => (await account()).held).toBe(0)
  expect((await account()).balance).toBe(before.balance)
  const next = await post(chat(model), { authorization: `Bearer ${key}#2` })
  await admin('PUT', '/api/option/', { key: 'RetryCooldownSeconds', value: '0' })
  expect(next.status).toBe(200)
})

it('a stream that breaks off ends with an error, not with a last word', async () => {
  const response = await post(chat('only-b', { stream: true }))
  expect(response.status).toBe(200)
  upstream.behave('a', 'fin=2')
  upstream.behave('b', 'fin=2')
  const text = await (await post(chat('any:x=1', { stream: true }))).text()
  expect(text).toContain('upstream_broken')
  expect(text).not.toContain('[DONE]')
})

it('a stream that ends after its finish without the closing frame is complete', async () => {
  const before = await account()
  const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'c', ...fields })}\n\n`
  upstream.play('any:open', ({ response }) => {
    const choice = { index: 0, delta: { content: 'hi' } }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      chunk({ choices: [choice] }) +
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
        chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } }),
    )
  })
  const passed = await (await post(chat('any:open', { stream: true }))).text()
  expect(passed).toContain('"finish_reason":"stop"')
  expect(passed).not.toContain('error')
  expect(passed.endsWith('data: [DONE]\n\n')).toBe(true)
  expect((await account()).balance).toBe(before.balance - 12)
  const body = { ...chat('any:open', { stream: true }), max_tokens: 9 }
  const translated = await (await post(body, {}, '/v1/messages')).text()
  expect(translated).toContain('event: message_stop')
  expect(translated).not.toContain('error')
  expect((await account()).balance).toBe(before.balance - 24)
})

const thousandTokens = 'word'.repeat(1_000)
const streamOf = (deltas: Iterable<object>) => {
  upstream.play('any:long', async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const delta of deltas) {
      if (response.destroyed) return
      const frame = { id: 'c', choices: [{ index: 0, delta }] }
      if (!response.write(`data: ${JSON.stringify(frame)}\n\n`))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end('data: [DONE]\n\n')
  })
}

it.each([
  ['/v1/chat/completions', 'stream_too_long'],
  ['/v1/messages', 'event: error'],
])(
  'a stream at %s far beyond its max_tokens is cut with %s and charged as delivered',
  async (path, error) => {
    const endless = function* () {
      for (;;) yield { content: thousandTokens }
    }
    streamOf(endless())
    const before = await account()
    const body = { ...chat('any:long', { stream: true }), max_tokens: 500 }
    const text = await (await post(body, {}, path)).text()
    expect(text).toContain(error)
    expect(text).not.toContain('[DONE]')
    expect(text).not.toContain('message_stop')
    const delivered = text.split(thousandTokens).length - 1
    // 4 × 500 + 1,024 tokens allow three thousands.
    expect(delivered).toBe(3)
    const { balance, held } = await account()
    expect(held).toBe(0)
    expect(before.balance - balance).toBeGreaterThanOrEqual(delivered * 1_000)
    expect(before.balance - balance).toBeLessThan(delivered * 1_000 + 100)
  },
)

it.each(['/v1/chat/completions', '/v1/messages'])(
  'reasoning that a vendor does not count as max_tokens cuts no stream at %s',
  async path => {
    const reasoning = Array.from({ length: 20 }, () => ({ reasoning_content: thousandTokens }))
    streamOf([...reasoning, { content: 'hi' }])
    const body = { ...chat('any:long', { stream: true }), max_tokens: 500 }
    const text = await (await post(body, {}, path)).text()
    expect(text).not.toContain('error')
    expect(text.split(thousandTokens)).toHaveLength(21)
  },
)

it('a 100 Continue that nobody asked for is skipped, and its connection is used again', async () => {
  for (let n = 0; n < 3; n++) {
    const response = await post(chat('any:continue'))
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('after 100'),
    ])
  }
  expect(new Set(upstream.served.map(each => each.socket)).size).toBeLessThan(3)
})

it('models are those of the group, and one that is unknown is 404', async () => {
  const headers = { 'x-api-key': key }
  const list = await (await fetch(`${url}/v1/models`, { headers })).json()
  const { data } = list as { data: { id: string }[] }
  expect(data.map(each => each.id).sort()).toEqual(['hi', 'only-b'])
  expect(await (await fetch(`${url}/v1/models/hi`, { headers })).json()).toMatchObject({ id: 'hi' })
  expect((await fetch(`${url}/v1/models/nobody`, { headers })).status).toBe(404)
  expect((await fetch(`${url}/v1/models`)).status).toBe(401)
})

it('a page of any origin may call, but never with cookies', async () => {
  const preflight = await fetch(`${url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, x-stainless-os',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toBe(
    'authorization, x-stainless-os',
  )
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const response = await post(chat('hi'), { origin: 'https://elsewhere.example' })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
})

it('only an administrator names a channel, and that channel alone is asked', async () => {
  const named = await post(chat('any:x=1'), { authorization: `Bearer ${key}#2` })
  expect(named.status).toBe(200)
  expect(upstream.served.map(each => each.channel)).toEqual(['b'])
  upstream.behave('b', 'status=500')
  expect((await post(chat('any:x=1'), { authorization: `Bearer ${key}#2` })).status).toBe(502)
  const without = await post(chat('any:x=1'), { authorization: `Bearer ${key}#!2` })
  expect(without.status).toBe(200)
  expect(upstream.served.at(-1)?.channel).toBe('a')
})

it('a vendor that echoes its key when it refuses it does not put the key into the channel', async () => {
  const echo = createServer(keepAlive, (request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    const message = `Incorrect API key provided: ${request.headers.authorization}.`
    response.end(JSON.stringify({ error: { message, code: 'invalid_api_key' } }))
  })
  await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve))
  const secret = 'sk-vendor-that-must-stay-inside'
  await admin('PUT', '/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  await admin('POST', '/api/prices/single', {
    model: 'echoed',
    type: 'tokens',
    input: 1,
    output: 1,
  })
  await admin('POST', '/api/channel/', {
    type: 1,
    name: 'echo',
    key: secret,
    base_url: `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
    models: 'echoed',
  })
  await new Promise(resolve => setTimeout(resolve, 500))

  const refused = await post(chat('echoed'))
  expect(refused.status).toBe(502)
  expect(await refused.text()).not.toContain(secret)

  const channelOf = async () => {
    const response = await fetch(`${url}/api/channel/?name=echo`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    const { data } = (await response.json()) as { data: { data: { status: number }[] } }
    return data.data[0]
  }
  await expect.poll(async () => (await channelOf())?.status).toBe(3)
  const shownChannel = JSON.stringify(await channelOf())
  expect(shownChannel).toContain('Incorrect API key provided')
  expect(shownChannel).not.toContain(secret)
  await admin('PUT', '/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'false' })
  echo.close()
})
