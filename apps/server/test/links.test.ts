import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const aws = { key: 'us-east-1|key' }
const buckets = { links: { buckets: 'shared, other' } }

/** The channels of the calls: the type of the provider, the model at the vendor, and further fields. */
const vendors = {
  chat: [1, 'gpt-4o', {}],
  responses: [1, 'gpt-5.5', {}],
  messages: [14, 'claude-opus-4-6', {}],
  gemini: [25, 'gemini-2.5-flash', { plugin: buckets }],
  converse: [32, 'us.amazon.nova-pro-v1:0', { ...aws, plugin: buckets }],
  custom: [8, 'any', { plugin: buckets }],
} as const
type Vendor = keyof typeof vendors

beforeAll(async () => {
  for (const [name, [type, model, fields]] of Object.entries(vendors))
    await hub.addChannel(type, `m-${name}`, {
      ...fields,
      model_mapping: JSON.stringify({ [`m-${name}`]: `+${model}` }),
    })
  for (const [type, model] of [
    [1, 'gpt-image-1'],
    [1, 'omni-moderation-latest'],
    [47, 'jina-reranker-m0'],
    [47, 'jina-clip-v2'],
    [1, 'whisper-1'],
    [1, 'dall-e-2'],
  ] as const)
    await hub.addChannel(type, model)
})
afterEach(() => hub.upstream.forget())

type Call = [path: (model: string) => string, body: (model: string, link: string) => object]
const fixed = (path: string) => () => path
const generate = (model: string) => `/v1beta/models/${model}:generateContent`
const user = (content: unknown) => [{ role: 'user', content }]
const contents = (part: object) => ({ contents: [{ role: 'user', parts: [part, { text: 'Hi' }] }] })
const text = { type: 'text', text: 'What is it?' }
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

/** Each place for a link in each dialect. */
const places: Readonly<Record<string, Call>> = {
  'an image of chat': [
    fixed('/v1/chat/completions'),
    (model, url) => ({ model, messages: user([text, { type: 'image_url', image_url: { url } }]) }),
  ],
  'an image of chat that is only a text': [
    fixed('/v1/chat/completions'),
    (model, url) => ({ model, messages: user([text, { type: 'image_url', image_url: url }]) }),
  ],
  'a video of chat': [
    fixed('/v1/chat/completions'),
    (model, url) => ({ model, messages: user([text, { type: 'video_url', video_url: { url } }]) }),
  ],
  'the result of a tool of chat': [
    fixed('/v1/chat/completions'),
    (model, url) => ({
      model,
      messages: [
        ...user('Look.'),
        { role: 'assistant', content: null, tool_calls: [call] },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: [{ type: 'image_url', image_url: { url } }],
        },
      ],
    }),
  ],
  'an image of Responses': [
    fixed('/v1/responses'),
    (model, image_url) => ({
      ...{ model, store: false },
      input: user([{ type: 'input_image', image_url }]),
    }),
  ],
  'a file of Responses': [
    fixed('/v1/responses'),
    (model, file_url) => ({
      ...{ model, store: false },
      input: user([{ type: 'input_file', file_url }]),
    }),
  ],
  'an image of Messages': [
    fixed('/v1/messages'),
    (model, url) => ({
      ...{ model, max_tokens: 50 },
      messages: user([text, { type: 'image', source: { type: 'url', url } }]),
    }),
  ],
  'a document of Messages': [
    fixed('/v1/messages'),
    (model, url) => ({
      ...{ model, max_tokens: 50 },
      messages: user([text, { type: 'document', source: { type: 'url', url } }]),
    }),
  ],
  'the result of a tool of Messages': [
    fixed('/v1/messages'),
    (model, url) => ({
      ...{ model, max_tokens: 50 },
      messages: [
        ...user('Look.'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
        ...user([
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'image', source: { type: 'url', url } }],
          },
        ]),
      ],
    }),
  ],
  'a file of Gemini': [
    generate,
    (_model, fileUri) => contents({ fileData: { mimeType: 'image/png', fileUri } }),
  ],
  'a file of Gemini in snake case': [
    generate,
    (_model, file_uri) => contents({ file_data: { mime_type: 'image/png', file_uri } }),
  ],
  'the result of a function of Gemini': [
    generate,
    (_model, fileUri) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'look',
                response: { output: 'Done.' },
                parts: [{ fileData: { mimeType: 'image/png', fileUri } }],
              },
            },
          ],
        },
      ],
    }),
  ],
  'a count of Messages': [
    fixed('/v1/messages/count_tokens'),
    (model, url) => ({ model, messages: user([{ type: 'image', source: { type: 'url', url } }]) }),
  ],
  'a count of Gemini': [
    model => `/v1beta/models/${model}:countTokens`,
    (_model, fileUri) => contents({ fileData: { mimeType: 'image/png', fileUri } }),
  ],
}

