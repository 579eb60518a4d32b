import { noUsage, type Usage } from '@hub/dialects'
import { beforeAll, expect, it } from 'vitest'
import { recompute } from '../src/auditor/charge.ts'
import { itemise } from '../src/billing/calls/itemise.ts'
import { readTerms } from '../src/billing/calls/read-receipt.ts'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, type Json, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

/** The next answer names this mode. The vendor keeps the last request beside it. */
let served: string | undefined
let head: Record<string, string> = {}
let body: Json
let headers: Json
/** The tokens of the next answers, and the points that were held when the vendor had the request. */
let counts = { input: 300, output: 100 }
let held = 0

const ratios = {
  ...{ tier_flex: 0.5, tier_priority: 2, speed_fast: 6, region_us: 1.1, latency_optimized: 1.5 },
  cached_write_12h_tokens: 3,
}
const providerTypes = { openai: 1, custom: 8, anthropic: 14, gemini: 25, bedrock: 32 }

const setPrice = async (model: string, extra_ratios: object | null) => {
  const price = { model, type: 'tokens', input: 1, output: 1, extra_ratios }
  const { status, text } = await hub.app.root.put(`/api/prices/single/${model}`, price)
  if (status !== 200) throw new Error(text)
}

beforeAll(async () => {
  for (const [name, type] of [
    ['openai', providerTypes.openai],
    ['allowed', providerTypes.openai],
    ['removed', providerTypes.openai],
    ['plain', providerTypes.openai],
    ['claude', providerTypes.anthropic],
    ['google', providerTypes.gemini],
  ] as const) {
    const unpriced = name === 'allowed' ? 'allow' : name === 'removed' ? 'remove' : 'refuse'
    await hub.addChannel(type, name, { plugin: { price_fields: { unpriced } } })
    if (!['plain', 'allowed', 'removed'].includes(name)) await setPrice(name, ratios)
    hub.upstream.play(name, async turn => {
      body = receivedBody(turn)
      headers = turn.served.headers
      held = await heldPoints()
      for (const [key, value] of Object.entries(head)) turn.response.setHeader(key, value)
      const { path } = turn.served
      if (path.includes('/messages')) answerClaude(turn)
      else if (path.includes('enerateContent')) answerGemini(turn)
      else if (path.includes('/responses')) answerResponses(turn)
      else answerChat(turn)
    })
  }
})

type Turn = Parameters<typeof answerJson>[0]

const heldPoints = async (): Promise<number> => {
  const holds = await hub.app.app.db.selectFrom('holds').select('amount').execute()
  return holds.reduce((sum, each) => sum + Number(each.amount), 0)
}

const chatUsage = () => ({
  prompt_tokens: counts.input,
  completion_tokens: counts.output,
  total_tokens: counts.input + counts.output,
})
const chatHead = { id: 'chatcmpl-1', created: 1, model: 'm' }

const answerChat = (turn: Turn) => {
  const tier = served === undefined ? {} : { service_tier: served }
  const usage = chatUsage()
  if (!body.stream)
    return answerJson(turn, {
      ...{ ...chatHead, ...tier, object: 'chat.completion', usage },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    })
  const chunk = { ...chatHead, ...tier, object: 'chat.completion.chunk' }
  answerStream(turn, [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...chunk, choices: [], usage },
  ])
}

const answerResponses = (turn: Turn) => {
  const tier = served === undefined ? {} : { service_tier: served }
  const response = {
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm' },
    ...{ ...tier, error: null, incomplete_details: null },
    output: [
      {
        ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
      },
    ],
    usage: {
      ...{ input_tokens: counts.input, output_tokens: counts.output },
      total_tokens: counts.input + counts.output,
    },
  }
  if (!body.stream) return answerJson(turn, response)
  answerStream(turn, [
    { type: 'response.created', response: { ...response, output: [], usage: null } },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: 'Hi' },
    { type: 'response.completed', response },
  ])
}

