import { beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, type Json, receivedBody, useRelayHub } from './relay-hub.ts'

// Tools that a vendor runs itself and sells by the call. The hold covers the most calls that the request allows, so that a
// balance that covers a hold covers the charge. 500,000 points are a dollar.

const hub = useRelayHub()
const usd = 500_000
const models = {
  responses: 'tool-responses',
  messages: 'tool-messages',
  gemini: 'gemini-3-tools',
  grounded: 'gemini-2.5-tools',
  added: 'tool-added',
  free: 'tool-free',
} as const
beforeAll(async () => {
  await hub.addChannel(1, models.responses)
  await hub.addChannel(14, `${models.messages},${models.free}`)
  const free = { model: models.free, type: 'tokens', input: 0, output: 0 }
  await hub.app.root.put(`/api/prices/single/${models.free}`, free)
  await hub.addChannel(25, `${models.gemini},${models.grounded}`)
  const custom_parameter = JSON.stringify({ tools: [{ type: 'web_search' }], overwrite: true })
  await hub.addChannel(1, models.added, { custom_parameter })
})

type Request = { path: string; body: Json }
const responses = (tools: object[], more: object = {}): Request => ({
  path: '/v1/responses',
  body: {
    model: models.responses,
    input: 'x',
    store: false,
    max_output_tokens: 16,
    tools,
    ...more,
  },
})
const messages = (tools: object[]): Request => ({
  path: '/v1/messages',
  body: {
    model: models.messages,
    max_tokens: 16,
    messages: [{ role: 'user', content: 'x' }],
    tools,
  },
})
const gemini = (model: string, tool: string): Request => ({
  path: `/v1beta/models/${model}:generateContent`,
  body: {
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    generationConfig: { maxOutputTokens: 16 },
    tools: [{ [tool]: {} }],
  },
})
const image = (fields: object = {}) => ({ type: 'image_generation', ...fields })
const search = (fields: object = {}) => ({ type: 'web_search', ...fields })
const claudeSearch = (fields: object = {}) => ({
  ...{ type: 'web_search_20250305', name: 'web_search', ...fields },
})

/** The points of the tools in the hold, by the vendors' pages of prices. */
const cases: [name: string, request: Request, dollars: number][] = [
  ['a search without a limit', responses([search()]), 10 * 0.01],
  ['a search by an older name', responses([{ type: 'web_search_preview_2025_03_11' }]), 10 * 0.01],
  ['a search under max_tool_calls', responses([search()], { max_tool_calls: 3 }), 3 * 0.01],
  ['a search under a high limit', responses([search()], { max_tool_calls: 40 }), 40 * 0.01],
  ['a search under max_tool_calls of 0', responses([search()], { max_tool_calls: 0 }), 10 * 0.01],
  ['files', responses([{ type: 'file_search', vector_store_ids: [] }]), 10 * 0.0025],
  [
    'a code interpreter',
    responses([{ type: 'code_interpreter', container: { type: 'auto' } }]),
    10 * 0.03,
  ],
  ['images', responses([image()]), 2 * 0.25],
  ['images of a fixed kind', responses([image({ quality: 'low', size: '1024x1024' })]), 2 * 0.011],
  ['images of a size alone', responses([image({ size: '1024x1024' })]), 2 * 0.25],
  ['several tools', responses([search(), image()]), 10 * 0.01 + 2 * 0.25],
  [
    'several tools under one limit',
    responses([search(), image(), { type: 'code_interpreter' }], { max_tool_calls: 3 }),
    3 * 0.25,
  ],
  ['a tool of the caller', responses([{ type: 'function', name: 'web_search' }]), 0],
  [
    'a schema that has the name of a tool',
    responses([{ type: 'function', name: 'f', parameters: { a: { type: 'web_search' } } }]),
    0,
  ],
  ['a computer of the caller', responses([{ type: 'computer' }]), 0],
  [
    'tools that an item brings',
    responses([], { input: [{ type: 'additional_tools', tools: [search()] }] }),
    10 * 0.01,
  ],
  ['a search of Claude', messages([claudeSearch()]), 10 * 0.01],
  ['a search of Claude under max_uses', messages([claudeSearch({ max_uses: 4 })]), 4 * 0.01],
  ['a fetch of Claude', messages([{ type: 'web_fetch_20250910', name: 'web_fetch' }]), 0],
  ['a search of Gemini', gemini(models.gemini, 'googleSearch'), 10 * 0.014],
  ['a search of Gemini in snake case', gemini(models.gemini, 'google_search'), 10 * 0.014],
  ['a grounded prompt', gemini(models.grounded, 'googleSearch'), 0.035],
  ['a search that the channel adds', responses([], { model: models.added }), 10 * 0.01],
]

