import { setTimeout as sleep } from 'node:timers/promises'
import { referenceFields, referenceItems } from '@hub/dialects'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Json, useRelayHub } from '../relay-hub.ts'

// Each field by which a request of some dialect names what a vendor stores, at channels of every dialect.

const hub = useRelayHub()
const foreign = 'foreign_1'

/** The type of the provider, and the model at the vendor. */
const vendors = {
  chat: [1, 'gpt-4o'],
  responses: [1, 'gpt-5.5'],
  messages: [14, 'claude-opus-4-6'],
  gemini: [25, 'gemini-2.5-flash'],
  converse: [32, 'us.amazon.nova-pro-v1:0'],
  custom: [8, 'any'],
} as const
type Vendor = keyof typeof vendors
const names = Object.keys(vendors) as Vendor[]

const shared = [
  ...[foreign, 'rs_1', 'ig_1', 'cachedContents/abc', 'fileSearchStores/abc'],
  ...['projects/p/locations/l/ragCorpora/1', 'projects/p/secrets/s'],
].join(', ')

beforeAll(async () => {
  for (const [name, [type, model]] of Object.entries(vendors))
    for (const kind of ['closed', 'open'] as const)
      await hub.addChannel(type, `${kind}-${name}`, {
        ...(type === 32 && { key: 'us-east-1|key' }),
        ...(kind === 'open' && { plugin: { links: { objects: shared } } }),
        model_mapping: JSON.stringify({ [`${kind}-${name}`]: `+${model}` }),
      })
  for (const model of ['gpt-image-1', 'tts-1', 'omni-moderation-latest'])
    await hub.addChannel(1, model)
})
afterEach(() => hub.upstream.forget())

type Case = { path: string | ((model: string) => string); body: Json; vendors?: Vendor[] }

const generate = (model: string) => `/v1beta/models/${model}:generateContent`
const responses = (fields: Json): Case => ({
  path: '/v1/responses',
  body: { input: 'x', ...fields },
})
const item = (input: Json, fields: Json = {}): Case => ({
  ...responses({ input: [{ role: 'user', content: 'x' }, input], ...fields }),
  vendors: ['responses'],
})
const chat = (fields: Json): Case => ({
  path: '/v1/chat/completions',
  body: { messages: [{ role: 'user', content: 'x' }], ...fields },
})
const messages = (fields: Json): Case => ({
  path: '/v1/messages',
  body: { max_tokens: 50, messages: [{ role: 'user', content: 'x' }], ...fields },
})
const user = (part: Json) => [{ role: 'user', content: [part] }]
const gemini = (fields: Json): Case => ({
  path: generate,
  body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }], ...fields },
})
const tool = (fields: Json) => ({ tools: [fields] })

