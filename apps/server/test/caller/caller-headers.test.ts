import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSocket, refusedUpgrade } from '../../../../test/harness/sockets/client.ts'
import { useRelayHub } from '../relay-hub.ts'
import { type CallerRequest, chatRequests, otherRequests } from './caller-requests.ts'
import { canaryHeaders, canaryRequestHeaders } from './canary-headers.ts'
import { clientHeaders } from './client-headers.ts'
import { type HeaderVendor, type Received, startHeaderVendor, valuesOf } from './header-vendor.ts'

const hub = useRelayHub()
let vendor: HeaderVendor

/** The channels by the model that only each serves: their type, and the dialect that their vendor speaks. */
const channels = {
  'h-openai': [1, ['openai-chat', 'openai-responses']],
  'h-anthropic': [14, ['anthropic']],
  'h-gemini': [25, ['gemini']],
  'h-custom': [8, ['openai-chat']],
  'h-openrouter': [20, ['openai-chat', 'anthropic', 'openai-responses']],
  'h-azure': [55, ['openai-chat', 'openai-responses']],
  'h-qwen': [17, ['openai-chat', 'anthropic']],
  'h-xai': [56, ['openai-chat', 'openai-responses', 'anthropic']],
  'h-converse': [32, []],
} as const

const switches: Readonly<Record<number, object>> = {
  1: { files: true, vector_stores: true },
  14: { files: true },
  25: { files: true, caches: true },
}

beforeAll(async () => {
  vendor = await startHeaderVendor()
  const base_url = vendor.url
  for (const [model, [type]] of Object.entries(channels))
    await hub.addChannel(type, model, {
      base_url,
      ...(type === 32 && { key: 'us-east-1|key' }),
      ...(switches[type] && { plugin: { storage: switches[type] } }),
    })
  for (const [type, model, target] of [
    [1, 'h-embed', 'text-embedding-3-small'],
    [25, 'h-gemini-embed', 'gemini-embedding-001'],
    [1, 'h-image', 'gpt-image-1'],
    [1, 'h-image-2', 'dall-e-2'],
    [37, 'h-private', 'stable-image-core'],
    [47, 'h-rerank', 'jina-reranker-m0'],
    [53, 'h-video', 'kling-v2-1'],
  ] as const)
    await hub.addChannel(type, model, {
      base_url,
      ...(type === 53 && { key: 'access|secret' }),
      model_mapping: JSON.stringify({ [model]: `+${target}` }),
    })
  await hub.addChannel(41, 'chirp-v4', { base_url })
  await hub.addChannel(34, 'mj_imagine', { base_url })
  for (const [model, more] of [
    ['chirp-v4', {}],
    ['mj_imagine', {}],
    ['h-video', { tool_prices: { second_std: 1 } }],
    ['h-gemini', { type: 'tokens', tool_prices: { cache_storage: 1 } }],
  ] as const) {
    const price = { model, type: 'times', input: 1, output: 1, locked: true, ...more }
    const { status } = await hub.app.root.put(`/api/prices/single/${model}`, price)
    expect([model, status]).toEqual([model, 200])
  }
  await hub.addChannel(1, 'h-all', { base_url, plugin: { passing: { headers: '*' } } })
  await hub.addChannel(1, 'h-listed', {
    base_url,
    plugin: { passing: { headers: 'X-Tenant, x-openwebui-user-id' } },
  })
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.received.length = 0
})

