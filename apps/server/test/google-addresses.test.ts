import OpenAI from 'openai'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, type Json, useRelayHub } from './relay-hub.ts'

// https://ai.google.dev/gemini-api/docs/openai

const hub = useRelayHub()
let client: OpenAI
beforeAll(async () => {
  await hub.addChannel(1, 'chatter,embedder,gpt-image-1')
  client = new OpenAI({
    apiKey: hub.key,
    baseURL: `${hub.url}/v1beta/openai/`,
    maxRetries: 0,
  })
})
beforeEach(() => hub.upstream.forget())

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const messages = [{ role: 'user' as const, content: 'hi' }]

it('serves a chat at the base address of Google for clients of OpenAI, and charges it', async () => {
  const message = { role: 'assistant', content: 'hello' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  hub.upstream.play('chatter', turn => answerJson(turn, { id: 'c', choices, usage }))
  const answer = await client.chat.completions.create({ model: 'chatter', messages })
  expect(answer.choices[0]?.message.content).toBe('hello')
  expect(await lastCharge(hub)).toMatchObject({ amount: 5 })
})

it('streams a chat there', async () => {
  const choices = (delta: object, finish_reason: string | null = null) => [
    { index: 0, delta, finish_reason },
  ]
  hub.upstream.play('chatter', turn =>
    answerStream(turn, [
      { id: 'c', object: 'chat.completion.chunk', choices: choices({ content: 'hello' }) },
      { id: 'c', object: 'chat.completion.chunk', choices: choices({}, 'stop'), usage },
    ]),
  )
  const stream = await client.chat.completions.create({ model: 'chatter', messages, stream: true })
  const texts: unknown[] = []
  for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content)
  expect(texts).toContain('hello')
})

it('serves embeddings there', async () => {
  const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }]
  hub.upstream.play('embedder', turn =>
    answerJson(turn, { object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } }),
  )
  const input = { model: 'embedder', input: 'hi', encoding_format: 'float' as const }
  expect((await client.embeddings.create(input)).data).toEqual(data)
})

it('serves images there', async () => {
  const data = [{ b64_json: 'iVBORw0KGgo=' }]
  hub.upstream.play('gpt-image-1', turn => answerJson(turn, { created: 1, data }))
  const answer = await client.images.generate({ model: 'gpt-image-1', prompt: 'a dot' })
  expect(answer.data).toEqual(data)
})

it('lists the models there in the format of OpenAI, and shows one', async () => {
  const { data } = await client.models.list()
  expect(data.map(each => each.id)).toContain('chatter')
  expect(await client.models.retrieve('chatter')).toMatchObject({ id: 'chatter', object: 'model' })
})

const get = (path: string, headers: Record<string, string>) =>
  fetch(`${hub.url}/v1beta/openai${path}`, { headers })

it.each(['/models', '/videos', '/files', '/batches'])(
  'lists %s there, whichever header has the key',
  async path => {
    for (const headers of [
      { authorization: `Bearer ${hub.key}` },
      { 'x-goog-api-key': hub.key },
    ] as Record<string, string>[]) {
      const response = await get(path, headers)
      expect([response.status, await response.json()]).toMatchObject([200, { object: 'list' }])
    }
  },
)

it.each(['/videos/video_1', '/files/file-1', '/batches/batch_1', '/models/nothing'])(
  'answers %s of nobody with 404 in the format of OpenAI',
  async path => {
    const response = await get(path, { authorization: `Bearer ${hub.key}` })
    const body = (await response.json()) as Json
    expect([response.status, body.error.type]).toEqual([404, 'invalid_request_error'])
  },
)

it('refuses a wrong key there in the format of OpenAI', async () => {
  const response = await get('/models', { authorization: 'Bearer sk-wrong' })
  expect([response.status, await response.json()]).toMatchObject([
    401,
    { error: { type: expect.any(String), message: expect.any(String) } },
  ])
})

it('serves there although the interface of Gemini is switched off', async () => {
  await hub.app.root.put('/api/option/', { key: 'GeminiAPIEnabled', value: 'false' })
  try {
    expect((await get('/models', { 'x-goog-api-key': hub.key })).status).toBe(200)
  } finally {
    await hub.app.root.put('/api/option/', { key: 'GeminiAPIEnabled', value: 'true' })
  }
})
