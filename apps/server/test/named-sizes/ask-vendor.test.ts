import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { onBothEngines } from '../harness.ts'
import { type RelayHub, useRelayHub } from '../relay-hub.ts'
import { type CountingVendor, startCountingVendor } from './counting-vendor.ts'

// A size that the gateway has not stored is asked of the vendor before the hold, once and for two seconds at most.

const model = 'gpt-5.4'
const otherModel = 'gpt-5.4-mini'
const tokens = 300_000
const contextTokens = 700_000

let hub: RelayHub
let vendor: CountingVendor
/** Set where the vendor refuses to tell a size, or never answers. */
let answer: 'size' | 'refusal' | 'nothing' | 'too long' = 'size'

const setUp = async () => {
  vendor = await startCountingVendor()
  vendor.routes.unshift(({ method }) => {
    if (answer === 'too long' && method === 'POST')
      return { status: 400, json: { error: { message: 'Too long.' } } }
    if (method !== 'GET' || answer === 'size' || answer === 'too long') return undefined
    if (answer === 'refusal') return { status: 404, json: { error: { message: 'Not found.' } } }
    return new Promise(() => {}) as never
  })
  const plugin = { storage: { files: true } }
  const size = String(contextTokens)
  const context_sizes = JSON.stringify({ [model]: size, [otherModel]: size })
  await hub.addChannel(1, `${model},${otherModel}`, { base_url: vendor.url, plugin, context_sizes })
  await hub.app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '0' })
}

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming

type Way = { tokens: number; prepare(client: OpenAI): Promise<Body> }

/** A file that a call names twice. */
const twice: Way = {
  tokens: 2 * tokens,
  prepare: async client => {
    const file = await toFile(Buffer.alloc(tokens, 'word '), 'a.txt')
    const { id } = await client.files.create({ file, purpose: 'user_data' })
    const { db } = hub.app.app
    await db.updateTable('stored_resources').set({ size: 0 }).where('id', '=', id).execute()
    const part = { type: 'input_file' as const, file_id: id }
    const content = [part, part]
    return { model, input: [{ role: 'user', content }], max_output_tokens: 10 }
  },
}

const makeContinuation = async (client: OpenAI, requestId: number): Promise<Body> => {
  const metadata = { tokens: String(tokens - 10) }
  const { id } = await client.responses.create({ model, input: 'Long.', metadata })
  const { db } = hub.app.app
  const change = { request_id: requestId }
  await db.updateTable('stored_answers').set(change).where('id', '=', id).execute()
  return { model, input: 'x', previous_response_id: id, max_output_tokens: 10 }
}

const continuation: Way = { tokens, prepare: client => makeContinuation(client, 1) }

/** It may have become longer at the vendor than its receipt says. */
const left: Way = {
  tokens,
  prepare: async client => {
    const { db, ledger } = hub.app.app
    const id = ledger.nextId()
    const usage = JSON.stringify({ usage: { input: 5, output: 1 }, model, finish: 'aborted' })
    const row = { id, at: 1, kind: 'request', source: String(id), debit: -1, credit: -2, usage }
    await db
      .insertInto('transfers')
      .values({ ...row, amount: 6, token_id: 0, channel_id: 0, price_id: 0 } as never)
      .execute()
    return makeContinuation(client, id)
  },
}

/** Ways to name something whose size the gateway does not know. */
const ways: Record<string, Way> = {
  'a file': twice,
  'an earlier response': continuation,
  'a response that its caller left': left,
}

const openClient = async () => {
  const user = await hub.app.person(1, { quota: 10_000_000 })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true })
  const baseURL = `${hub.url}/v1`
  const client = new OpenAI({ apiKey: made.body.data.key, baseURL, maxRetries: 0 })
  const setBalance = async (points: number) => {
    const balance: number = (await user.get('/api/user/self')).body.data.quota
    const change = { quota: points - balance, remark: 'test' }
    await hub.app.root.post(`/api/user/quota/${user.id}`, change)
  }
  /** The status, and the calls of the vendor. */
  const send = async (body: Body) => {
    vendor.calls.length = 0
    const status = await client.responses.create(body).then(
      () => 200,
      error => error.status,
    )
    return [status, ...vendor.calls.map(each => each.method)]
  }
  return { client, setBalance, send }
}

const testWay = async ({ tokens: size, prepare }: Way) => {
  const bound = answer === 'size' ? size : contextTokens
  const { client, setBalance, send } = await openClient()
  const body = await prepare(client)
  await setBalance(bound - 1)
  expect(await send(body)).toEqual([429, 'GET'])
  await setBalance(bound + 50_000)
  expect(await send(body)).toEqual([200, 'GET', 'POST'])
  expect(await hub.app.app.db.selectFrom('shortfalls').selectAll().execute()).toEqual([])
}

/** A prompt that is longer than the context is held as the context, because the vendor refuses it. */
const testLongPrompt = async () => {
  const { client, setBalance, send } = await openClient()
  const body = await twice.prepare(client)
  const [first] = body.input as { role: 'user'; content: object[] }[]
  const content = [...first!.content, ...first!.content] as never
  await setBalance(contextTokens + 100_000)
  answer = 'too long'
  expect(await send({ ...body, input: [{ role: 'user', content }] })).toEqual([400, 'GET', 'POST'])
}

/** Both candidates of the virtual model are measured. */
const testVirtualModel = async () => {
  const { client, send } = await openClient()
  const candidates = [{ model }, { model: otherModel, tier: 2 }]
  await hub.app.root.post('/api/virtual_model/', { name: 'either', candidates })
  const body = await continuation.prepare(client)
  expect(await send({ ...body, model: 'either' })).toEqual([200, 'GET', 'POST'])
}

onBothEngines('a size that is not stored', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    await setUp()
  })
  beforeEach(() => {
    answer = 'size'
  })
  afterAll(() => vendor?.close())

  for (const [name, way] of Object.entries(ways)) {
    it(`the vendor tells the size of ${name}`, () => testWay(way))

    it(`the context of the model counts where the vendor refuses to tell that of ${name}`, () => {
      answer = 'refusal'
      return testWay(way)
    })

    it(`the context of the model counts where the vendor never tells that of ${name}`, async () => {
      answer = 'nothing'
      const begin = performance.now()
      await testWay(way)
      const milliseconds = performance.now() - begin
      expect(milliseconds).toBeGreaterThan(3_900)
      expect(milliseconds).toBeLessThan(15_000)
    })
  }

  it('the context of the model bounds a prompt that is longer', testLongPrompt)
  it('the vendor is asked once for all candidates of a virtual model', testVirtualModel)
})