const held = async (): Promise<number> => {
  const rows = await hub.app.app.db.selectFrom('holds').select('amount').execute()
  return rows.reduce((sum, each) => sum + each.amount, 0)
}

/** The hold of a request while the vendor works. */
const holdOf = async ({ path, body }: Request): Promise<number> => {
  let amount = 0
  for (const model of Object.values(models))
    hub.upstream.play(model, async turn => {
      amount = await held()
      answerJson(turn, { error: { message: 'No.', type: 'invalid_request_error' } }, 400)
    })
  await (await hub.post(path, body)).text()
  await lastCharge(hub)
  return amount
}

/** Leaves the tools out of a request to a channel that adds none. */
const withoutTools = ({ path, body }: Request): Request => {
  const { tools: _tools, max_tool_calls: _max, ...rest } = body
  if (path !== '/v1/responses') return { path, body: rest }
  return { path, body: { ...rest, model: models.responses, input: 'x' } }
}

/** Results of a search are read as a prompt of an assumed million tokens, a point each. */
const assumedPrompt = 1_000_000

it.each(cases)('a hold covers %s', async (_, request, dollars) => {
  const amount = await holdOf(request)
  const bare = await holdOf(withoutTools(request))
  expect(bare).toBeGreaterThan(0)
  const added = amount - bare
  const points = added >= assumedPrompt * 0.9 ? added - assumedPrompt : added
  expect(Math.abs(points - dollars * usd)).toBeLessThan(200)
})

const payer = async (quota: number) => {
  const user = await hub.app.person(1, { quota })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true })
  const headers = { authorization: `Bearer ${made.body.data.key}` }
  const send = ({ path, body }: Request) => hub.post(path, body, headers)
  const balance = async (): Promise<number> => (await user.get('/api/user/self')).body.data.quota
  return { send, balance }
}

const shortfalls = async (kind: 'other' | 'unbounded'): Promise<number> => {
  const { values } = await hub.app.app.metrics.shortfalls.get()
  return values.find(each => each.labels.kind === kind)?.value ?? 0
}

/** A vendor that makes as many calls as the request allows, or so many where it allows any number. */
const greedyVendor = (loops: number, item: (id: string) => object) =>
  hub.upstream.play(models.responses, turn => {
    const { max_tool_calls: most = loops } = receivedBody(turn)
    const output = Array.from({ length: most }, (_, at) => item(`call_${at}`))
    const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
    const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
    answerJson(turn, { ...head, status: 'completed', output, usage })
  })
const painted = (id: string) => ({
  ...{ type: 'image_generation_call', id, status: 'completed', result: 'AAAA' },
})

it('a balance that covers the limit of the caller pays the whole bill', async () => {
  greedyVendor(100, painted)
  const { send, balance } = await payer(3 * 0.25 * usd + 2_000)
  const before = await shortfalls('other')
  expect((await send(responses([image(), search()], { max_tool_calls: 3 }))).status).toBe(200)
  expect((await lastCharge(hub))!.amount).toBe(3 * 0.25 * usd + 7)
  expect(await balance()).toBe(2_000 - 7)
  expect(await shortfalls('other')).toBe(before)
})

it('a limit of the caller that the balance does not cover is refused, and nothing is sent', async () => {
  greedyVendor(100, painted)
  hub.upstream.forget()
  const { send, balance } = await payer(2 * 0.25 * usd)
  const response = await send(responses([image()], { max_tool_calls: 40 }))
  expect([response.status, await response.text()]).toEqual([
    429,
    expect.stringContaining('It covers 1 calls of the tools'),
  ])
  expect(hub.upstream.served).toHaveLength(0)
  expect(await balance()).toBe(2 * 0.25 * usd)
})

it('a limit that covers no call is refused without a number', async () => {
  const { send } = await payer(0.2 * usd)
  const response = await send(responses([image()], { max_tool_calls: 2 }))
  expect(response.status).toBe(429)
  expect(await response.text()).not.toMatch(/covers 0|max_tool_calls/)
})

/** A vendor that answers and uses no tool. */
const textVendor = (model: string) =>
  hub.upstream.play(model, turn =>
    answerJson(
      turn,
      model === models.responses || model === models.added
        ? {
            ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
            output: [],
            usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
          }
        : model.startsWith('gemini')
          ? {
              candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
              usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
            }
          : {
              ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
              content: [{ type: 'text', text: 'x' }],
              ...{ stop_reason: 'end_turn', stop_sequence: null },
              usage: { input_tokens: 3, output_tokens: 4 },
            },
    ),
  )