/** By the field that names it. */
const cases: Readonly<Record<string, Case>> = {
  'file_id of Responses': responses({ input: user({ type: 'input_file', file_id: foreign }) }),
  'file_id of an image': responses({ input: user({ type: 'input_image', file_id: foreign }) }),
  'file_ids of a container': responses(
    tool({ type: 'code_interpreter', container: { type: 'auto', file_ids: [foreign] } }),
  ),
  vector_store_ids: responses(tool({ type: 'file_search', vector_store_ids: [foreign] })),
  container: responses(tool({ type: 'code_interpreter', container: foreign })),
  'container_id of a shell': responses(
    tool({ type: 'shell', environment: { type: 'container_reference', container_id: foreign } }),
  ),
  'container_id of an earlier call': item({
    ...{ type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1' },
    ...{ container_id: foreign, outputs: null },
  }),
  'skill_id of Responses': responses(
    tool({
      type: 'shell',
      environment: {
        type: 'container_auto',
        skills: [{ type: 'skill_reference', skill_id: foreign }],
      },
    }),
  ),
  conversation: responses({ conversation: foreign }),
  'conversation as an object': responses({ conversation: { id: foreign } }),
  'prompt with an id': responses({ prompt: { id: foreign, version: '2' } }),
  'id of an item_reference': item({ type: 'item_reference', id: foreign }),
  'id of an item without a type': item({ id: foreign }),
  'id of an item whose type is null': item({ type: null, id: foreign }),
  'id of a bare reasoning item': item({ type: 'reasoning', id: 'rs_1', summary: [] }),
  'id of a reasoning item without content': item({
    ...{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
  }),
  'id of a generated image': item({ type: 'image_generation_call', id: 'ig_1' }),
  'file_id of chat': chat({ messages: user({ type: 'file', file: { file_id: foreign } }) }),
  'content of a message with ids of files': chat({
    messages: [{ role: 'system', content: `fileid://${foreign},fileid://${foreign}` }],
  }),
  'text of a message with ids of files': chat({
    messages: user({ type: 'text', text: ` \n fileid://${foreign}` }),
  }),
  'container of chat': chat({ container: foreign }),
  'cached_content of chat': chat({
    extra_body: { google: { cached_content: 'cachedContents/abc' } },
  }),
  'previous_response_id of chat': chat({ previous_response_id: foreign }),
  'voice with an id': chat({ modalities: ['text', 'audio'], audio: { voice: { id: foreign } } }),
  'audio of an earlier answer': {
    ...chat({ messages: [{ role: 'assistant', audio: { id: foreign } }] }),
    vendors: ['chat'],
  },
  library_ids: chat(tool({ type: 'document_library', library_ids: [foreign] })),
  knowledge_id: chat(tool({ type: 'retrieval', retrieval: { knowledge_id: foreign } })),
  collection_ids: responses(tool({ type: 'collections_search', collection_ids: [foreign] })),
  'file_id of Messages': messages({
    messages: user({ type: 'document', source: { type: 'file', file_id: foreign } }),
  }),
  'file_id of an upload': messages({
    messages: user({ type: 'container_upload', file_id: foreign }),
  }),
  'container of Messages': messages({ container: foreign }),
  'container of Messages as an object': messages({ container: { id: foreign } }),
  'skill_id of Messages': messages({
    container: { skills: [{ type: 'custom', skill_id: foreign, version: 'latest' }] },
  }),
  cachedContent: gemini({ cachedContent: 'cachedContents/abc' }),
  cached_content: gemini({ cached_content: 'cachedContents/abc' }),
  fileSearchStoreNames: gemini(
    tool({ fileSearch: { fileSearchStoreNames: ['fileSearchStores/abc'] } }),
  ),
  file_search_store_names: gemini(
    tool({ file_search: { file_search_store_names: ['fileSearchStores/abc'] } }),
  ),
  ragCorpus: gemini(
    tool({
      retrieval: {
        vertexRagStore: { ragResources: [{ ragCorpus: 'projects/p/locations/l/ragCorpora/1' }] },
      },
    }),
  ),
  apiKeySecret: gemini(
    tool({ retrieval: { externalApi: { apiAuth: { apiKeySecret: 'projects/p/secrets/s' } } } }),
  ),
  'file_id of a counted prompt': {
    path: '/v1/responses/input_tokens',
    body: { input: user({ type: 'input_file', file_id: foreign }) },
  },
  'item_reference of a counted prompt': {
    path: '/v1/responses/input_tokens',
    body: { input: [{ type: 'item_reference', id: foreign }] },
    vendors: ['responses'],
  },
  'item_reference of a compaction': {
    path: '/v1/responses/compact',
    body: { input: [{ type: 'item_reference', id: foreign }] },
    vendors: ['responses'],
  },
  'file_id of a counted message': {
    path: '/v1/messages/count_tokens',
    body: { messages: user({ type: 'document', source: { type: 'file', file_id: foreign } }) },
  },
  'cachedContent of a counted prompt': {
    path: model => `/v1beta/models/${model}:countTokens`,
    body: gemini({ cachedContent: 'cachedContents/abc' }).body,
  },
}

const post = async ({ path }: Case, model: string, body: string): Promise<Response> => {
  const response = await fetch(`${hub.url}${typeof path === 'string' ? path : path(model)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' },
    body,
  })
  if (response.status !== 503) return response
  // On a busy machine the gateway may have no time for a call.
  await sleep(100)
  return post({ path, body: {} }, model, body)
}

const bodyOf = ({ path, body }: Case, model: string): string =>
  JSON.stringify(typeof path === 'string' ? { model, ...body } : body)

const fieldOf = (name: string, body: string): string =>
  ['file_ids', 'file_id', 'container_id', 'skill_id', 'item_reference', name.split(' ')[0]!].find(
    each => name.startsWith(each) && body.includes(`"${each}"`),
  ) ?? 'id'

const escaped = (text: string) =>
  `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`

describe.each(Object.keys(cases))('%s', name => {
  const each = cases[name]!

  it('S26 of somebody else never leaves, however it is written', async () => {
    for (const vendor of each.vendors ?? names) {
      const model = `closed-${vendor}`
      const body = bodyOf(each, model)
      const field = fieldOf(name, body)
      const { status } = await post(each, model, body)
      expect([vendor, status]).toEqual([vendor, expect.toBeOneOf([400, 404])])
      const hiddenBody = body.replaceAll(`"${field}"`, `"${escaped(field)}"`)
      expect(hiddenBody).not.toBe(body)
      const hidden = await post(each, model, hiddenBody)
      expect([vendor, hidden.status]).toEqual([vendor, expect.toBeOneOf([400, 404])])
      const solidus = await post(each, model, body.replaceAll('/', '\\/'))
      expect([vendor, solidus.status]).toEqual([vendor, expect.toBeOneOf([400, 404])])
      const doubled = body.replace(`"${field}":`, `"${field}":null,"${field}":`)
      const reversed = doubled.replace(/(":null,".*?":)/, '$1')
      for (const twice of [doubled, reversed]) {
        if (twice === body) continue
        const { status: code } = await post(each, model, twice)
        expect([vendor, code]).toEqual([vendor, expect.toBeOneOf([400, 404])])
      }
    }
    expect(hub.upstream.served).toEqual([])
  })
})

/** Fields that other tests name: of batches, of links, and of tasks. */
const elsewhere = new Set(['input_file_id', 'fileUri', 'file_uri', 'video_id', 'origin_task_id'])

it('each field and item of the table has a case', () => {
  const bodies = JSON.stringify(Object.values(cases).map(each => each.body))
  const fields = referenceFields.flatMap(each => each.names)
  for (const name of fields.filter(each => !elsewhere.has(each)))
    expect(bodies).toContain(`"${name}":`)
  for (const { type } of referenceItems) expect(bodies).toContain(`"type":"${type}"`)
})

const operations: Readonly<Record<string, [path: string, model: string, fields: Json]>> = {
  'an edited image': ['/v1/images/edits', 'gpt-image-1', { images: [{ file_id: foreign }] }],
  'a mask': [
    '/v1/images/edits',
    'gpt-image-1',
    { images: [{ image_url: 'https://files.example/a.png' }], mask: { file_id: foreign } },
  ],
  'a voice': ['/v1/audio/speech', 'tts-1', { input: 'x', voice: { id: foreign } }],
}

for (const [name, [path, model, fields]] of Object.entries(operations))
  it(`S26 ${name} of somebody else is never sent by another operation`, async () => {
    const body = JSON.stringify({ model, prompt: 'Red', ...fields })
    const { status } = await post({ path, body: {} }, model, body)
    expect(status).toBeOneOf([400, 404])
    expect(hub.upstream.served).toEqual([])
  })

it('a shared object reaches the vendor as the caller wrote it', async () => {
  const own: Partial<Record<string, Vendor>> = {
    '/v1/responses': 'responses',
    '/v1/chat/completions': 'chat',
    '/v1/messages': 'messages',
  }
  for (const [name, each] of Object.entries(cases)) {
    if (name === 'previous_response_id of chat') continue
    const vendor = typeof each.path === 'string' ? own[each.path] : 'gemini'
    if (!vendor || name.includes('counted')) continue
    hub.upstream.forget()
    const model = `open-${vendor}`
    const body = bodyOf(each, model)
    const response = await post(each, model, body)
    expect([name, response.status]).toEqual([name, 200])
    await response.text()
    expect(String(hub.upstream.served[0]?.body)).toBe(body.replace(model, vendors[vendor][1]))
  }
})
