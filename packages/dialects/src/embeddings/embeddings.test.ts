import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { itWithRecordings, recorded } from '../../../../test/harness/runner/recordings.ts'
import { noUsage } from '../usage.ts'
import type { Embeddings, EmbeddingsRequest } from './canon.ts'
import { geminiCodec } from './gemini.ts'
import { openaiCodec } from './openai.ts'

const read = (dialect: Embeddings, body: unknown, model?: string): EmbeddingsRequest => {
  const result = dialect.decodeRequest(body, model ? { model, stream: false } : undefined)
  if (!result.ok) throw new Error(result.hint)
  return result.request
}

const bodies: [string, Embeddings, Record<string, unknown>][] = [
  ['a text', openaiCodec, { model: 'm', input: ['a'], dimensions: 3, new_field: 1 }],
  ['tokens', openaiCodec, { model: 'm', input: [[1, 2], [3]], encoding_format: 'base64' }],
  [
    'one vector',
    geminiCodec,
    {
      model: 'models/m',
      content: { parts: [{ text: 'a' }] },
      taskType: 'RETRIEVAL_QUERY',
      title: 't',
      outputDimensionality: 3,
      autoTruncate: true,
    },
  ],
  [
    'a batch of one',
    geminiCodec,
    { requests: [{ model: 'models/m', content: { parts: [{ text: 'a' }] } }] },
  ],
]

describe('embeddings', () => {
  it.each(bodies)('%s survives being read and written', (_kind, dialect, body) => {
    const { body: again, warnings } = dialect.encodeRequest(read(dialect, body))
    expect([again, warnings]).toEqual([body, []])
  })

  it('a batch of an OpenAI caller is a batch of Gemini, and what it cannot say is noted', () => {
    const request = read(openaiCodec, { model: 'm', input: ['a', 'b'], user: 'u', odd: 1 })
    expect(geminiCodec.encodeRequest(request)).toEqual({
      body: {
        requests: [
          { model: 'models/m', content: { parts: [{ text: 'a' }] } },
          { model: 'models/m', content: { parts: [{ text: 'b' }] } },
        ],
      },
      warnings: [
        { dropped: 'odd', dialect: 'gemini' },
        { dropped: 'user', dialect: 'gemini' },
      ],
    })
  })

  it('a batch that is not asked alike is refused', () => {
    const one = { content: { parts: [{ text: 'a' }] } }
    const requests = [one, { ...one, taskType: 'CLUSTERING' }]
    expect(geminiCodec.decodeRequest({ requests }, { model: 'm', stream: false })).toMatchObject({
      ok: false,
      reason: 'invalid',
    })
    expect(openaiCodec.decodeRequest({ model: 'm', input: [1, 'a'] })).toMatchObject({
      ok: false,
    })
  })

  it('the official clients read both forms', async () => {
    const answer = {
      model: 'm',
      vectors: [
        [0.5, -1.25],
        [2, 3],
      ],
      usage: { ...noUsage(), input: 7 },
    }
    const parsed = read(openaiCodec, { model: 'm', input: ['a', 'b'] })
    const answering = (body: unknown) => async () =>
      new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

    for (const isBase64 of [undefined, true] as const) {
      const body = openaiCodec.encodeResponse(answer, { ...parsed, ...(isBase64 && { isBase64 }) })
      const openai = new OpenAI({
        apiKey: 'k',
        baseURL: 'http://x.example',
        fetch: answering(body),
      })
      const encoded = await openai.embeddings.create({
        model: 'm',
        input: ['a', 'b'],
        ...(isBase64 ? {} : { encoding_format: 'float' }),
      })
      expect(encoded.data.map(each => each.embedding)).toEqual(answer.vectors)
      expect(openaiCodec.decodeAnswer(body, 'm')).toEqual(answer)
    }

    const body = geminiCodec.encodeResponse(answer, parsed)
    expect(geminiCodec.decodeAnswer(body, 'm')).toEqual(answer)
    const google = new GoogleGenAI({
      apiKey: 'k',
      httpOptions: { baseUrl: 'http://x.example', fetch: answering(body) } as object,
    })
    const encoded = await google.models.embedContent({
      model: 'gemini-embedding-001',
      contents: ['a', 'b'],
    })
    expect(encoded.embeddings?.map(each => each.values)).toEqual(answer.vectors)
  })

  it('no answer is none', () => {
    expect(openaiCodec.decodeAnswer({ error: {} }, 'm')).toBeUndefined()
    expect(geminiCodec.decodeAnswer({ error: {} }, 'm')).toBeUndefined()
  })

  itWithRecordings(
    'a recorded answer of Vertex (left out where ../shared/fixtures is absent)',
    () => {
      const body = JSON.parse(recorded('google-vertex/google-vertex-embedding.json'))
      const answer = geminiCodec.decodeAnswer(body, 'm')
      expect(answer?.vectors.map(each => each.length)).toEqual([5, 5])
      expect(answer?.usage).toMatchObject({ input: 11 })
    },
  )
})
