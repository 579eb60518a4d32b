import { beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, type Json, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
beforeAll(async () => {
  await hub.addChannel(47, 'jina-reranker-m0')
  await hub.addChannel(36, 'rerank-v3.5')
  await hub.addChannel(45, 'BAAI/bge-reranker-v2-m3')
})

const documents = ['first', { text: 'second' }]
const results = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 },
]
const served = () => {
  const last = hub.upstream.served.at(-1)!
  return { path: last.path, body: receivedBody({ served: last } as never) }
}
const rerank = async (path: string, model: string, more: object = {}) => {
  const response = await hub.post(path, { model, query: 'q', documents, top_n: 2, ...more })
  return { status: response.status, body: (await response.json()) as Json }
}

// https://api.jina.ai/redoc
const jinaAnswer = {
  model: 'jina-reranker-m0',
  object: 'list',
  usage: { total_tokens: 38 },
  results: results.map(each => ({ ...each, document: { text: 'd' } })),
}
// https://docs.cohere.com/v2/reference/rerank
const cohereAnswer = {
  id: '07734bd2',
  results,
  meta: { api_version: { version: '2' }, billed_units: { search_units: 2 } },
}

it.each(['/v1/rerank', '/rerank'])('a call of Jina passes to Jina at %s', async path => {
  hub.upstream.play('jina-reranker-m0', turn => answerJson(turn, jinaAnswer))
  expect(await rerank(path, 'jina-reranker-m0')).toEqual({ status: 200, body: jinaAnswer })
  expect(served()).toMatchObject({
    path: '/a/v1/rerank',
    body: { query: 'q', documents, top_n: 2 },
  })
  expect(await lastCharge(hub)).toMatchObject({ amount: 38, estimated: false })
})

it('a call of Cohere passes to Cohere, charged by search units', async () => {
  hub.upstream.play('rerank-v3.5', turn => answerJson(turn, cohereAnswer))
  expect(await rerank('/v2/rerank', 'rerank-v3.5')).toEqual({ status: 200, body: cohereAnswer })
  expect(served().path).toBe('/a/v2/rerank')
  expect(await lastCharge(hub)).toMatchObject({ amount: 2_000, usage: { input: 2_000 } })
})

it('a call of Jina is answered by Cohere in its own shape', async () => {
  hub.upstream.play('rerank-v3.5', turn => answerJson(turn, cohereAnswer))
  expect((await rerank('/v1/rerank', 'rerank-v3.5')).body).toEqual({
    model: 'rerank-v3.5',
    object: 'list',
    usage: { total_tokens: 2_000, prompt_tokens: 2_000 },
    results: [
      { ...results[0], document: { text: 'second' } },
      { ...results[1], document: { text: 'first' } },
    ],
  })
  expect(served().body).toEqual({
    model: 'rerank-v3.5',
    query: 'q',
    documents: ['first', 'second'],
    top_n: 2,
  })
  expect((await lastCharge(hub))?.amount).toBe(2_000)
})

it('a call of Cohere is answered by Jina in its own shape', async () => {
  hub.upstream.play('jina-reranker-m0', turn => answerJson(turn, jinaAnswer))
  expect((await rerank('/v2/rerank', 'jina-reranker-m0')).body).toEqual({
    results,
    meta: { api_version: { version: '2' }, tokens: { input_tokens: 38 } },
  })
  expect((await lastCharge(hub))?.amount).toBe(38)
})

it('SiliconFlow reports tokens in its own place', async () => {
  // https://docs.siliconflow.cn/cn/api-reference/rerank/create-rerank
  const meta = { tokens: { input_tokens: 21, output_tokens: 0 } }
  hub.upstream.play('BAAI/bge-reranker-v2-m3', turn => answerJson(turn, { id: 'i', results, meta }))
  expect((await rerank('/v1/rerank', 'BAAI/bge-reranker-v2-m3')).body).toEqual({
    model: 'BAAI/bge-reranker-v2-m3',
    id: 'i',
    results,
    usage: { total_tokens: 21, prompt_tokens: 21 },
  })
  expect((await lastCharge(hub))?.amount).toBe(21)
})

it('errors have the shape that the caller reads', async () => {
  const jina = await rerank('/v1/rerank', 'jina-reranker-m0', { documents: [] })
  expect(jina).toEqual({ status: 400, body: { detail: expect.stringContaining('documents') } })
  const cohere = await rerank('/v2/rerank', 'rerank-v3.5', { query: 5 })
  expect(cohere).toMatchObject({ status: 400, body: { message: expect.stringContaining('query') } })
  const image = await rerank('/v1/rerank', 'rerank-v3.5', {
    documents: [{ image: 'https://files.example/x' }],
  })
  expect(image).toEqual({ status: 400, body: { detail: expect.stringContaining('documents') } })
})

it("a vendor's refusal reaches the caller", async () => {
  hub.upstream.play('rerank-v3.5', turn => answerJson(turn, { message: 'invalid model' }, 400))
  const { status, body } = await rerank('/v1/rerank', 'rerank-v3.5')
  expect([status, body.detail]).toEqual([400, expect.stringContaining('invalid model')])
})
