import { beforeAll, beforeEach, expect, it } from 'vitest'
import { onBothEngines } from './harness.ts'
import { answerJson, type Json, type RelayHub, useRelayHub } from './relay-hub.ts'

let hub: RelayHub
const text = `You speak for ACME. ${'Be exact. '.repeat(60)}`
const plugin = { system_prompt: { text, position: 'before' } }

const vendors = {
  chat: [8, 'any'],
  claude: [14, 'claude-opus-4-6'],
  gemini: [25, 'gemini-2.5-pro'],
} as const
const user = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
type Request = readonly [path: string, body: object]
const callers: Record<string, (model: string, stream?: boolean) => Request> = {
  chat: (model, stream) => [
    '/v1/chat/completions',
    { model, messages: user, max_tokens: 10, stream },
  ],
  responses: (model, stream) => [
    '/v1/responses',
    { model, input: 'hi', store: false, max_output_tokens: 16, stream },
  ],
  messages: (model, stream) => ['/v1/messages', { model, max_tokens: 10, messages: user, stream }],
  gemini: (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents, generationConfig: { maxOutputTokens: 10 } },
  ],
}
const received = (): string => String(hub.upstream.served[0]!.body)
const lastRow = async (): Promise<Json> =>
  (await hub.app.root.get('/api/log/?order=-id&size=1')).body.data.data[0]
const lastReceipt = async (): Promise<Json> => {
  const { id } = await lastRow()
  return (await hub.app.root.get(`/api/log/${id}/receipt`)).body.data
}

const cases = Object.keys(callers).flatMap(caller =>
  Object.keys(vendors).flatMap(vendor =>
    [false, true].map(stream => [caller, vendor, stream] as const),
  ),
)
const addChannels = async () => {
  for (const [name, [type, model]] of Object.entries(vendors))
    for (const [prefix, options] of [
      ['p', { plugin }],
      ['n', {}],
    ] as const)
      await hub.addChannel(type, `${prefix}-${name}`, {
        ...options,
        model_mapping: JSON.stringify({ [`${prefix}-${name}`]: `+${model}` }),
      })
}

/** Points that are held while the vendor answers, and what the call is charged if its vendor reports no usage. */
const heldAndCharged = async (model: string): Promise<{ held: number; charged: number }> => {
  let held = 0
  hub.upstream.play('any', async turn => {
    const rows = await hub.app.app.db.selectFrom('holds').select('amount').execute()
    held = rows.reduce((sum, each) => sum + Number(each.amount), 0)
    const message = { role: 'assistant', content: 'ok' }
    answerJson(turn, { choices: [{ index: 0, message, finish_reason: 'stop' }] })
  })
  const response = await hub.post(...callers.chat!(model))
  expect(response.status, await response.text()).toBe(200)
  return { held, charged: (await lastRow()).quota }
}

const testRequests = () => {
  it.each(cases)(
    'a call of %s to %s (streamed: %s) is sent the prompt of its channel once',
    async (caller, vendor, stream) => {
      const response = await hub.post(...callers[caller]!(`p-${vendor}`, stream))
      expect(response.status, await response.text()).toBe(200)
      expect(received().split('You speak for ACME.')).toHaveLength(2)
      expect(received()).toContain('hi')
      expect((await lastReceipt()).channel_prompt_tokens).toBeGreaterThan(100)
    },
  )

  it.each(Object.keys(callers))('two calls of %s begin with the same bytes', async caller => {
    for (const _ of [1, 2]) await (await hub.post(...callers[caller]!('p-chat'))).text()
    const [first, second] = hub.upstream.served.map(each => String(each.body))
    expect(first).toBe(second)
  })

  it('a channel without a prompt gets the caller’s own bytes, and its receipt names none', async () => {
    const [path, body] = callers.messages!('n-claude')
    await (await hub.post(path, body)).text()
    expect(received()).toBe(JSON.stringify({ ...body, model: 'claude-opus-4-6' }))
    expect(await lastReceipt()).not.toHaveProperty('channel_prompt_tokens')
  })
}

const testMoney = () => {
  it('the prompt is held with the call, and charged where its vendor reports no usage', async () => {
    const plain = await heldAndCharged('n-chat')
    const prompted = await heldAndCharged('p-chat')
    const { channel_prompt_tokens } = await lastReceipt()
    const held = prompted.held - plain.held
    const charged = prompted.charged - plain.charged
    expect(held).toBeGreaterThan(Buffer.byteLength(text) / 3)
    expect(charged).toBeGreaterThan(100)
    expect(charged).toBeLessThanOrEqual(held)
    expect(Math.abs(charged - channel_prompt_tokens)).toBeLessThan(0.4 * charged)
  })

  it('a hold covers the channel with the longest prompt, whichever serves', async () => {
    const model_mapping = JSON.stringify({ pair: '+any' })
    const prompt = { text: 'long '.repeat(3_000) }
    await hub.addChannel(8, 'pair', { model_mapping, priority: 2 })
    await hub.addChannel(8, 'pair', { model_mapping, plugin: { system_prompt: prompt } })
    const { held, charged } = await heldAndCharged('pair')
    expect(held).toBeGreaterThan(5_000)
    expect(charged).toBeLessThan(100)
  })

  it('a channel whose context is shorter than prompt and caller’s text is passed over', async () => {
    const model_mapping = JSON.stringify({ short: '+any' })
    const context_sizes = JSON.stringify({ short: '100' })
    await hub.addChannel(8, 'short', { model_mapping, context_sizes, plugin })
    const response = await hub.post(...callers.chat!('short'))
    expect([response.status, hub.upstream.served.length]).toEqual([400, 0])
  })

  it.each([
    [{ text: 'x', position: 'beside' }, 'position'],
    [{ text: 'x'.repeat(50_001) }, 'text'],
  ])('a prompt that cannot be obeyed is refused: %#', async (system_prompt, field) => {
    const { status, text } = await hub.app.root.post('/api/channel/', {
      ...{ type: 8, name: 'x', models: 'x', key: 'k', base_url: hub.upstream.url },
      plugin: { system_prompt },
    })
    expect(status).toBe(422)
    expect(text).toContain(`plugin.system_prompt.${field}`)
  })
}

onBothEngines('the system prompt of a channel', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    await addChannels()
  })
  beforeEach(() => hub.upstream.forget())
  testRequests()
  testMoney()
})