/** Balances that cover the tokens, and no usual calls of the tools. */
const small: [name: string, request: Request, balance: number, charge: number][] = [
  ['a search', responses([search()]), 3_000, 7],
  ['a search and more', responses([search(), { type: 'code_interpreter' }]), 3_000, 7],
  ['files', responses([{ type: 'file_search', vector_store_ids: [] }]), 3_000, 7],
  ['images', responses([image()]), 100_000, 7],
  ['images of a fixed kind', responses([image({ quality: 'low', size: '1024x1024' })]), 3_000, 7],
  ['a search of a translated request', responses([search()], { model: models.messages }), 3_000, 7],
  ['a search of Claude', messages([claudeSearch()]), 3_000, 7],
  ['a search of Gemini', gemini(models.gemini, 'googleSearch'), 3_000, 7],
  ['a search that the channel adds', responses([], { model: models.added }), 3_000, 7],
  ['a search of a free model', responses([search()], { model: models.free }), 0, 0],
]
it.each(small)('a small balance is served with %s', async (_, request, points, charge) => {
  const model = request.body.model ?? models.gemini
  textVendor(model)
  const { send, balance } = await payer(points)
  const response = await send(request)
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  await expect.poll(balance).toBe(points - charge)
})

const searched = (id: string) => ({
  ...{ type: 'web_search_call', id, status: 'completed' },
  action: { type: 'search', query: 'x' },
})
const alone: [string, Request, (id: string) => object, points: number][] = [
  ['images', responses([image()]), painted, 0.25 * usd],
  ['searches that the channel adds', responses([], { model: models.added }), searched, 0.01 * usd],
]
it.each(alone)(
  'a balance below the usual calls serves the only call of its payer, and nothing goes below zero: %s',
  async (_, request, item, points) => {
    const { send, balance } = await payer(3_000)
    const [before, unbounded] = [await shortfalls('other'), await shortfalls('unbounded')]
    const seen: number[] = []
    let isFirst = true
    hub.upstream.play(request.body.model, async turn => {
      if (isFirst) {
        isFirst = false
        seen.push((await send(request)).status)
      }
      answerJson(turn, {
        ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
        output: [item('a'), item('b'), item('c')],
        usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
      })
    })
    await hub.app.root.put('/api/option/', { key: 'HeldWaitSeconds', value: '0' })
    expect((await send(request)).status).toBe(200)
    await hub.app.root.put('/api/option/', { key: 'HeldWaitSeconds', value: '40' })
    expect(seen).toEqual([429])
    expect(await balance()).toBe(0)
    expect(await shortfalls('other')).toBe(before)
    expect(await shortfalls('unbounded')).toBe(unbounded + 3 * points + 7 - 3_000)
  },
)

it('the tokens of a stream use no points of its tools', async () => {
  const output = 30_000
  const item = painted('a')
  const delta = { type: 'response.output_text.delta', item_id: 'm', output_index: 1 }
  const text = 'a word and another one '.repeat(40)
  hub.upstream.play(models.responses, turn =>
    answerStream(turn, [
      { type: 'response.created', response: { id: 'r', object: 'response', status: 'queued' } },
      { type: 'response.output_item.done', output_index: 0, item },
      ...Array.from({ length: output / 200 }, () => ({ ...delta, content_index: 0, delta: text })),
      {
        type: 'response.completed',
        response: {
          ...{ id: 'r', object: 'response', status: 'completed', output: [item] },
          usage: { input_tokens: 3, output_tokens: output, total_tokens: output + 3 },
        },
      },
    ]),
  )
  const { send, balance } = await payer(0.25 * usd + 8_000)
  const before = [await shortfalls('other'), await shortfalls('unbounded')]
  const limits = { max_tool_calls: 1, stream: true, max_output_tokens: undefined }
  const response = await send(responses([image()], limits))
  expect(response.status).toBe(200)
  expect(await response.text()).not.toContain('response.completed')
  const charge = (await lastCharge(hub))!
  expect(charge).toMatchObject({ finish: 'cut', usage: { tools: { image_generation: 1 } } })
  expect(charge.amount).toBeGreaterThan(0.25 * usd)
  expect(await balance()).toBeGreaterThanOrEqual(0)
  expect([await shortfalls('other'), await shortfalls('unbounded')]).toEqual(before)
})
