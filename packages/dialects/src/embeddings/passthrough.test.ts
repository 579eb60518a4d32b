import { describe, expect, it } from 'vitest'
import { itWithRecordings, recorded } from '../../../../test/harness/runner/recordings.ts'
import type { CallerFormat } from '../dialect.ts'
import type { ParsedRequest } from '../parsed-request.ts'
import { noUsage } from '../usage.ts'
import { embeddingsOf, geminiEmbeddings, openaiEmbeddings } from './index.ts'

const read = (dialect: CallerFormat, body: unknown, action?: string) =>
  dialect.read(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    action === undefined ? undefined : { model: 'm', stream: false, action },
  )
const ask = (dialect: CallerFormat, body: unknown, action?: string): ParsedRequest => {
  const result = read(dialect, body, action)
  if (!result.ok) throw new Error(result.hint)
  return result.parsed
}
const answer = (dialect: CallerFormat, body: unknown) =>
  dialect.readAnswer(Buffer.from(JSON.stringify(body)))

/** https://platform.openai.com/docs/api-reference/embeddings/create, its example, shortened. */
const example = {
  object: 'list',
  data: [
    {
      object: 'embedding',
      embedding: [0.0023064255, -0.009327292, -0.0028842222],
      index: 0,
    },
  ],
  model: 'text-embedding-ada-002',
  usage: { prompt_tokens: 8, total_tokens: 8 },
}

describe('a request of openai', () => {
  it('nothing is written for it, whatever it says of an answer', () => {
    const encoded = { model: 'm', input: 'a', stream: true, n: 5, max_tokens: 9, tools: [{}] }
    expect(ask(openaiEmbeddings, encoded)).toMatchObject({
      model: 'm',
      stream: false,
      outputMax: 0,
      n: 1,
      hasTools: false,
    })
  })

  it.each([
    ['123456', 2],
    [['1234', 'ab', ''], 3],
    [[1, 22, 333], 3],
    [[[1, 2], [3]], 3],
    ['文字', 2],
  ])('%j costs what its texts or tokens do, not what is around them', (input, tokens) =>
    expect(ask(openaiEmbeddings, { model: 'm', input }).promptTokens).toBe(tokens),
  )

  it('what decides the price must be clear', () => {
    const reason = (body: string) => {
      const result = read(openaiEmbeddings, body)
      return result.ok ? 'read' : result.reason
    }
    expect(reason('{"model":"m","input":"a","input":"b"}')).toBe('ambiguous')
    expect(reason('{"model":"m","Input":"a"}')).toBe('ambiguous')
    for (const body of ['{"input":"a"}', '{"model":"m"}', '{"model":"m","input":{}}'])
      expect(reason(body)).toBe('invalid')
    expect(reason('{"model":"m","input":"a"')).toBe('unreadable')
  })
})

describe('an answer of openai', () => {
  it('is read with what it tells of its use', () => {
    expect(answer(openaiEmbeddings, example)).toEqual({
      ok: true,
      usage: { ...noUsage(), input: 8 },
      meteredTokens: 0,
    })
  })

  it.each([
    [{ total_tokens: 12 }, { ...noUsage(), input: 12 }],
    [
      { prompt_tokens: 0, total_tokens: 12 },
      { ...noUsage(), input: 12 },
    ],
    [
      { prompt_tokens: 5, total_tokens: 9, completion_tokens: 4 },
      { ...noUsage(), input: 5 },
    ],
    [{ prompt_tokens: -1, total_tokens: 5 }, 'broken'],
    [{ prompt_tokens: '8' }, 'broken'],
    [{}, 'broken'],
    [null, undefined],
    [undefined, undefined],
  ])('usage %j', (usage, expected) =>
    expect(answer(openaiEmbeddings, { ...example, usage })).toMatchObject({ usage: expected }),
  )

  it('a refusal, or something else, is none', () => {
    const error = { message: 'no', type: 'server_error' }
    for (const body of [{ error }, { ...example, error }, { data: {} }, {}, []])
      expect(answer(openaiEmbeddings, body)).toEqual({ ok: false, failure: body })
    expect(openaiEmbeddings.readAnswer(Buffer.from('<html>'))).toMatchObject({ ok: false })
  })

  it('comes in the form that was asked for, and otherwise as it came', () => {
    const body = Buffer.from(JSON.stringify({ ...example, new_field: 1 }))
    const fit = (encoding_format: string | null | undefined, encoded: Buffer) =>
      openaiEmbeddings.normalizeAnswer!(
        ask(openaiEmbeddings, { model: 'm', input: 'a', encoding_format }),
        encoded,
      )
    for (const format of ['float', null, undefined]) expect(fit(format, body)).toBe(body)
    const packed = fit('base64', body)
    // The very numbers in 32 bits, as the vendor's own client reads them.
    const { data, ...rest } = JSON.parse(String(packed))
    const bytes = Buffer.from(data[0].embedding, 'base64')
    const vector = [0, 4, 8].map(at => bytes.readFloatLE(at))
    expect(vector).toEqual(example.data[0]!.embedding.map(Math.fround))
    expect(rest).toEqual({
      object: 'list',
      model: example.model,
      usage: example.usage,
      new_field: 1,
    })
    expect(fit('base64', packed)).toBe(packed)
    expect(JSON.parse(String(fit('float', packed))).data[0].embedding).toEqual(vector)
  })

  itWithRecordings(
    'a recorded answer of Voyage, which tells only the sum (left out where ../shared/fixtures is absent)',
    () => {
      const body = Buffer.from(recorded('voyage/voyage-embedding.json'))
      expect(openaiEmbeddings.readAnswer(body)).toMatchObject({ ok: true, usage: { input: 12 } })
      expect(
        openaiEmbeddings.embeddings!.decodeAnswer(JSON.parse(String(body)), 'm'),
      ).toMatchObject({
        model: 'voyage-3.5',
        vectors: [expect.arrayContaining([0.000344163]), expect.arrayContaining([0.018987041])],
      })
    },
  )
})

