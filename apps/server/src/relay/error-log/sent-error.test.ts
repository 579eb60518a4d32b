import { once } from 'node:events'
import { beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Turn } from '../../../../../test/upstream/turn.ts'
import type { TestUser } from '../../../test/harness.ts'
import { answerJson, framesOf, type Json, useRelayHub } from '../../../test/relay-hub.ts'
import { errorLog } from './error-log.ts'

const hub = useRelayHub()

type Request = { path: string; body: object }
type Dialect = { request(model: string): Request; codeOf(error: Json): unknown }

const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const posted = (path: string, fields: object) => (model: string) => ({
  path,
  body: { model, ...fields },
})
const openai = ({ error }: Json) => error.code ?? error.type
const google = ({ error }: Json) => error.status

/** A client of each format, and where it finds the code of an error. */
const dialects: Record<string, Dialect> = {
  chat: { request: posted('/v1/chat/completions', { messages }), codeOf: openai },
  responses: { request: posted('/v1/responses', { input: 'hi', store: false }), codeOf: openai },
  messages: {
    request: posted('/v1/messages', { messages, max_tokens: 9 }),
    codeOf: ({ error }) => error.type,
  },
  gemini: {
    request: model => ({ path: `/v1beta/models/${model}:generateContent`, body: { contents } }),
    codeOf: google,
  },
  completions: { request: posted('/v1/completions', { prompt: 'hi' }), codeOf: openai },
  embeddings: { request: posted('/v1/embeddings', { input: 'hi' }), codeOf: openai },
  geminiEmbeddings: {
    request: model => ({
      path: `/v1beta/models/${model}:embedContent`,
      body: { content: contents[0] },
    }),
    codeOf: google,
  },
  moderations: { request: posted('/v1/moderations', { input: 'hi' }), codeOf: openai },
  images: { request: posted('/v1/images/generations', { prompt: 'hi' }), codeOf: openai },
  speech: { request: posted('/v1/audio/speech', { input: 'hi', voice: 'alloy' }), codeOf: openai },
  jina: {
    request: posted('/v1/rerank', { query: 'hi', documents: ['a'] }),
    codeOf: () => undefined,
  },
  cohere: {
    request: posted('/v2/rerank', { query: 'hi', documents: ['a'] }),
    codeOf: () => undefined,
  },
  count: { request: posted('/v1/responses/input_tokens', { input: 'hi' }), codeOf: openai },
  video: { request: posted('/v1/videos', { prompt: 'hi' }), codeOf: openai },
  generation: { request: posted('/v1/video/generations', { prompt: 'hi' }), codeOf: openai },
  kling: {
    request: model => ({
      path: '/kling/v1/videos/text2video',
      body: { model_name: model, prompt: 'hi' },
    }),
    codeOf: openai,
  },
  suno: {
    request: model => ({ path: '/suno/submit/music', body: { mv: model, prompt: 'hi' } }),
    codeOf: ({ code }) => code,
  },
  midjourney: {
    request: () => ({ path: '/mj/submit/imagine', body: { prompt: 'hi' } }),
    codeOf: ({ code }) => String(code),
  },
}

type Key = { user: TestUser; key: string; id: number }
const keys: Record<Kind['key'], Key> = {} as never

const makeKey = async (quota: number, fields: object = {}): Promise<Key> => {
  const user = await hub.app.person(1, { quota })
  const token = { name: 't', unlimited_quota: true, expired_time: -1, ...fields }
  const { data } = (await user.post('/api/token/', token)).body
  return { user, key: data.key, id: data.id }
}

const call = async ({ path, body }: Request, key: string) => {
  const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key }
  const response = await hub.post(path, body, headers)
  return { response, text: await response.text() }
}

const lastRow = async ({ user }: Key) => {
  await errorLog(hub.app.app).flush()
  return (await user.get('/api/log/self?log_type=5&size=1&order=-id')).body.data.data[0]
}

let play: (turn: Turn) => void

beforeAll(async () => {
  await hub.addChannel(1, 'served')
  hub.upstream.play('served', turn => play(turn))
  keys.rich = await makeKey(50_000_000)
  keys.poor = await makeKey(0)
  keys.capped = await makeKey(50_000_000, { unlimited_quota: false, remain_quota: 0 })
  keys.disabled = await makeKey(50_000_000)
  const { user, id } = keys.disabled
  await user.put('/api/token/?status_only=true', { id, status: 2 })
})

const vendorError = { error: { message: 'vendor words', type: 'v_type', code: 'v_code' } }
const answering = (status: number) => (turn: Turn) => answerJson(turn, vendorError, status)
const refused = answering(400)
const failed = answering(500)

