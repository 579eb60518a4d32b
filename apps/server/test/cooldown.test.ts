import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { until } from '../../../test/harness/runner/until.ts'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import { buildApp, type RunningApp } from '../src/app.ts'
import { readEnv } from '../src/env.ts'
import { beginStream, frame } from './relay-calls.ts'

const key = 'sk-0123456789012345678901234567890123456789012'
const accessToken = 'access-token-of-the-first-root'
let dataDir: string
let running: RunningApp
let upstream: Upstream
let url: string
/** Each test calls a model of its own, since no cooldown ends while the tests run. */
let model: string
let loneId: number
let tests = 0

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-cooldown-'))
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
  const price = { type: 'tokens', input: 1, output: 1 }
  for (const each of ['two:*', 'lone:*', 'keyed:*', 'several:*'])
    await admin('POST', '/api/prices/single', { model: each, ...price })
  await admin('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
  await addChannel('first', { models: 'two:*', priority: 9 })
  await addChannel('second', { models: 'two:*' })
  const [lone] = await addChannel('lone', { models: 'lone:*' })
  loneId = lone!.id
  await admin('PUT', '/api/option/', { key: 'RetryCooldownSeconds', value: '600' })
  for (const each of ['two:ready', 'lone:ready'])
    await until(`${each} is served`, async () => (await chat({ model: each })).status === 200)
})

afterAll(async () => {
  await running?.close(1)
  await upstream?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

beforeEach(() => {
  for (const each of ['first', 'second', 'lone']) upstream.behave(each, '')
  upstream.forget()
  tests += 1
  model = `two:x=${tests}`
})

const admin = async (method: string, path: string, body: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(body),
  })
  const received = (await response.json()) as {
    success: boolean
    message: string
    data: { id: number }[]
  }
  expect(received.success, `${path}: ${received.message}`).toBe(true)
  return received.data
}

const addChannel = (name: string, fields: object) =>
  admin('POST', '/api/channel/', {
    ...{ type: 1, key: 'sk-vendor', group: 'default', name, base_url: `${upstream.url}/${name}` },
    ...fields,
  })

const send = (path: string, body: object) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
const post = async (path: string, body: object) => {
  const response = await send(path, body)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const chatPath = '/v1/chat/completions'
const chatBody = (more: object) => ({ model, messages: [{ role: 'user', content: 'hi' }], ...more })
const chat = (more: object = {}) => post(chatPath, chatBody(more))
const embed = () => post('/v1/embeddings', { model, input: 'hi' })

/** Sends a number of calls one after another and returns their statuses. */
const statusesOf = async (times: number, call = chat as () => ReturnType<typeof chat>) => {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await call()).status)
  return statuses
}
/** Calls once and returns the channels that were asked, in order. */
const channelsAsked = () => channelsFor(model)
const channelsFor = async (name: string) => {
  upstream.forget()
  await chat({ model: name })
  return upstream.served.map(each => each.channel)
}

it.each(['status=500', 'status=429', 'status=429;retry-after=60', 'reset=before', 'empty'])(
  'a lone channel is asked again right after one fault: %s',
  async script => {
    model = `lone:x=${tests}`
    upstream.behave('lone', script)
    expect((await chat()).status).toBeGreaterThan(400)
    upstream.behave('lone', '')
    expect((await chat()).status).toBe(200)
  },
)

it('a lone channel that fails every second call serves the others', async () => {
  model = `lone:x=${tests}`
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) {
    upstream.behave('lone', n % 2 === 0 ? 'status=500' : '')
    statuses.push((await chat()).status)
  }
  expect(statuses.filter(each => each === 200)).toHaveLength(10)
})

it('while every channel cools down one is asked, once per call, and its 429 stays a 429', async () => {
  for (const each of ['first', 'second']) upstream.behave(each, 'status=429;retry-after=60')
  expect((await chat()).status).toBe(429)
  upstream.forget()
  const refused = await chat()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await statusesOf(4)).toEqual(Array(4).fill(429))
  expect(upstream.served).toHaveLength(5)
  for (const each of ['first', 'second']) upstream.behave(each, '')
  expect((await chat()).status).toBe(200)
})

it('a channel is passed over after several failures, not after one', async () => {
  upstream.behave('first', 'status=500')
  expect(await channelsAsked()).toEqual(['first', 'second'])
  expect(await channelsAsked()).toEqual(['first', 'second'])
  expect(await channelsAsked()).toEqual(['first', 'second'])
  upstream.behave('first', '')
  expect(await channelsAsked()).toEqual(['second'])
})

it.each(['reset=3', 'fin=3'])(
  'a channel whose streams break after their first byte is passed over after several of them: %s',
  async script => {
    upstream.behave('first', script)
    for (let n = 0; n < 3; n++) {
      const broken = await chat({ stream: true })
      expect([broken.status, broken.text]).toEqual([
        200,
        expect.stringContaining('upstream_broken'),
      ])
    }
    upstream.behave('first', '')
    expect(await channelsAsked()).toEqual(['second'])
  },
)

