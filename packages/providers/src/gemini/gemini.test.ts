import { gemini } from '@hub/dialects'
import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-400.json': 'upstream.credential' })

const channel = { baseUrl: '', model: 'gemini-2.5-flash', stream: false, options: {}, other: '' }
const [endpoint] = provider.serves.chat!

it('the address has the model, the API version and the stream action', () => {
  const base = 'https://generativelanguage.googleapis.com'
  expect(addressOf(provider, endpoint!, channel)).toBe(
    `${base}/v1beta/models/gemini-2.5-flash:generateContent`,
  )
  expect(addressOf(provider, endpoint!, { ...channel, stream: true, other: 'v1' })).toBe(
    `${base}/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
  )
})

it('only chat and embedding models are listed, without the prefix of their names', () => {
  const models = [
    { name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent'] },
    { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/imagen-4', supportedGenerationMethods: ['predict'] },
  ]
  expect(provider.readModelIds?.({ models })).toEqual(['gemini-2.5-flash', 'gemini-embedding-001'])
})

it('a single input and a batch have different embedding addresses', () => {
  const [embedding] = provider.serves.embeddings!
  const at = (isBatch: boolean) =>
    addressOf(provider, embedding!, { ...channel, model: 'gemini-embedding-001', isBatch })
  expect([at(false), at(true)]).toEqual([
    expect.stringMatching(/\/v1beta\/models\/gemini-embedding-001:embedContent$/),
    expect.stringMatching(/\/v1beta\/models\/gemini-embedding-001:batchEmbedContents$/),
  ])
})

const codeTools = { tools: [{ codeExecution: {} }] }
const enabled = { code_execution: { enable: true } }
const search = { tools: [{ googleSearch: {} }] }

it.each([
  ['gemini-2.5-flash', {}, enabled, codeTools],
  ['gemini-2.5-flash', search, enabled, {}],
  ['gemini-2.5-flash-image', {}, enabled, {}],
  ['gemini-2.5-flash', {}, {}, {}],
])('a request to %s with %j in a channel with %j gets %j', (model, fields, options, edits) => {
  const read = gemini.read(Buffer.from(JSON.stringify({ contents: [], ...fields })), {
    ...{ model, stream: false, action: 'generateContent' },
  })
  if (!read.ok) throw new Error(read.hint)
  expect(topEdits(endpoint!.quirks, read.parsed, model, {}, options)).toEqual(edits)
})