type Kind = {
  key: 'rich' | 'poor' | 'capped' | 'disabled'
  model?: string
  vendor?: (turn: Turn) => void
  /** Counts of tokens cost nothing, and are estimated where no vendor counts. */
  isServedCount?: true
}
const kinds: Record<string, Kind> = {
  'an empty balance': { key: 'poor', isServedCount: true },
  'a key whose cap is used up': { key: 'capped', isServedCount: true },
  'a disabled key': { key: 'disabled' },
  'an unknown model': { key: 'rich', model: 'nobody-serves-it' },
  'a request that the vendor refuses': { key: 'rich', vendor: refused },
  'a vendor that limits the channel': { key: 'rich', vendor: answering(429), isServedCount: true },
  'a vendor that fails': { key: 'rich', vendor: failed, isServedCount: true },
}

const table = Object.entries(kinds).flatMap(([kind, { isServedCount }]) =>
  Object.keys(dialects)
    .filter(dialect => !(dialect === 'count' && isServedCount))
    .map(dialect => [kind, dialect] as const),
)

it.each(table)(
  'the row of %s has the status and the code that a client of %s was sent',
  async (kind, dialect) => {
    const { key, model = 'served', vendor = failed } = kinds[kind]!
    const { request, codeOf } = dialects[dialect]!
    play = vendor
    const { response, text } = await call(request(model), keys[key].key)
    expect(response.status).toBeGreaterThanOrEqual(400)
    const row = await lastRow(keys[key])
    expect(row.metadata.request_id).toBe(response.headers.get('x-oneapi-request-id'))
    expect(row.metadata.status).toBe(response.status)
    expect(row.metadata.response_code).toBe(codeOf(JSON.parse(text)))
  },
)

it('the row of a vendor’s refusal that was passed on has the vendor’s words', async () => {
  play = refused
  const { response, text } = await call(dialects.chat!.request('served'), keys.rich.key)
  expect([response.status, text]).toEqual([400, expect.stringContaining('"v_code"')])
  const { metadata } = await lastRow(keys.rich)
  expect(metadata).toMatchObject({ status: 400, response_code: 'v_code', message: 'vendor words' })
})

/** The error of the last event that has one. */
const streamedError = (text: string): Json => {
  const frames = framesOf(text).filter(each => each.error ?? each.response?.error)
  return { error: frames[0].error ?? frames[0].response.error }
}

const streams = ['chat', 'responses', 'messages', 'completions', 'gemini'] as const

const streamed = (name: (typeof streams)[number]): Request => {
  const { path, body } = dialects[name]!.request('served')
  return name === 'gemini'
    ? { path: path.replace(':generateContent', ':streamGenerateContent?alt=sse'), body }
    : { path, body: { ...body, stream: true } }
}

const setPings = (seconds: number) =>
  hub.app.root.put('/api/option/', { key: 'PingSeconds', value: String(seconds) })

it.each(streams)(
  'the row of a stream of %s that fails after a ping has status 200 and the code of its event',
  async name => {
    await setPings(1)
    const seen = Promise.withResolvers<void>()
    play = async turn => {
      await seen.promise
      failed(turn)
    }
    const { path, body } = streamed(name)
    const { key } = keys.rich
    const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key }
    const response = await hub.post(path, body, headers)
    seen.resolve()
    const text = await response.text()
    await setPings(15)
    const { metadata } = await lastRow(keys.rich)
    expect([response.status, metadata.status]).toEqual([200, 200])
    expect(metadata.response_code).toBe(dialects[name]!.codeOf(streamedError(text)))
  },
)

it('the row of a stream that breaks has status 200 and the code of its last event', async () => {
  play = ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta = { index: 0, delta: { content: 'Hello' } }
    response.write(`data: ${JSON.stringify({ id: 'c', choices: [delta] })}\n\n`)
    setImmediate(() => response.destroy())
  }
  const { response, text } = await call(streamed('chat'), keys.rich.key)
  const { metadata, content } = await lastRow(keys.rich)
  expect([content, response.status, metadata.status]).toEqual(['upstream.broken', 200, 200])
  expect(metadata.response_code).toBe(streamedError(text).error.code)
})

it.each(['/v1/responses', '/v1/realtime?model=nobody-serves-it'])(
  'the row of a WebSocket at %s that is refused has the status of the response',
  async path => {
    const { key } = keys.disabled
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const [, response] = await once(socket, 'unexpected-response')
    const { metadata } = await lastRow(keys.disabled)
    expect(metadata.request_id).toBe(response.headers['x-oneapi-request-id'])
    expect(metadata.status).toBe(response.statusCode)
    response.destroy()
  },
)

it('the row of a response over a WebSocket has the status and the code of its error event', async () => {
  play = failed
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${keys.rich.key}` },
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'response.create', model: 'served', input: 'hi' }))
  const [data] = await once(socket, 'message')
  const event = JSON.parse(String(data))
  const { metadata } = await lastRow(keys.rich)
  expect([event.type, metadata.status]).toEqual(['error', event.status])
  expect(metadata.response_code).toBe(event.error.code)
  socket.terminate()
})