/** Links to an object of the account, to storage of the operator, to a file of the vendor's host, or to nothing. */
const foreign = (): string[] => [
  'https://generativelanguage.googleapis.com/v1beta/files/abc',
  'HTTPS://GenerativeLanguage.googleapis.com./v1beta/files/abc',
  'https://generativelanguage.googleapis.com/v1beta/files/abc?alt=media',
  'https://api.openai.com/v1/files/file-abc/content',
  'https://api.anthropic.com/v1/files/file_abc/content',
  'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/files/abc',
  `${hub.upstream.url}/v1beta/files/abc`,
  `${hub.upstream.url}/a/private.png`,
  'files/abc',
  'gs://bucket/secret.png',
  'GS://bucket/secret.png',
  ' gs://bucket/secret.png',
  'gs://shared.bucket/secret.png',
  's3://bucket/secret.png',
  'file:///etc/passwd',
  'FILE:/etc/passwd',
  'ms://file-1',
  'oss://bucket/secret.png',
  '/v1beta/files/abc',
  '../files/abc',
  'cat.png',
]

const post = async (place: string, vendor: Vendor, link: string) => {
  const [path, body] = places[place]!
  const model = `m-${vendor}`
  return answer(path(model), body(model, link))
}
const send = (path: string, body: object): Promise<Response> => {
  const headers = { authorization: `Bearer ${hub.key}` }
  return body instanceof FormData
    ? fetch(`${hub.url}${path}`, { method: 'POST', headers, body })
    : hub.post(path, body)
}
/** On a busy machine the gateway may have no time for a call: 503. */
const answer = async (path: string, body: object): Promise<{ status: number; text: string }> => {
  const response = await send(path, body)
  const text = await response.text()
  if (response.status !== 503) return { status: response.status, text }
  await sleep(100)
  return answer(path, body)
}
const servedLinks = () => hub.upstream.served.map(({ path, body }) => `${path} ${body}`)

describe.each(Object.keys(vendors) as Vendor[])('a channel of the kind %s', vendor => {
  it.each(Object.keys(places))('is never sent what is not the caller’s as %s', async place => {
    // The gateway counts by itself for vendors that count in another dialect.
    const refusals = place.startsWith('a count') ? [200, 400, 404] : [400, 404]
    for (const link of foreign()) {
      const { status, text } = await post(place, vendor, link)
      expect([link, status, text]).toEqual([link, expect.toBeOneOf(refusals), expect.anything()])
    }
    expect(servedLinks()).toEqual([])
  })
})

const png = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB'.repeat(4)}`
const signed =
  'https://bucket.s3.eu-west-1.amazonaws.com/a.png?X-Amz-Signature=abc&X-Amz-Expires=60'
const links = 'https://files.example/cat.png'
const youtube = 'https://www.youtube.com/watch?v=abc'