const answerClaude = (turn: Turn) => {
  const [speed, inference_geo, service_tier] = (served ?? '').split(',')
  const words = {
    ...(speed && { speed }),
    ...(inference_geo && { inference_geo }),
    ...(service_tier && { service_tier }),
  }
  const written = body.cache_control ? counts.input : 0
  const cache_creation = {
    ...{ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: written },
  }
  const usage = {
    ...{ input_tokens: counts.input - written, output_tokens: counts.output, ...words },
    ...(written > 0 && { cache_creation_input_tokens: written, cache_creation }),
  }
  const message = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null },
    ...{ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', usage },
  }
  if (!body.stream) return answerJson(turn, message)
  const text = { type: 'text', text: '' }
  const delta = { type: 'text_delta', text: 'Hi' }
  answerStream(turn, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: text },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      ...{ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: counts.output } },
    },
    { type: 'message_stop' },
  ])
}

const answerGemini = (turn: Turn) => {
  const answer = {
    candidates: [{ content: { parts: [{ text: 'Hi' }], role: 'model' }, finishReason: 'STOP' }],
    usageMetadata: {
      ...{ promptTokenCount: counts.input, candidatesTokenCount: counts.output },
      totalTokenCount: counts.input + counts.output,
      ...(served !== undefined && { trafficType: served }),
    },
  }
  if (turn.served.path.includes('stream')) answerStream(turn, [answer])
  else answerJson(turn, answer)
}

const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const chat = '/v1/chat/completions'

type Sent = { path?: string; model: string; fields?: object; headers?: Record<string, string> }

const bodyOf = (path: string, model: string): object => {
  if (path.includes('/responses')) return { model, input: 'hi', store: false }
  if (path.includes('enerateContent')) return { contents }
  return { model, messages, max_tokens: 200 }
}

const send = async ({ path = chat, model, fields = {}, headers = {} }: Sent) => {
  const response = await hub.post(path, { ...bodyOf(path, model), ...fields }, headers)
  return { status: response.status, text: await response.text() }
}

/** The points of the last call, and the modes that its receipt names. */
const charged = async (sent: Sent) => {
  const { status, text } = await send(sent)
  expect(status, text).toBe(200)
  const charge = await lastCharge(hub)
  return [charge!.amount, charge!.usage.modes ?? []]
}

const alarms = async () => {
  const { values } = await hub.app.app.metrics.alarms.get()
  return values.find(each => each.labels.kind === 'price_mode')?.value ?? 0
}

const as = (word: string | undefined, more: Record<string, string> = {}) => {
  served = word
  head = more
}

const gemini = (method: string) => `/v1beta/models/google:${method}`

it.each([
  [{ model: 'openai' }, undefined, 400, []],
  [{ model: 'openai', fields: { service_tier: 'auto' } }, 'default', 400, []],
  [{ model: 'openai', fields: { service_tier: 'flex' } }, 'flex', 200, ['tier_flex']],
  [{ model: 'openai', fields: { service_tier: 'flex' } }, undefined, 200, ['tier_flex']],
  [{ model: 'openai', fields: { service_tier: 'fast' } }, 'priority', 800, ['tier_priority']],
  [{ model: 'openai', fields: { service_tier: 'priority' } }, 'default', 400, []],
  [{ model: 'openai' }, 'priority', 800, ['tier_priority']],
  [
    { model: 'openai', path: '/v1/responses', fields: { service_tier: 'flex' } },
    ...['flex', 200, ['tier_flex']],
  ],
  [{ model: 'openai', path: '/v1/messages' }, 'priority', 800, ['tier_priority']],
  [
    { model: 'claude', path: '/v1/messages', fields: { speed: 'fast', inference_geo: 'us' } },
    ...['fast,us,standard', 2640, ['speed_fast', 'region_us']],
  ],
  [
    { model: 'claude', path: '/v1/messages', fields: { speed: 'fast', inference_geo: 'us' } },
    ...['standard,us,standard', 440, ['region_us']],
  ],
  [{ model: 'claude', path: chat }, 'standard,us,standard', 440, ['region_us']],
  [{ model: 'google', path: gemini('generateContent') }, 'ON_DEMAND', 400, []],
  [
    ...[{ model: 'google', path: gemini('generateContent') }, 'ON_DEMAND_PRIORITY', 800],
    ['tier_priority'],
  ],
  [
    {
      ...{ model: 'google', path: gemini('generateContent') },
      fields: { serviceTier: 'SERVICE_TIER_FLEX' },
    },
    ...[undefined, 200, ['tier_flex']],
  ],
] as [Sent, string | undefined, number, string[]][])(
  'a call of %j that is served as %s costs %i points',
  async (sent, word, points, modes) => {
    as(word)
    expect(await charged(sent)).toEqual([points, modes])
    const stream = sent.path?.includes('generateContent')
      ? { ...sent, path: `${gemini('streamGenerateContent')}?alt=sse` }
      : { ...sent, fields: { ...sent.fields, stream: true } }
    expect(await charged(stream)).toEqual([points, modes])
  },
)