/** Sends a request with these headers, and returns what left for the vendor. */
const leave = async (
  { method, path, body, isSocket }: CallerRequest,
  more: Record<string, string>,
): Promise<Received[]> => {
  vendor.received.length = 0
  const headers = { authorization: `Bearer ${hub.key}`, ...more }
  if (isSocket) await refusedUpgrade(`${hub.url}${path}`, headers)
  else {
    const isForm = body instanceof FormData
    const response = await fetch(`${hub.url}${path}`, {
      method: method ?? 'POST',
      headers: { ...(isForm || !body ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    await response.text()
  }
  return [...vendor.received]
}

const canaries = canaryRequestHeaders()
/** A browser and fetch allow no such header. */
const sendable = Object.fromEntries(
  Object.entries(canaries).filter(([name]) => !/^(via|connection)$/i.test(name)),
)
const canariesIn = (received: readonly Received[]) =>
  received.flatMap(({ request, rawHeaders, body }) => [
    ...rawHeaders.filter(each => each.includes('canary-of-')).map(each => [request, each]),
    ...(body.includes('canary-of-') ? [[request, body]] : []),
  ])

describe('headers of gateways and sign-in proxies', () => {
  const pairs = Object.keys(channels).flatMap(model =>
    Object.keys(chatRequests).map(dialect => [model, dialect] as const),
  )
  it.each(pairs)('S5 never reach a vendor: at %s from a caller of %s', async (model, dialect) => {
    const received = await leave(chatRequests[dialect]!(model), sendable)
    expect(received.length).toBeGreaterThan(0)
    expect(canariesIn(received)).toEqual([])
  })

  it.each(Object.keys(otherRequests))('S5 never reach a vendor with %s', async name => {
    const received = await leave(otherRequests[name]!(), sendable)
    expect([name, received.length > 0]).toEqual([name, true])
    expect(canariesIn(received)).toEqual([])
  })

  it.each(Object.keys(canaryHeaders))(
    'S5 never reach a vendor alone: those of %s',
    async product => {
      for (const name of canaryHeaders[product]!.filter(each => sendable[each] !== undefined)) {
        const sent = { [name]: canaries[name]! }
        const received = await leave(chatRequests['openai-chat']!('h-openai'), sent)
        expect([name, received.length, canariesIn(received)]).toEqual([name, 1, []])
      }
    },
  )
})

describe('headers of known clients', () => {
  const model = { openai: 'h-openai', anthropic: 'h-anthropic', gemini: 'h-gemini' }
  const dialect = { openai: 'openai-responses', anthropic: 'anthropic', gemini: 'gemini' }
  const expected: Readonly<Record<string, readonly string[]>> = {
    'Claude Code 2.1.197': ['anthropic-beta', 'x-app', 'x-claude-code-session-id', 'user-agent'],
    'Codex 0.171.0': ['originator', 'session-id', 'x-client-request-id', 'x-codex-window-id'],
    'Gemini CLI 0.61.0': ['x-goog-api-client', 'x-gemini-api-privileged-user-id', 'user-agent'],
    'OpenAI SDK for Python 3.57.0': ['x-stainless-lang', 'x-stainless-read-timeout', 'user-agent'],
    'Google GenAI SDK for Python 3.6.1': ['x-goog-api-client', 'x-server-timeout', 'user-agent'],
  }

  it.each(Object.keys(expected))(
    'reach the vendor of their format as they were sent: %s',
    async client => {
      const { family, headers } = clientHeaders[client]!
      const own = headers.filter(each => /^(x-|anthropic|session|originator|user-agent)/.test(each))
      const sent = Object.fromEntries(own.map(each => [each, `value of ${each}`]))
      const [received] = await leave(chatRequests[dialect[family]]!(model[family]), sent)
      for (const name of expected[client]!)
        expect([name, valuesOf(received!, name)]).toEqual([name, [`value of ${name}`]])
    },
  )

  it.each([
    ['anthropic', 'h-openai'],
    ['openai-responses', 'h-anthropic'],
    ['openai-chat', 'h-gemini'],
    ['gemini', 'h-custom'],
    ['anthropic', 'h-converse'],
  ])('S5 of a translated request are four: %s at %s', async (from, to) => {
    const four = ['user-agent', 'traceparent', 'tracestate', 'x-client-request-id']
    const names = [...four, ...Object.values(clientHeaders).flatMap(each => each.headers)]
    const sent = Object.fromEntries(
      names
        .filter(each => /^(x-|anthropic|session|originator|user-agent|trace)/.test(each))
        .map(each => [each, `value of ${each}`]),
    )
    const [received] = await leave(chatRequests[from]!(to), sent)
    const left = received!.rawHeaders.filter(each => each.startsWith('value of '))
    expect(left.toSorted()).toEqual(four.map(each => `value of ${each}`).toSorted())
  })
})

describe('a channel', () => {
  const chat = (model: string) => chatRequests['openai-chat']!(model)

  it('passes the headers that it lists, and no others', async () => {
    const sent = { 'x-tenant': 't', 'x-openwebui-user-id': 'u', 'x-openwebui-user-email': 'e' }
    const [received] = await leave(chat('h-listed'), sent)
    const values = Object.keys(sent).map(each => valuesOf(received!, each))
    expect(values).toEqual([['t'], ['u'], []])
  })

  it('S5 that passes all passes no credential and nothing that says who somebody is', async () => {
    const [received] = await leave(chat('h-all'), { ...sendable, 'x-vendor-beta': '1' })
    expect(valuesOf(received!, 'x-vendor-beta')).toEqual(['1'])
    expect(valuesOf(received!, 'x-openwebui-user-email')).toHaveLength(1)
    const secret = [
      'authorization',
      'x-api-key',
      'apikey',
      'helicone-auth',
      'remote-user',
      'cookie',
    ]
    for (const name of secret)
      expect(valuesOf(received!, name)).toEqual(
        name === 'authorization' ? ['Bearer vendor-key'] : [],
      )
    const tokens = canariesIn([received!]).filter(([, each]) => /jwt|token$|api-key/.test(each!))
    expect(tokens).toEqual([])
  })

  it.each([
    ['authorization', 'credential'],
    ['x-ok, Cookie', 'credential'],
    ['host', 'connection'],
    ['connection', 'connection'],
    ['transfer-encoding', 'connection'],
    ['X-Forwarded-For', 'addresses'],
    ['remote-user', 'who somebody is'],
    ['x-ms-client-principal-*', 'who somebody is'],
    ['sec-*', 'browsers'],
    ['no spaces;', 'not the name'],
  ])('S5 refuses to list a header that is never passed: %s', async (headers, reason) => {
    const { status, body } = await hub.app.root.post('/api/channel/', {
      ...{ type: 1, name: 'refused', models: 'refused', key: 'k', group: 'default' },
      plugin: { passing: { headers } },
    })
    expect([status, body.code]).toEqual([422, 'channel.option_invalid'])
    expect(body.message).toContain('plugin.passing.headers')
    expect(body.message).toContain(reason)
  })
})

it('S42 a header that Connection names reaches no vendor, also where the channel passes all', async () => {
  for (const model of ['h-openai', 'h-all']) {
    vendor.received.length = 0
    const call = request(`${hub.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${hub.key}`,
        connection: 'close, Originator, x-client-request-id',
        originator: 'hop',
        'x-client-request-id': 'hop',
        version: 'end',
      },
    })
    call.end(JSON.stringify(chatRequests['openai-chat']!(model).body))
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    const names = ['originator', 'x-client-request-id', 'version']
    const values = names.map(each => valuesOf(vendor.received[0]!, each))
    expect([model, values]).toEqual([model, [[], [], ['end']]])
  }
})

describe('the page of a call', () => {
  const lastRow = async (model: string) => {
    const query = new URLSearchParams({ model_name: `"${model}"`, order: '-created_at,-id' })
    const { body } = await hub.app.root.get(`/api/log/?${query}`)
    return body.data.data[0]
  }
  const named = (model: string) => async () => (await lastRow(model))?.metadata.headers_not_passed

  it('names the headers that were not passed, without their values', async () => {
    await hub.addChannel(1, 'played')
    const response = await hub.post(
      '/v1/chat/completions',
      { model: 'played', messages: [{ role: 'user', content: 'Hi' }] },
      { 'x-portkey-config': 'secret-value', 'openai-beta': 'a', 'X-OpenWebUI-User-Email': 'a@b.c' },
    )
    expect(response.status).toBe(200)
    await response.text()
    const names = ['x-portkey-config', 'x-openwebui-user-email']
    await expect.poll(named('played')).toEqual(names)
    expect(JSON.stringify(await lastRow('played'))).not.toContain('secret-value')
  })

  it('names them where the call failed', async () => {
    await hub.addChannel(14, 'h-failed', { base_url: vendor.url })
    const { path, body } = chatRequests.anthropic!('h-failed')
    // The refusals of the tests above may have used up the rows of a minute that their user has.
    const person = await hub.app.person(1, { quota: 1_000_000 })
    const token = { name: 't', unlimited_quota: true, expired_time: -1 }
    const { key } = (await person.post('/api/token/', token)).body.data
    const response = await hub.post(path, body, {
      authorization: `Bearer ${key}`,
      'x-bf-vk': 'v',
      'anthropic-beta': 'a',
    })
    expect(response.status).toBe(400)
    await expect.poll(named('h-failed')).toEqual(['x-bf-vk'])
  })

  it('names them for a task, whose row is written at its end', async () => {
    await hub.post('/v1/videos', { model: 'h-video', prompt: 'A dog' }, { 'x-bf-vk': 'v' })
    const { db } = hub.app.app
    const task = await db
      .selectFrom('tasks')
      .select('receipt_draft')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(task.receipt_draft).headersNotPassed).toEqual(['x-bf-vk'])
  })

  it('names none where all were passed', async () => {
    await hub.addChannel(1, 'all-passed')
    const response = await hub.post(
      '/v1/chat/completions',
      { model: 'all-passed', messages: [{ role: 'user', content: 'Hi' }] },
      { 'openai-beta': 'a' },
    )
    await response.text()
    await expect.poll(() => lastRow('all-passed')).toBeTruthy()
    expect((await lastRow('all-passed')).metadata).not.toHaveProperty('headers_not_passed')
  })
})

it('S5 a response over a WebSocket is asked for with no header of a gateway', async () => {
  const client = await openSocket(`${hub.url}/v1/responses`, {
    authorization: `Bearer ${hub.key}`,
    'x-openwebui-user-email': 'canary-of-email',
    originator: 'codex_exec',
  })
  client.send({ type: 'response.create', store: false, model: 'h-openai', input: 'Hi' })
  await client.next(each => each.type === 'error' || each.type === 'response.failed')
  client.socket.terminate()
  const [received] = vendor.received
  expect(valuesOf(received!, 'originator')).toEqual(['codex_exec'])
  expect(canariesIn(vendor.received)).toEqual([])
})