describe('gemini', () => {
  const content = (text: string) => ({ parts: [{ text }] })

  it('one vector and many are told apart, by the address and by the body', () => {
    const one = { content: content('123456'), taskType: 'RETRIEVAL_DOCUMENT', title: 'abc' }
    expect(ask(geminiEmbeddings, one, 'embedContent')).toMatchObject({
      isBatch: false,
      promptTokens: 3,
      outputMax: 0,
    })
    const many = { requests: [{ model: 'models/m', content: content('123') }, one] }
    const batch = ask(geminiEmbeddings, many, 'batchEmbedContents')
    expect(batch).toMatchObject({ isBatch: true, promptTokens: 4 })
    expect(read(geminiEmbeddings, many, 'embedContent')).toMatchObject({ reason: 'invalid' })
    expect(read(geminiEmbeddings, one, 'batchEmbedContents')).toMatchObject({ reason: 'invalid' })
  })

  it('a batch is asked of one model only, and is given its other name', () => {
    const decodedRequest = { requests: [{ model: 'models/m', content: content('a') }] }
    const spliced = geminiEmbeddings.splice(
      ask(geminiEmbeddings, decodedRequest, 'batchEmbedContents'),
      {
        model: 'theirs',
      },
    )
    expect(JSON.parse(String(spliced)).requests[0].model).toBe('models/theirs')
    const other = { requests: [{ model: 'models/dearer', content: content('a') }] }
    expect(read(geminiEmbeddings, other, 'batchEmbedContents')).toMatchObject({
      reason: 'ambiguous',
    })
  })

  it('a picture is counted, too', () => {
    const data = Buffer.alloc(300, 1).toString('base64')
    const inlineData = { mimeType: 'image/png', data: `iVBORw0KGgo${data.slice(11)}` }
    const decodedRequest = ask(
      geminiEmbeddings,
      { content: { parts: [{ inlineData }] } },
      'embedContent',
    )
    expect(decodedRequest.promptTokens).toBe(decodedRequest.mediaTokens)
    expect(decodedRequest.mediaTokens).toBeGreaterThanOrEqual(258)
  })

  // https://ai.google.dev/api/embeddings: EmbedContentResponse, BatchEmbedContentsResponse, EmbeddingUsageMetadata.
  it('its answers are read, with the usage that newer models tell', () => {
    const usageMetadata = {
      promptTokenCount: 4,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
    }
    const usage = { ...noUsage(), input: 4 }
    const values = [0.1, 0.2]
    expect(answer(geminiEmbeddings, { embedding: { values } })).toEqual({
      ok: true,
      usage: undefined,
      meteredTokens: 0,
    })
    expect(answer(geminiEmbeddings, { embeddings: [{ values }], usageMetadata })).toMatchObject({
      usage,
    })
    expect(answer(geminiEmbeddings, { embeddings: {} })).toMatchObject({ ok: false })
    const error = { code: 503, message: 'no', status: 'UNAVAILABLE' }
    expect(answer(geminiEmbeddings, { error })).toEqual({ ok: false, failure: { error } })
  })

  it('reads settings one level deeper, as newer models have them, and refuses tokens', () => {
    const { decodeRequest, refuses } = geminiEmbeddings.embeddings!
    const config = { taskType: 'CLUSTERING', outputDimensionality: 5 }
    const body = { content: content('a'), embedContentConfig: config }
    const named = { model: 'm', stream: false }
    expect(decodeRequest(body, named)).toMatchObject({
      request: { task: 'CLUSTERING', dimensions: 5 },
    })
    expect(refuses!({ model: 'm', inputs: [{ tokens: [1] }] })).toMatch(/texts only/)
    expect(refuses!({ model: 'm', inputs: [{ text: 'a' }] })).toBeUndefined()
  })
})

it('two dialects have embeddings', () => {
  const ids = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
  expect(ids.filter(id => embeddingsOf(id))).toEqual(['openai-chat', 'gemini'])
})