it('follows the head of an answer that itself names no tier', async () => {
  as(undefined, { 'x-gemini-service-tier': 'standard' })
  const sent = { model: 'google', path: gemini('generateContent') }
  expect(await charged({ ...sent, fields: { serviceTier: 'flex' } })).toEqual([400, []])
})

it('refuses a field without a ratio before the vendor has the request, and charges nothing', async () => {
  const before = hub.upstream.served.length
  const { status, text } = await send({ model: 'plain', fields: { service_tier: 'priority' } })
  expect([status, JSON.parse(text).error.code]).toEqual([400, 'request_price_field'])
  expect(JSON.parse(text).error.message).toContain("'service_tier' is 'priority'")
  expect(hub.upstream.served.length).toBe(before)
})

it('sends an unpriced field at 1 where the channel allows it, and raises no alarm', async () => {
  as('priority')
  const before = await alarms()
  const sent = { model: 'allowed', fields: { service_tier: 'priority' } }
  expect(await charged(sent)).toEqual([400, ['tier_priority']])
  expect(body.service_tier).toBe('priority')
  expect(await alarms()).toBe(before)
})

it('removes an unpriced field where the channel says so', async () => {
  as('default')
  const sent = { model: 'removed', fields: { service_tier: 'priority', user: 'u' } }
  expect(await charged(sent)).toEqual([400, []])
  expect([body.service_tier, body.user]).toEqual([undefined, 'u'])
})

it('charges a tier that only the answer names at 1 without a ratio, and raises an alarm', async () => {
  as('priority')
  const before = await alarms()
  expect(await charged({ model: 'plain' })).toEqual([400, ['tier_priority']])
  expect(await alarms()).toBe(before + 1)
  as('hyper')
  expect(await charged({ model: 'plain' })).toEqual([400, ['tier_hyper']])
  expect(await alarms()).toBe(before + 2)
})

it('refuses the beta of long prompts at a price without tiers, and passes other betas', async () => {
  as(undefined)
  const path = '/v1/messages'
  await hub.addChannel(providerTypes.anthropic, 'claude-sonnet-4-0')
  hub.upstream.play('claude-sonnet-4-0', turn => {
    body = receivedBody(turn)
    headers = turn.served.headers
    answerClaude(turn)
  })
  const sent = { model: 'claude-sonnet-4-0', path }
  const long = { 'anthropic-beta': 'context-1m-2025-08-07,other-2025-01-01' }
  expect((await send({ ...sent, headers: long })).status).toBe(400)
  expect(await charged({ ...sent, headers: { 'anthropic-beta': 'other-2025-01-01' } })).toEqual([
    400,
    [],
  ])
  expect(headers['anthropic-beta']).toBe('other-2025-01-01')
})

it('has receipts from which itemiser and auditor compute the charge again', async () => {
  as('standard,us,standard')
  const fields = { speed: 'fast', inference_geo: 'us' }
  await charged({ model: 'claude', path: '/v1/messages', fields })
  const charge = (await lastCharge(hub))!
  const { body: version } = await hub.app.app.db
    .selectFrom('price_versions')
    .select('body')
    .where('id', '=', Number(charge.price))
    .executeTakeFirstOrThrow()
  expect(recompute(version, charge.usage)).toBe(440n)
  const usage = { ...noUsage(), ...charge.usage } as Usage
  expect(itemise(readTerms(version).terms, usage).sum).toBe('440')
})