it('streams that end with an error about the request cool nothing down', async () => {
  for (let n = 0; n < 4; n++) {
    const begun = Promise.withResolvers<void>()
    upstream.play(model, async turn => {
      beginStream(turn)
      const delta = { role: 'assistant', content: 'Hello' }
      turn.response.write(frame({ id: 'c', model, choices: [{ index: 0, delta }] }))
      await begun.promise
      turn.response.end(frame({ error: { message: 'Not this', type: 'invalid_request_error' } }))
    })
    const response = await send(chatPath, chatBody({ stream: true }))
    begun.resolve()
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringMatching(/Hello.*upstream_caller/s),
    ])
  }
  expect((await channelsAsked())[0]).toBe('first')
})

it.each(['status=429;retry-after=60', 'status=503;retry-after=60'])(
  'a channel whose vendor names a delay is passed over at once: %s',
  async script => {
    upstream.behave('first', script)
    expect(await channelsAsked()).toEqual(['first', 'second'])
    expect(await channelsAsked()).toEqual(['second'])
  },
)

it('failures of one operation leave the others of the same model alone', async () => {
  upstream.behave('first', 'status=500')
  expect(await statusesOf(4, embed)).toEqual(Array(4).fill(200))
  upstream.behave('first', '')
  upstream.forget()
  await embed()
  expect(upstream.served.map(each => each.channel)).toEqual(['second'])
  expect(await channelsAsked()).toEqual(['first'])
})

it.each([400, 404, 413, 422])(
  'requests that a vendor refuses with %i cool nothing down',
  async status => {
    upstream.behave('first', `status=${status}`)
    upstream.behave('second', `status=${status}`)
    await statusesOf(6)
    upstream.behave('first', '')
    expect(await channelsAsked()).toEqual(['first'])
  },
)

it('a channel whose key is refused is passed over at once, for every model and operation', async () => {
  await addChannel('refused', { models: 'keyed:*', priority: 9 })
  await addChannel('good', { models: 'keyed:*' })
  await until('both are known', async () => (await channelsFor('keyed:x')).includes('refused'))
  upstream.behave('refused', 'status=401')
  expect(await channelsFor('keyed:a')).toEqual(['refused', 'good'])
  for (const each of ['keyed:a', 'keyed:b', 'keyed:c'])
    expect(await channelsFor(each)).toEqual(['good'])
  model = 'keyed:a'
  upstream.forget()
  await embed()
  expect(upstream.served.map(each => each.channel)).toEqual(['good'])
})

it('a call goes on to the other key of a channel where one is refused, and a channel of refused keys is passed over', async () => {
  await addChannel('spare', { models: 'several:*' })
  const [several] = await addChannel('several', { models: 'several:*', priority: 9 })
  await admin('PUT', '/api/channel/', { id: several!.id, key: 'sk-a\nsk-b' })
  await until('both keys are known', async () => {
    await channelsFor('several:x')
    return upstream.served.some(each => each.credential === 'Bearer sk-b')
  })
  upstream.behave('several', 'status=401')
  expect(await channelsFor('several:a')).toEqual(['several', 'several', 'spare'])
  for (const each of ['several:b', 'several:a']) expect(await channelsFor(each)).toEqual(['spare'])
})

it('a 403 about one request does not cool down what the key serves otherwise', async () => {
  upstream.behave('first', 'status=403')
  expect(await channelsAsked()).toEqual(['first', 'second'])
  upstream.behave('first', '')
  expect(await channelsAsked()).toEqual(['first'])
})

it('R18 an outage of every channel costs about one attempt per call, and its end is seen at once', async () => {
  for (const each of ['first', 'second']) upstream.behave(each, 'status=503')
  expect(await statusesOf(50)).toEqual(Array(50).fill(502))
  expect(upstream.served.length).toBeLessThanOrEqual(60)
  for (const each of ['first', 'second']) upstream.behave(each, '')
  expect(await statusesOf(10)).toEqual(Array(10).fill(200))
})

it('R19 a channel that fails every second call next to a healthy one fails no call', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 50; n++) {
    upstream.behave('first', n % 2 === 0 ? 'status=500' : '')
    statuses.push((await chat()).status)
  }
  expect(statuses).toEqual(Array(50).fill(200))
  expect(upstream.served.length).toBeLessThanOrEqual(60)
})

it('a 503 says when to try again', async () => {
  model = `lone:x=${tests}`
  const refused = await fetch(`${url}${chatPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}#!${loneId}` },
    body: JSON.stringify(chatBody({})),
  })
  expect(refused.status).toBe(503)
  expect(await refused.text()).toContain('channel_none')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
