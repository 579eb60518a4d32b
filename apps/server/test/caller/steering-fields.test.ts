import { steeringFields } from '@hub/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useRelayHub } from '../relay-hub.ts'
import { type CallerRequest, chatRequests, otherRequests } from './caller-requests.ts'
import { type HeaderVendor, startHeaderVendor } from './header-vendor.ts'

const hub = useRelayHub()
let vendor: HeaderVendor

beforeAll(async () => {
  vendor = await startHeaderVendor()
  const base_url = vendor.url
  const storage = { files: true, vector_stores: true }
  // Fields of other models, which may cost more, and unknown fields of videos.
  const price_fields = { unpriced: 'allow' }
  await hub.addChannel(1, 'h-openai', { base_url, plugin: { storage } })
  await hub.addChannel(14, 'h-anthropic', { base_url, plugin: { storage: { files: true } } })
  await hub.addChannel(25, 'h-gemini', { base_url })
  await hub.addChannel(8, 'h-custom', { base_url })
  await hub.addChannel(8, 'h-translated', { base_url, allow_extra_body: true })
  await hub.addChannel(34, 'mj_imagine', { base_url })
  await hub.addChannel(41, 'chirp-v4', { base_url })
  const kling = { base_url, key: 'access|secret', plugin: { price_fields } }
  await hub.addChannel(53, 'kling-v2-1', kling)
  await hub.addChannel(14, 'h-fallbacks', { base_url, plugin: { price_fields } })
  for (const model of ['mj_imagine', 'chirp-v4', 'kling-v2-1']) {
    const price = { model, type: 'times', input: 1, output: 1, tool_prices: { second_std: 1 } }
    await hub.app.root.put(`/api/prices/single/${model}`, { ...price, locked: true })
  }
  for (const [type, model, target] of [
    [1, 'h-embed', 'text-embedding-3-small'],
    [25, 'h-gemini-embed', 'gemini-embedding-001'],
    [1, 'h-image', 'gpt-image-1'],
    [1, 'h-image-2', 'dall-e-2'],
    [47, 'h-rerank', 'jina-reranker-m0'],
  ] as const)
    await hub.addChannel(type, model, {
      base_url,
      model_mapping: JSON.stringify({ [model]: `+${target}` }),
    })
  await hub.addChannel(8, 'h-allowed', {
    base_url,
    plugin: { price_fields, passing: { fields: 'fallbacks, Mock_Testing_*' } },
  })
  await hub.addChannel(8, 'h-all', { base_url, plugin: { passing: { fields: '*' } } })
  await hub.addChannel(8, 'h-operator', {
    base_url,
    custom_parameter: JSON.stringify({ overwrite: true, api_base: 'https://operator.example' }),
  })
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.received.length = 0
})

type Fields = Readonly<Record<string, unknown>>

