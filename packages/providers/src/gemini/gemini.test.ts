import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { addressOf } from '../define.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-400.json': 'upstream.credential' })

const target = { baseUrl: '', model: 'gemini-2.5-flash', stream: false, options: {}, other: '' }
const [endpoint] = provider.serves.chat!

it('the model, the version and whether to stream stand in the address', () => {
  const base = 'https://generativelanguage.googleapis.com'
  expect(addressOf(provider, endpoint!, target)).toBe(
    `${base}/v1beta/models/gemini-2.5-flash:generateContent`,
  )
  expect(addressOf(provider, endpoint!, { ...target, stream: true, other: 'v1' })).toBe(
    `${base}/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
  )
})

it('only models that answer chats or make vectors are listed, without what stands before their names', () => {
  const models = [
    { name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent'] },
    { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/imagen-4', supportedGenerationMethods: ['predict'] },
  ]
  expect(provider.modelIds?.({ models })).toEqual(['gemini-2.5-flash', 'gemini-embedding-001'])
})

it('one vector and many are asked for at two addresses', () => {
  const [embedding] = provider.serves.embeddings!
  const at = (isBatch: boolean) =>
    addressOf(provider, embedding!, { ...target, model: 'gemini-embedding-001', isBatch })
  expect([at(false), at(true)]).toEqual([
    expect.stringMatching(/\/v1beta\/models\/gemini-embedding-001:embedContent$/),
    expect.stringMatching(/\/v1beta\/models\/gemini-embedding-001:batchEmbedContents$/),
  ])
})
