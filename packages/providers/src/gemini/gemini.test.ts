import { gemini } from '@hub/dialects'
import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {
  'fault-400.json': 'upstream.credential',
  'fault-403.json': 'upstream.caller',
})

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

it('a live session has an address of its own, and names its model in a message', () => {
  const [live] = provider.serves.realtime!
  const address = (other: string) => addressOf(provider, live!, { ...channel, other })
  const at = (version: string) =>
    `https://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  expect([address(''), address('v1alpha')]).toEqual([at('v1beta'), at('v1alpha')])
  expect(live!.sessionModel?.({ model: 'gemini-live', other: '' })).toBe('models/gemini-live')
})

it('only models that are served are listed, without the prefix of their names', () => {
  const models = [
    { name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent'] },
    { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/gemini-live', supportedGenerationMethods: ['bidiGenerateContent'] },
    { name: 'models/imagen-4', supportedGenerationMethods: ['predict'] },
    { name: 'models/veo-3', supportedGenerationMethods: ['predictLongRunning'] },
    { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
  ]
  expect(provider.readModelIds?.({ models })).toEqual([
    ...['gemini-2.5-flash', 'gemini-embedding-001', 'gemini-live', 'imagen-4', 'veo-3'],
  ])
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
  expect(topEdits(endpoint!.quirks, read.parsed, model, {}, { options })).toEqual(edits)
})

it('the OpenAI endpoint is for channels that choose it, with its own key header', () => {
  const openai = provider.serves.chat![1]!
  expect(openai.enabledBy?.({})).toBe(false)
  expect(openai.enabledBy?.({ use_openai_api: { enable: true } })).toBe(true)
  const at = (other: string) => addressOf(provider, openai, { ...channel, other })
  const url = 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'
  expect([at(''), at('v1beta'), at('v1beta/openai')]).toEqual([url, url, url])
  const sign = (path: string) =>
    provider.sign({ now: () => 0 }, 'key', { method: 'POST', origin: '', path, body: null }).headers
  expect(sign('/v1beta/openai/chat/completions')).toEqual({ authorization: 'Bearer key' })
  expect(sign('/v1beta/models/m:generateContent')).toEqual({ 'x-goog-api-key': 'key' })
})