const send = async ({ path, body }: CallerRequest, fields: Fields) => {
  vendor.received.length = 0
  const isForm = body instanceof FormData
  if (isForm) for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
  const response = await fetch(`${hub.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${hub.key}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify({ ...body, ...fields }),
  })
  const text = await response.text()
  return { status: response.status, text, left: vendor.received.map(each => each.body) }
}
const chat = (model: string) => chatRequests['openai-chat']!(model)
const refused = (field: string) => ({
  status: 400,
  text: expect.stringContaining(`'${field}'`),
  left: [],
})

const fields = steeringFields.flatMap(each => each.fields.map(name => name.replace('*', 'x')))
const models = { 'openai-chat': 'h-openai', 'openai-responses': 'h-openai' } as const
const same = { ...models, anthropic: 'h-anthropic', gemini: 'h-gemini' } as const

describe('a field that steers a gateway', () => {
  it.each(Object.keys(same))('S5 is refused by its name in each dialect: %s', async dialect => {
    const request = chatRequests[dialect]!(same[dialect as keyof typeof same])
    for (const field of fields) {
      if (dialect === 'anthropic' && field === 'fallbacks') continue
      const answer = await send(request, { [field]: 'https://thief.example' })
      expect([field, answer]).toEqual([field, refused(field)])
    }
  })

  it.each([
    ...['streamed chat', 'embeddings', 'embeddings of Gemini', 'completions', 'moderations'],
    ...['images', 'image edits', 'image variations', 'speech', 'transcriptions', 'translations'],
    ...['rerank', 'tokens of Messages', 'background response', 'files', 'uploads'],
    ...['vector stores', 'images of Midjourney', 'songs'],
  ])('S5 is refused with %s', async name => {
    for (const field of ['api_base', 'custom_llm_provider', 'aws_role_name']) {
      const answer = await send(otherRequests[name]!(), { [field]: 'thief' })
      expect([field, answer]).toEqual([field, refused(field)])
    }
  })

  it('S5 is refused among the free fields of a video', async () => {
    const video = { path: '/v1/videos', body: { model: 'kling-v2-1', prompt: 'A dog' } }
    const answer = await send(video, { metadata: { custom_llm_provider: 'thief' } })
    expect(answer).toEqual(refused('custom_llm_provider'))
    expect((await send(video, { metadata: { mode: 'std' } })).left).toHaveLength(1)
  })

  it('S5 is refused in a request of a batch', async () => {
    const { path, body } = otherRequests['batch of Messages']!()
    const [first] = (body as { requests: { params: object }[] }).requests
    Object.assign(first!.params, { api_base: 'https://thief.example' })
    const answer = await send({ path, body: body! }, {})
    expect(answer).toMatchObject({ status: 400, left: [] })
    expect(answer.text).toContain("'api_base'")
  })

  it.each([
    ['extra_body', { api_base: 'x' }, 'extra_body.api_base'],
    ['extra_body', { fallbacks: ['x'] }, 'extra_body.fallbacks'],
    ['metadata', { langfuse_host: 'x' }, 'metadata.langfuse_host'],
    ['metadata', JSON.stringify({ api_base: 'x' }), 'metadata.api_base'],
    ['metadata[aws_sts_endpoint]', 'x', 'metadata[aws_sts_endpoint]'],
  ])('S5 is refused inside %s: %j', async (container, value, name) => {
    expect(await send(chat('h-openai'), { [container]: value })).toEqual(refused(name))
  })

  it.each(['API_BASE', 'Api_Base', 'api_ba\u017fe', 'providerOptions'])(
    'S5 is refused in another spelling, which some parsers take for the same: %s',
    async name => {
      expect(await send(chat('h-openai'), { [name]: 'x' })).toEqual(refused(name))
    },
  )

  it('S5 is refused with its name escaped', async () => {
    const body =
      '{"model":"h-openai","messages":[{"role":"user","content":"Hi"}],"api\\u005fbase":"x"}'
    const response = await fetch(`${hub.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' },
      body,
    })
    expect([response.status, vendor.received]).toEqual([400, []])
  })

  it('is answered in the form of the caller’s API, and costs nothing', async () => {
    const answers = await Promise.all(
      Object.entries(same).map(([dialect, model]) =>
        hub.post(chatRequests[dialect]!(model).path, {
          ...chatRequests[dialect]!(model).body,
          api_base: 'x',
        }),
      ),
    )
    const bodies = await Promise.all(answers.map(each => each.json()))
    expect(bodies).toMatchObject([
      { error: { type: 'invalid_request_error', code: 'request_steering' } },
      { error: { type: 'invalid_request_error', code: 'request_steering' } },
      { type: 'error', error: { type: 'invalid_request_error' } },
      { error: { code: 400, status: 'INVALID_ARGUMENT' } },
    ])
    const { db } = hub.app.app
    const charged = await db
      .selectFrom('transfers')
      .select('id')
      .where('kind', '=', 'request')
      .execute()
    expect(charged).toEqual([])
  })
})

describe('fields that pass', () => {
  it('a field passes that a channel lists, and no other does', async () => {
    expect((await send(chat('h-allowed'), { fallbacks: ['a'] })).left).toHaveLength(1)
    expect((await send(chat('h-allowed'), { mock_testing_fallbacks: true })).left).toHaveLength(1)
    expect(await send(chat('h-allowed'), { api_base: 'x' })).toEqual(refused('api_base'))
    const all = await send(chat('h-all'), { api_base: 'x', metadata: { api_base: 'y' } })
    expect(all.left).toHaveLength(1)
  })

  it('null and a tag in metadata that no gateway reads there pass', async () => {
    const metadata = { organization: 'ACME', tenant_id: '7', user: 'a' }
    const { left } = await send(chat('h-openai'), { api_base: null, metadata })
    expect(JSON.parse(left[0]!)).toMatchObject({ api_base: null, metadata })
  })

  it('fallbacks pass to Anthropic, which documents them, where the channel allows the price of other models', async () => {
    const { left } = await send(chatRequests.anthropic!('h-fallbacks'), {
      fallbacks: [{ model: 'claude-opus-4-6' }],
    })
    expect(left).toHaveLength(1)
  })

  it('a field that the operator of the channel adds passes, also in place of the caller’s', async () => {
    const { left } = await send(chat('h-operator'), { api_base: 'https://thief.example' })
    expect(JSON.parse(left[0]!).api_base).toBe('https://operator.example')
    const own = await send(chat('h-operator'), {})
    expect(JSON.parse(own.left[0]!).api_base).toBe('https://operator.example')
  })

  it('no steering field passes where the call is translated: it stays here, or is refused if the channel keeps unknown fields', async () => {
    const { left } = await send(chatRequests.anthropic!('h-custom'), { api_base: 'x' })
    expect(JSON.parse(left[0]!)).not.toHaveProperty('api_base')
    const kept = await send(chatRequests.anthropic!('h-translated'), { api_base: 'x' })
    expect(kept).toEqual(refused('api_base'))
  })

  it.each(['temperature', 'fallbackz'])(
    'the form of a channel takes only names of steering fields: %s',
    async name => {
      const { status, body } = await hub.app.root.post('/api/channel/', {
        ...{ type: 8, name: 'refused', models: 'refused', key: 'k', group: 'default' },
        ...{ base_url: vendor.url, plugin: { passing: { fields: name } } },
      })
      expect([status, body.code]).toEqual([422, 'channel.option_invalid'])
      expect(body.message).toContain(`'${name}' is not a steering field`)
    },
  )
})
