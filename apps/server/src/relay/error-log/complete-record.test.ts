import { beforeAll, expect, it } from 'vitest'
import type { TestUser } from '../../../test/harness.ts'
import { answerJson, type Json, useRelayHub } from '../../../test/relay-hub.ts'
import { errorLog } from './error-log.ts'

const hub = useRelayHub()

type Sent = { path: string; body: object | FormData; method?: string }
const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

const json =
  (path: string, fields: object, name = 'model') =>
  (model: string): Sent => ({
    path,
    body: { [name]: model, ...fields },
  })
const inPath =
  (path: string, action: string, body: object) =>
  (model: string): Sent => ({
    path: `${path}/${model}${action}`,
    body,
  })
const form =
  (path: string, file: string, fields: Record<string, string> = {}) =>
  (model: string) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ model, ...fields })) body.set(name, value)
    body.set(file, new Blob(['abc'], { type: 'image/png' }), 'a.png')
    return { path, body }
  }

/** A request of each operation that names a model. */
const operations: Record<string, (model: string) => Sent> = {
  chat: json('/v1/chat/completions', { messages }),
  responses: json('/v1/responses', { input: 'hi', store: false }),
  compact: json('/v1/responses/compact', { input: 'hi' }),
  messages: json('/v1/messages', { messages, max_tokens: 9 }),
  gemini: inPath('/v1beta/models', ':generateContent', { contents }),
  'gemini stream': inPath('/v1beta/models', ':streamGenerateContent', { contents }),
  deployment: inPath('/openai/deployments', '/chat/completions', { messages }),
  completions: json('/v1/completions', { prompt: 'hi' }),
  embeddings: json('/v1/embeddings', { input: 'hi' }),
  'gemini embeddings': inPath('/v1beta/models', ':embedContent', { content: contents[0] }),
  moderations: json('/v1/moderations', { input: 'hi' }),
  rerank: json('/v1/rerank', { query: 'hi', documents: ['a'] }),
  'cohere rerank': json('/v2/rerank', { query: 'hi', documents: ['a'] }),
  images: json('/v1/images/generations', { prompt: 'hi' }),
  'image edits': form('/v1/images/edits', 'image', { prompt: 'hi' }),
  'image variations': form('/v1/images/variations', 'image'),
  speech: json('/v1/audio/speech', { input: 'hi', voice: 'alloy' }),
  transcriptions: form('/v1/audio/transcriptions', 'file'),
  translations: form('/v1/audio/translations', 'file'),
  'token count of responses': json('/v1/responses/input_tokens', { input: 'hi' }),
  'token count of messages': json('/v1/messages/count_tokens', { messages }),
  'token count of gemini': inPath('/v1beta/models', ':countTokens', { contents }),
  videos: json('/v1/videos', { prompt: 'hi' }),
  'videos by form': form('/v1/videos', 'input_reference', { prompt: 'hi' }),
  'video generations': json('/v1/video/generations', { prompt: 'hi' }),
  kling: json('/kling/v1/videos/text2video', { prompt: 'hi' }, 'model_name'),
  suno: json('/suno/submit/music', { prompt: 'hi' }, 'mv'),
}

type Key = { user: TestUser; key: string; id: number }

const makeKey = async (fields: object = {}): Promise<Key> => {
  const user = await hub.app.person(1, { quota: 50_000_000 })
  const token = { name: 't', unlimited_quota: true, expired_time: -1, ...fields }
  const { data } = (await user.post('/api/token/', token)).body
  return { user, key: data.key, id: data.id }
}