it.each<[string, Vendor, string]>([
  ...(['an image of chat', 'a video of chat'] as const).flatMap(place =>
    (['chat', 'custom'] as const).flatMap((vendor): [string, Vendor, string][] => [
      [place, vendor, links],
      [place, vendor, signed],
    ]),
  ),
  ['an image of chat', 'messages', links],
  ['an image of chat', 'responses', signed],
  ['an image of chat', 'custom', 'gs://shared/cat.png'],
  ['an image of Responses', 'responses', links],
  ['a file of Responses', 'responses', signed],
  ['an image of Responses', 'messages', signed],
  ['an image of Messages', 'messages', links],
  ['an image of Messages', 'chat', signed],
  ['a document of Messages', 'messages', signed],
  ['a document of Messages', 'gemini', youtube],
  ['an image of chat', 'gemini', youtube],
  ['an image of chat', 'gemini', 'https://youtu.be/abc'],
  ['an image of chat', 'gemini', 'gs://shared/cat.png'],
  ['a file of Responses', 'gemini', 'gs://other/cat.pdf'],
  ['a file of Gemini', 'gemini', links],
  ['a file of Gemini', 'gemini', signed],
  ['a file of Gemini', 'gemini', youtube],
  ['a file of Gemini', 'gemini', 'gs://shared/cat.png'],
  ['a file of Gemini', 'converse', 's3://shared/cat.png'],
  ['a count of Gemini', 'gemini', youtube],
  ['a count of Messages', 'messages', links],
])('%s reaches a channel of the kind %s with %s', async (place, vendor, link) => {
  const { status, text } = await post(place, vendor, link)
  expect(status, text).toBe(200)
  expect(servedLinks()).toEqual([expect.stringContaining(JSON.stringify(link))])
})

it('the bytes of a caller with links pass unchanged in its own dialect', async () => {
  for (const [place, vendor] of [
    ['an image of chat', 'chat'],
    ['an image of Responses', 'responses'],
    ['an image of Messages', 'messages'],
    ['a file of Gemini', 'gemini'],
  ] as const) {
    hub.upstream.forget()
    await post(place, vendor, signed)
    const body = places[place]![1](`m-${vendor}`, signed)
    const sent = 'model' in body ? { ...body, model: vendors[vendor][1] } : body
    expect(String(hub.upstream.served[0]?.body)).toBe(JSON.stringify(sent))
  }
})

it('content passes as content', async () => {
  for (const vendor of Object.keys(vendors) as Vendor[]) {
    const { status, text } = await post('an image of chat', vendor, png)
    expect(status, text).toBe(200)
  }
  expect(hub.upstream.served).toHaveLength(Object.keys(vendors).length)
})

const base64 = 'QUJDREVGR0hJSktMTU5PUA=='.repeat(8)
const pdf = `data:application/pdf;base64,${base64}`
const wav = `data:audio/wav;base64,${base64}`
const mp4 = `data:video/mp4;base64,${base64}`

it.each<[string, Vendor, string]>([
  ['a video of chat', 'chat', mp4],
  ['a video of chat', 'custom', mp4],
  ['an image of chat that is only a text', 'chat', png],
  ['an image of Responses', 'responses', png],
  ['a file of Responses', 'responses', pdf],
  ['a document of Messages', 'messages', pdf],
  ['a file of Gemini', 'gemini', wav],
  ['a file of Gemini in snake case', 'gemini', pdf],
  ['a count of Gemini', 'gemini', wav],
])('%s passes to a channel of the kind %s as content', async (place, vendor, data) => {
  const { status, text } = await post(place, vendor, data)
  expect(status, text).toBe(200)
  expect(servedLinks()).toEqual([expect.stringContaining(JSON.stringify(data))])
})

const file = { type: 'file', file: { filename: 'a.pdf', file_data: pdf } }
const audio = { type: 'input_audio', input_audio: { format: 'wav', data: base64 } }

it.each<[string, object, Vendor]>([
  ...(['chat', 'responses', 'messages', 'gemini', 'converse', 'custom'] as const).map(
    (vendor): [string, object, Vendor] => ['a PDF', file, vendor],
  ),
  ...(['chat', 'gemini', 'custom'] as const).map((vendor): [string, object, Vendor] => [
    'audio',
    audio,
    vendor,
  ]),
])('%s of chat reaches every vendor that reads it', async (_name, part, vendor) => {
  const body = { model: `m-${vendor}`, messages: user([text, part]) }
  const { status, text: answered } = await answer('/v1/chat/completions', body)
  expect(status, answered).toBe(200)
  expect(servedLinks()).toEqual([expect.stringContaining(base64)])
})

