import { embeddingsOf, type VendorEmbeddings } from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import bedrock from './bedrock/index.ts'
import vertex from './vertex/index.ts'

/** The format of a model, as its endpoint has it. */
const formatOf = (provider: typeof bedrock, model: string): VendorEmbeddings =>
  provider.serves.embeddings!.find(({ onlyModels }) => onlyModels!.test(model))!.vendorEmbeddings!

const read = (dialect: 'openai-chat' | 'gemini', body: object, model = 'm') => {
  const { decodeRequest } = embeddingsOf(dialect)!.embeddings
  const result = decodeRequest(body, { model, stream: false })
  if (!result.ok) throw new Error(result.hint)
  return { ...result.request, model }
}
const sent = (provider: typeof bedrock, model: string, body: object) =>
  formatOf(provider, model).encodeRequest(read('openai-chat', { model, ...body }, model)).body

describe('embeddings of Bedrock and Vertex AI', () => {
  it.each([
    ['amazon.titan-embed-text-v1', {}, { inputText: 'a' }],
    [
      'amazon.titan-embed-image-v1',
      { dimensions: 384 },
      { inputText: 'a', embeddingConfig: { outputEmbeddingLength: 384 } },
    ],
    [
      'us.cohere.embed-v4:0',
      { dimensions: 512, input_type: 'search_query' },
      {
        texts: ['a'],
        input_type: 'search_query',
        embedding_types: ['float'],
        output_dimension: 512,
      },
    ],
    [
      'cohere.embed-multilingual-v3',
      { truncate: 'END' },
      {
        texts: ['a'],
        input_type: 'search_document',
        embedding_types: ['float'],
        truncate: 'END',
      },
    ],
  ])('writes the documented fields of %s', (model, fields, body) => {
    expect(sent(bedrock, model, { input: 'a', ...fields })).toEqual(body)
  })

  it.each([
    [
      'text-multilingual-embedding-002',
      { input: ['a', 'b'] },
      { instances: [{ content: 'a' }, { content: 'b' }] },
    ],
    [
      'gemini-embedding-2',
      { input: 'a', dimensions: 768 },
      { content: { parts: [{ text: 'a' }] }, embedContentConfig: { outputDimensionality: 768 } },
    ],
    [
      'multimodalembedding@001',
      { input: 'a', dimensions: 128 },
      { instances: [{ text: 'a' }], parameters: { dimension: 128 } },
    ],
  ])('writes the documented fields of %s', (model, fields, body) => {
    expect(sent(vertex, model, fields)).toEqual(body)
  })

  it('passes the task of a Gemini caller on, by the name that the vendor has for it', () => {
    const request = read('gemini', {
      content: { parts: [{ text: 'a' }] },
      taskType: 'RETRIEVAL_QUERY',
      title: 't',
    })
    expect(formatOf(bedrock, 'cohere.embed-v4:0').encodeRequest(request)).toMatchObject({
      body: { input_type: 'search_query' },
      warnings: [{ dropped: 'title', dialect: 'bedrock-cohere-native' }],
    })
    expect(formatOf(vertex, 'text-embedding-005').encodeRequest(request).body).toEqual({
      instances: [{ content: 'a', task_type: 'RETRIEVAL_QUERY', title: 't' }],
    })
  })

  it.each([
    [bedrock, 'amazon.titan-embed-text-v2:0', { input: ['a', 'b'] }, 'one text'],
    [bedrock, 'amazon.titan-embed-text-v1', { input: 'a', dimensions: 256 }, "'dimensions'"],
    [bedrock, 'cohere.embed-english-v3', { input: 'a', dimensions: 256 }, "'dimensions'"],
    [bedrock, 'cohere.embed-v4:0', { input: [1, 2] }, 'texts only'],
    [vertex, 'gemini-embedding-2', { input: ['a', 'b'] }, 'one text'],
  ])('refuses what the model cannot do: %#', (provider, model, body, hint) => {
    const request = read('openai-chat', { model, ...body }, model)
    expect(formatOf(provider, model).refuses!(request)).toContain(hint)
  })

  it('reads the vectors of each model, and its tokens where it reports them', () => {
    const vector = [0.5, -0.25]
    const answers: [typeof bedrock, string, object, number | undefined][] = [
      [bedrock, 'cohere.embed-v4:0', { id: 'x', embeddings: { float: [vector] } }, undefined],
      [bedrock, 'amazon.titan-embed-image-v1', { embedding: vector, inputTextTokenCount: 3 }, 3],
      [
        vertex,
        'gemini-embedding-2',
        { embedding: { values: vector }, usageMetadata: { promptTokenCount: 3 } },
        3,
      ],
      [vertex, 'multimodalembedding@001', { predictions: [{ textEmbedding: vector }] }, undefined],
    ]
    for (const [provider, model, body, input] of answers) {
      const answer = formatOf(provider, model).decodeAnswer(body, model)
      const usage = answer?.usage
      expect([answer?.vectors, typeof usage === 'object' ? usage.input : usage]).toEqual([
        [vector],
        input,
      ])
      expect(formatOf(provider, model).decodeAnswer({ message: 'no' }, model)).toBeUndefined()
    }
  })
})