const call = async ({ path, body, method = 'POST' }: Sent, key: string): Promise<Response> => {
  const isForm = body instanceof FormData
  const response = await fetch(`${hub.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  return response
}

const lastRow = async ({ user }: Key): Promise<Json> => {
  await errorLog(hub.app.app).flush()
  return (await user.get('/api/log/self?log_type=5&size=1&order=-id')).body.data.data[0]
}

type Stage = 'disabled' | 'limited' | 'rich'

/** Single rows per user and ten seconds are bounded, so that each stage has several users. */
const usersPerStage = 3
const keys: Record<Stage, Key[]> = { disabled: [], limited: [], rich: [] }

beforeAll(async () => {
  await hub.addChannel(1, 'served')
  hub.upstream.play('served', turn => answerJson(turn, { error: { message: 'no' } }, 400))
  for (let n = 0; n < usersPerStage; n++) {
    const disabled = await makeKey()
    await disabled.user.put('/api/token/?status_only=true', { id: disabled.id, status: 2 })
    const limited = await makeKey({ api_rate: 1 })
    await call(operations.chat!('served'), limited.key)
    keys.disabled.push(disabled)
    keys.limited.push(limited)
    keys.rich.push(await makeKey())
  }
})

/** A stage at which each call fails, and its code. */
const stages: [what: string, stage: Stage, model: string, code: RegExp][] = [
  ['the key is refused', 'disabled', 'served', /^token\.disabled$/],
  ['the rate limit is reached', 'limited', 'served', /^rate\.requests$/],
  [
    'no channel serves the model',
    'rich',
    'never-served',
    /^(model\.unknown|operation\.\w+|request\.invalid)$/,
  ],
]
const table = stages.flatMap(stage =>
  Object.keys(operations).map((operation, index) => [operation, ...stage, index] as const),
)

it.each(table)(
  'the row of %s has its model where %s',
  async (operation, _what, stage, model, code, index) => {
    const key = keys[stage][index % usersPerStage]!
    const response = await call(operations[operation]!(model), key.key)
    const row = await lastRow(key)
    expect(row.metadata.request_id).toBe(response.headers.get('x-oneapi-request-id'))
    expect(row.content).toMatch(code)
    expect(row.model_name).toBe(model)
  },
)

const unread: [what: string, sent: Sent, code: string][] = [
  [
    'a large body',
    { path: '/v1/chat/completions', body: { model: 'served', x: 'x'.repeat(2 ** 20) } },
    '',
  ],
  ['a body that is not JSON', { path: '/v1/chat/completions', body: new FormData() }, ''],
]

it.each(unread)('the row of a refused call with %s has no model', async (_what, sent, model) => {
  await call(sent, keys.disabled[0]!.key)
  expect((await lastRow(keys.disabled[0]!)).model_name).toBe(model)
})

it('a request whose field is wrong has a row with its model', async () => {
  const { path, body } = operations.chat!('served')
  await call({ path, body: { ...body, max_tokens: 'many' } }, keys.rich[0]!.key)
  expect(await lastRow(keys.rich[0]!)).toMatchObject({
    content: 'request.invalid',
    model_name: 'served',
  })
})

/** Refusals that are decided before the key is read. */
const early: [code: string, sent: Sent][] = [
  ['route.unknown', { path: '/v1/nothing', body: {} }],
  ['operation.unsupported', { path: '/v1beta/models/served:bidi', body: {} }],
  ['request.invalid', { path: '/v1beta/models/a%00:generateContent', body: {} }],
  ['operation.retired', { path: '/v1/assistants', body: {} }],
  ['operation.unserved', { path: '/v1beta/interactions', body: {} }],
  ['operation.unpriced', { path: '/v1/fine_tuning/jobs', body: {} }],
  ['session.direct', { path: '/v1/realtime/client_secrets', body: {} }],
]

it.each(early)('%s has a row of the user whose key was sent', async (code, sent) => {
  const response = await call(sent, keys.rich[0]!.key)
  const row = await lastRow(keys.rich[0]!)
  expect([row.content, row.metadata.request_id]).toEqual([
    ...[code, response.headers.get('x-oneapi-request-id')],
  ])
})

it('a format that is switched off has a row of the user whose key was sent', async () => {
  await hub.app.root.put('/api/option/', { key: 'ClaudeAPIEnabled', value: 'false' })
  const response = await call(operations.messages!('served'), keys.rich[0]!.key)
  await hub.app.root.put('/api/option/', { key: 'ClaudeAPIEnabled', value: 'true' })
  const row = await lastRow(keys.rich[0]!)
  expect(row.metadata.request_id).toBe(response.headers.get('x-oneapi-request-id'))
  expect([row.content, row.model_name]).toEqual(['route.disabled', 'served'])
})