it('data of tools and of the caller may say anything', async () => {
  const input = { url: 'file:///etc/passwd', image: 'gs://bucket/a', source: { url: 'files/abc' } }
  const schema = { type: 'object', properties: { url: { type: 'string', default: 'files/abc' } } }
  const body = {
    ...{ model: 'm-messages', max_tokens: 50 },
    tools: [{ name: 'fetch', input_schema: { ...schema, examples: [input] } }],
    messages: [
      ...user('Look at gs://bucket/a.'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'fetch', input }] },
      ...user([{ type: 'tool_result', tool_use_id: 'a', content: 'file:///etc/passwd is empty.' }]),
    ],
  }
  for (const vendor of Object.keys(vendors)) {
    const { status, text } = await answer('/v1/messages', { ...body, model: `m-${vendor}` })
    expect(status, text).toBe(200)
  }
  expect(hub.upstream.served).toHaveLength(Object.keys(vendors).length)
})

it('a link that is written twice or with escapes is not missed', async () => {
  const headers = { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' }
  const bodies = [
    '{"url":"gs://bucket/a","url":"https://files.example/a"}',
    '{"u\\u0072l":"gs://bucket/a"}',
    '{"url":"\\u0067s://bucket/a"}',
    '{"url":"https:\\/\\/generativelanguage.googleapis.com\\/v1beta\\/files\\/abc"}',
  ].map(
    url =>
      `{"model":"m-chat","messages":[{"role":"user","content":[{"type":"image_url","image_url":${url}}]}]}`,
  )
  for (const body of bodies) {
    const init = { method: 'POST', headers, body }
    const response = await fetch(`${hub.url}/v1/chat/completions`, init)
    expect([body, response.status]).toEqual([body, expect.toBeOneOf([400, 404])])
  }
  expect(servedLinks()).toEqual([])
})

/** A form of fields, with an audio file or an image where the operation needs one. */
const formOf = (fields: Json, ...files: readonly (readonly [string, string])[]): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [name, filename] of files) form.append(name, new Blob(['bytes']), filename)
  return form
}

const operations: Readonly<
  Record<string, [path: string, body: (link: string) => Json | FormData]>
> = {
  'an embedded image': [
    '/v1/embeddings',
    image => ({ model: 'jina-clip-v2', input: [{ text: 'cat' }, { image }] }),
  ],
  'the address of a transcribed file': [
    '/v1/audio/transcriptions',
    url => formOf({ model: 'whisper-1', url }, ['file', 'a.mp3']),
  ],
  'the image of a variation': [
    '/v1/images/variations',
    image => formOf({ model: 'dall-e-2', image }),
  ],
  'the image of an edit in a form': [
    '/v1/images/edits',
    image => formOf({ model: 'gpt-image-1', prompt: 'Red', image }),
  ],
  'the mask of an edit in a form': [
    '/v1/images/edits',
    mask => formOf({ model: 'gpt-image-1', prompt: 'Red', mask }, ['image', 'a.png']),
  ],
  'an edited image': [
    '/v1/images/edits',
    image_url => ({ model: 'gpt-image-1', prompt: 'Red', images: [{ image_url }] }),
  ],
  'the mask of an edit': [
    '/v1/images/edits',
    image_url => ({
      ...{ model: 'gpt-image-1', prompt: 'Red', images: [{ image_url: png }] },
      mask: { image_url },
    }),
  ],
  'a moderated image': [
    '/v1/moderations',
    url => ({
      model: 'omni-moderation-latest',
      input: [{ type: 'image_url', image_url: { url } }],
    }),
  ],
  'a ranked image': [
    '/v1/rerank',
    image => ({ model: 'jina-reranker-m0', query: 'cat', documents: [{ image }] }),
  ],
}

describe.each(Object.keys(operations))('%s', operation => {
  it('is never a link to what is not the caller’s', async () => {
    const [path, body] = operations[operation]!
    for (const link of foreign()) {
      const response = await answer(path, body(link))
      expect([link, response.status]).toEqual([link, expect.toBeOneOf([400, 404])])
    }
    expect(servedLinks()).toEqual([])
  })

  it('may be a public link or content', async () => {
    const [path, body] = operations[operation]!
    for (const link of [links, signed, png]) await answer(path, body(link))
    const quoted = (link: string) => (body(link) instanceof FormData ? link : JSON.stringify(link))
    expect(servedLinks()).toEqual(
      [links, signed, png].map(link => expect.stringContaining(quoted(link))),
    )
  })
})