/** Each of these is served as it is asked for, or in the standard way. */
it.each([
  [{ model: 'openai' }, 'default'],
  [{ model: 'openai', fields: { service_tier: 'flex' } }, 'default'],
  [{ model: 'openai', fields: { service_tier: 'flex' } }, 'flex'],
  [{ model: 'openai', fields: { service_tier: 'priority' } }, 'priority'],
  [{ model: 'openai', path: '/v1/responses', fields: { service_tier: 'fast' } }, 'priority'],
  [
    { model: 'claude', path: '/v1/messages', fields: { speed: 'fast', inference_geo: 'us' } },
    'fast,us',
  ],
  [
    {
      ...{ model: 'claude', path: '/v1/messages' },
      fields: { speed: 'fast', cache_control: { type: 'ephemeral', ttl: '1h' } },
    },
    'fast',
  ],
  [
    { model: 'google', path: gemini('generateContent'), fields: { serviceTier: 'priority' } },
    'ON_DEMAND_PRIORITY',
  ],
] as [Sent, string][])(
  'holds at least what a call of %j costs, served as %s',
  async (sent, word) => {
    as(word)
    // The whole prompt is written to the cache, and the longest answer is made.
    counts = { input: 15, output: 200 }
    const limit = sent.path?.includes('responses')
      ? { max_output_tokens: 200 }
      : sent.path?.includes('enerateContent')
        ? { generationConfig: { maxOutputTokens: 200 } }
        : {}
    const [points] = await charged({ ...sent, fields: { ...limit, ...sent.fields } })
    counts = { input: 300, output: 100 }
    expect(held).toBeGreaterThanOrEqual(Number(points))
  },
)

it('holds the ratio that a channel’s own parameter may cost', async () => {
  as('priority')
  counts = { input: 10, output: 2_000 }
  for (const [model, custom_parameter] of [
    ['fixed', '{"service_tier":"priority"}'],
    ['chosen', '{"per_model":true,"chosen":{"service_tier":"priority"}}'],
  ] as const) {
    await hub.addChannel(providerTypes.openai, model, { custom_parameter })
    await setPrice(model, ratios)
    hub.upstream.play(model, async turn => {
      body = receivedBody(turn)
      held = await heldPoints()
      answerChat(turn)
    })
    const [points, modes] = await charged({ model, fields: { max_tokens: 2_000 } })
    expect([points, modes, body.service_tier]).toEqual([4_020, ['tier_priority'], 'priority'])
    expect(held).toBeGreaterThanOrEqual(4_020)
  }
  counts = { input: 300, output: 100 }
})

it('keeps the tier of a response in the background until its charge', async () => {
  await hub.addChannel(providerTypes.openai, 'late:*')
  await setPrice('late:*', ratios)
  const model = 'late:in=300;out=100;every=5'
  const fields = { model, input: 'hi', background: true, service_tier: 'priority' }
  const created = (await (await hub.post('/v1/responses', fields)).json()) as Json
  expect(created.status).toBe('queued')
  const status = async () => {
    const headers = { authorization: `Bearer ${hub.key}` }
    const response = await fetch(`${hub.url}/v1/responses/${created.id}`, { headers })
    return ((await response.json()) as Json).status
  }
  await expect.poll(status).toBe('completed')
  const charge = await lastCharge(hub)
  expect([charge!.amount, charge!.usage.modes]).toEqual([800, ['tier_priority']])
})

it('holds a prompt that is marked for a cache at the price of its writes', async () => {
  as(undefined)
  const text = 'word '.repeat(4_000)
  const fields = { max_tokens: 1, messages: [{ role: 'user', content: text }] }
  const path = '/v1/messages'
  await charged({ model: 'claude', path, fields })
  const plain = held
  const cache_control = { type: 'ephemeral', ttl: '1h' }
  counts = { input: 5_000, output: 1 }
  const [points] = await charged({ model: 'claude', path, fields: { ...fields, cache_control } })
  counts = { input: 300, output: 100 }
  expect(points).toBe(10_001)
  expect(held).toBeGreaterThanOrEqual(10_001)
  expect(plain).toBeLessThan(10_001)
})
