import { beforeAll, expect, it } from 'vitest'
import { answerJson, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const results = [{ index: 0, relevance_score: 0.5 }]

beforeAll(async () => {
  for (const [type, model] of [
    [1, 'omni-moderation-latest'],
    [1, 'tts-1'],
    [1, 'gpt-3.5-turbo-instruct'],
    [47, 'jina-reranker-m0'],
    [36, 'rerank-v3.5'],
    [1, 'gpt-image-1'],
    [1, 'whisper-1'],
  ] as const)
    await hub.addChannel(type, model)
})

const testChannel = async (model: string) => {
  const row = await hub.app.app.db
    .selectFrom('channels')
    .select('id')
    .where('models', '=', model)
    .executeTakeFirstOrThrow()
  hub.upstream.forget()
  return hub.app.root.post(`/api/channel/test/${row.id}`, {})
}

it.each([
  ['omni-moderation-latest', '/a/v1/moderations', { results: [{}] }, 'input'],
  ['gpt-3.5-turbo-instruct', '/a/v1/completions', { choices: [{ text: 'a' }] }, 'prompt'],
  ['jina-reranker-m0', '/a/v1/rerank', { results }, 'documents'],
  ['rerank-v3.5', '/a/v2/rerank', { results }, 'documents'],
])('a channel of %s is tested at %s', async (model, path, answer, field) => {
  hub.upstream.play(model, turn => answerJson(turn, answer))
  expect(await testChannel(model)).toMatchObject({ body: { success: true } })
  const [served] = hub.upstream.served
  expect(served?.path).toBe(path)
  expect(receivedBody({ served } as never)[field]).toBeDefined()
})

it('a channel of speech is tested with a word, whose answer is bytes', async () => {
  hub.upstream.play('tts-1', ({ response }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.end(Buffer.from([1, 2, 3]))
  })
  expect(await testChannel('tts-1')).toMatchObject({ body: { success: true } })
  expect(hub.upstream.served[0]?.path).toBe('/a/v1/audio/speech')
})

it.each(['gpt-image-1', 'whisper-1'])('%s is tested by reading the model list', async model => {
  const { body } = await testChannel(model)
  expect(body).toMatchObject({ success: true, data: { model, time: 0, kind: 'models' } })
  // The upstream counts calls, and not the lists that it serves.
  expect(hub.upstream.served).toEqual([])
})
