import { afterAll, beforeAll, expect, it } from 'vitest'
import { pollBatches } from '../../src/stored-objects/batches/poll.ts'
import { frame, lastCharge, sendCall } from '../relay-calls.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type FileVendor, startFileVendor } from '../stored-objects/vendor.ts'

// Batches, whose callers leave at every event: before the vendor has answered, and after each line, when they cancel the
// batch or never ask for it again. The vendor has a meter of its own: a token for each word. Prices of a batch are half of
// those of a call: https://developers.openai.com/api/docs/guides/batch.

const hub = useRelayHub()
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const linesMax = 20
const places = isWhole ? Array.from({ length: linesMax + 1 }, (_, at) => at) : [0, 1, 7, linesMax]
const models = { open: 'batch-open', hidden: 'batch-hides' } as const
/** Words of a prompt and of an answer, and hidden tokens of reasoning. */
const [promptWords, answerWords] = [200, 50]
const headTokens = 7
const batchRatio = 0.5

type VendorBatch = { object: Json; lines: Json[] }
let vendor: FileVendor
let otherKey = ''
const batches = new Map<string, VendorBatch>()
const wordsOf = (text: string) => text.split(' ').length

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(({ path, method, body, account }) => {
    const [, id, action] = /^\/v1\/batches(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (!path.startsWith('/v1/batches')) return undefined
    if (method === 'POST' && id === undefined) return createAtVendor(body, account)
    const batch = batches.get(id!)!
    if (action === 'cancel') batch.object.status = 'cancelling'
    return { json: batch.object }
  })
  const plugin = { storage: { files: true } }
  const fields = { base_url: vendor.url, key: 'account-one', plugin }
  await hub.addChannel(1, Object.values(models).join(','), fields)
  await hub.addChannel(1, 'batch-hides', { name: 'streams', priority: 9 })
  const user = await hub.app.person()
  await hub.app.root.post(`/api/user/quota/${user.id}`, { quota: 100_000_000, remark: 'test' })
  const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
  otherKey = `sk-${data.key.replace(/^sk-/, '')}`
})
afterAll(() => vendor?.close())

const createAtVendor = (body: Buffer, account: string) => {
  const { input_file_id, endpoint, completion_window } = JSON.parse(body.toString())
  const text = vendor.files.get(input_file_id)!.content.toString().trim()
  const lines = text.split('\n').map(each => JSON.parse(each))
  const id = `batch_left_${batches.size}`
  const object = {
    ...{ id, object: 'batch', endpoint, errors: null, input_file_id, completion_window },
    ...{ status: 'in_progress', created_at: 1, metadata: null, account },
    request_counts: { total: lines.length, completed: 0, failed: 0 },
  }
  batches.set(id, { object, lines })
  return { json: object }
}

/** Ends a batch of the vendor after so many lines; `reported` says whether the answers have their usage. */
const end = (
  { object, lines }: VendorBatch,
  { status, made, reported, reasoning }: BatchEnd,
): void => {
  const content = lines.slice(0, made).map((line, at) => {
    const prompt = headTokens + wordsOf(line.body.messages[0].content)
    const usage = {
      ...{ prompt_tokens: prompt, completion_tokens: answerWords + reasoning },
      completion_tokens_details: { reasoning_tokens: reasoning },
    }
    const message = { role: 'assistant', content: 'word '.repeat(answerWords).trim() }
    const answer = {
      ...{ id: `c${at}`, object: 'chat.completion', created: 1, model: line.body.model },
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      ...(reported && { usage }),
    }
    const response = { status_code: 200, request_id: `r${at}`, body: answer }
    return JSON.stringify({ id: `b${at}`, custom_id: line.custom_id, error: null, response })
  })
  const file = { filename: 'output.jsonl', purpose: 'batch_output' }
  if (made > 0)
    object.output_file_id = vendor.addFile('account-one', {
      ...file,
      content: Buffer.from(`${content.join('\n')}\n`),
    }).id
  object.status = status
  object.request_counts = { total: lines.length, completed: made, failed: 0 }
}
type BatchEnd = { status: string; made: number; reported: boolean; reasoning: number }

const upload = async (model: string, more: object = {}, key = hub.key): Promise<string> => {
  const lines = Array.from({ length: linesMax }, (_, at) =>
    JSON.stringify({
      ...{ custom_id: `request-${at}`, method: 'POST', url: '/v1/chat/completions' },
      body: {
        ...{ model, max_tokens: 2_000, ...more },
        messages: [{ role: 'user', content: 'word '.repeat(promptWords).trim() }],
      },
    }),
  )
  const form = new FormData()
  form.append('purpose', 'batch')
  form.append('file', new Blob([`${lines.join('\n')}\n`]), 'in.jsonl')
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${hub.url}/v1/files`, { method: 'POST', body: form, headers })
  return ((await response.json()) as Json).id
}

const bodyOf = (input_file_id: string) => ({
  ...{ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' },
})
const post = async (path: string, body: object, key = hub.key): Promise<Json> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const fields = { method: 'POST', headers, body: JSON.stringify(body) }
  return await (await fetch(`${hub.url}${path}`, fields)).json()
}
const newest = () => [...batches.values()].at(-1)!

/** The owner asks for nothing: the gateway's own job finds the end of the batch, and may be at work on it already. */
const settle = async () => {
  const { db } = hub.app.app
  const look = async () => {
    const rows = db.updateTable('stored_resources').set({ run_at: 0 })
    await rows.where('run_at', 'is not', null).execute()
    await pollBatches(hub.app.app)
    return db.selectFrom('holds').select('id').execute()
  }
  await expect.poll(look, { interval: 5, timeout: 4_000 }).toEqual([])
}

type Leaving = 'before the answer' | 'for good' | 'by a cancel'
const leave = async (
  model: string,
  how: Leaving,
  ending: Omit<BatchEnd, 'status'>,
  more: object = {},
) => {
  const before = (await lastCharge(hub))?.id ?? 0
  const file = await upload(model, more)
  const count = batches.size
  const path = '/v1/batches'
  if (how === 'before the answer') {
    const call = sendCall(hub, { path, body: bodyOf(file) })
    await expect.poll(() => batches.size, { interval: 1 }).toBe(count + 1)
    call.destroy()
  } else {
    const { id } = await post(path, bodyOf(file))
    if (how === 'by a cancel') await post(`${path}/${id}/cancel`, {})
  }
  const { db } = hub.app.app
  const rows = () => db.selectFrom('background_calls').select('request_id').execute()
  await expect.poll(async () => (await rows()).length, { interval: 2, timeout: 3_000 }).toBe(1)
  end(newest(), { ...ending, status: how === 'by a cancel' ? 'cancelled' : 'completed' })
  await settle()
  const charge = await lastCharge(hub)
  return charge && charge.id > before ? charge : undefined
}

const ways: Leaving[] = ['before the answer', 'for good', 'by a cancel']
const cases = ways.flatMap(how => places.map(made => [how, made] as const))

it.each(cases)(
  'SEC-1 a batch that its caller left %s is charged by the vendor’s counts of %i lines',
  async (how, made) => {
    const charge = await leave(models.open, how, { made, reported: true, reasoning: 300 })
    const tokens = made * (headTokens + promptWords + answerWords + 300)
    if (made === 0) return expect(charge).toBeUndefined()
    expect(charge).toMatchObject({ amount: Math.ceil(tokens * batchRatio), estimated: false })
  },
)

const sums = { charged: 0, vendor: 0 }
it.each(cases)(
  'SEC-1 a batch left %s without usage is charged its prompts and answers, after %i lines',
  async (how, made) => {
    const charge = await leave(models.open, how, { made, reported: false, reasoning: 0 })
    if (made === 0) return expect(charge).toBeUndefined()
    const { input = 0, output = 0, reasoning = 0 } = charge!.usage
    const bill = made * (headTokens + promptWords + answerWords)
    expect(reasoning).toBe(0)
    expect((input + output) / bill).toBeGreaterThan(0.85)
    expect((input + output) / bill).toBeLessThan(1.2)
    expect(charge!.amount).toBe(Math.ceil((input + output) * batchRatio))
    sums.charged += input + output
    sums.vendor += bill
  },
)

it('SEC-1 the sum of these batches is that of the vendor', () => {
  const ratio = sums.charged / sums.vendor
  console.log(`I13 on batches: ${ratio.toFixed(3)} of the vendor’s counts`)
  expect(ratio).toBeGreaterThan(0.95)
  expect(ratio).toBeLessThan(1.1)
})

/** A stream that its caller reads to the end, with so much hidden reasoning. */
const complete = async (reasoning: number, key: string) => {
  const usage = { prompt_tokens: 7, completion_tokens: 1 + reasoning }
  const chunk = {
    id: 'c',
    choices: [{ index: 0, delta: { content: 'Yes' }, finish_reason: 'stop' }],
  }
  hub.upstream.play(models.hidden, ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const details = { completion_tokens_details: { reasoning_tokens: reasoning } }
    response.end(
      `${frame(chunk)}${frame({ id: 'c', choices: [], usage: { ...usage, ...details } })}data: [DONE]\n\n`,
    )
  })
  const body = { model: models.hidden, stream: true, messages: [{ role: 'user', content: 'x' }] }
  const headers = { authorization: `Bearer ${key}` }
  await (await hub.post('/v1/chat/completions', body, headers)).text()
}

it('SEC-1 hidden reasoning of a batch without usage is that of other users, whatever the caller did before', async () => {
  for (const reasoning of [250, 300, 350]) await complete(reasoning, otherKey)
  const first = await leave(models.hidden, 'for good', { made: 5, reported: false, reasoning: 300 })
  expect(first).toMatchObject({ estimatedReasoning: 1_500, usage: { reasoning: 1_500 } })
  for (let call = 0; call < 12; call += 1) await complete(1, hub.key)
  const second = await leave(models.hidden, 'for good', {
    made: 5,
    reported: false,
    reasoning: 300,
  })
  expect(second!.amount).toBe(first!.amount)
})

it.each([
  ['a limit below it', { max_tokens: answerWords + 100 }, 5 * 100],
  ['a limit for several answers', { max_tokens: 25, n: 4 }, 5 * 50],
  ['a limit that the answer used', { max_tokens: answerWords }, 0],
  ['no limit', { max_tokens: undefined }, 5 * 300],
  ['reasoning turned off', { reasoning_effort: 'none' }, 0],
])(
  'SEC-1 reasoning of a batch without usage is estimated within the requests: %s',
  async (_, more, points) => {
    for (const reasoning of [250, 300, 350]) await complete(reasoning, otherKey)
    const ending = { made: 5, reported: false, reasoning: 300 }
    const { usage } = (await leave(models.hidden, 'for good', ending, more))!
    expect(Math.abs((usage.reasoning ?? 0) - points)).toBeLessThan(100)
  },
)

it('a batch holds the calls of tools that its lines allow', async () => {
  const holdOf = async (more: object) => {
    await post('/v1/batches', bodyOf(await upload(models.open, more)))
    const rows = await hub.app.app.db.selectFrom('holds').select('amount').execute()
    end(newest(), { status: 'completed', made: 0, reported: true, reasoning: 0 })
    await settle()
    return rows.reduce((sum, { amount }) => sum + amount, 0)
  }
  const bare = await holdOf({})
  expect(bare).toBeGreaterThan(0)
  const tools = [{ type: 'web_search' }]
  // Ten searches of a cent for each line, and then two.
  const usual = (await holdOf({ tools })) - bare
  expect(Math.abs(usual - linesMax * 10 * 5_000)).toBeLessThan(1_000)
  const named = (await holdOf({ tools, max_tool_calls: 2 })) - bare
  expect(Math.abs(named - linesMax * 2 * 5_000)).toBeLessThan(1_000)
  const together = [...tools, { type: 'code_interpreter' }]
  const shared = (await holdOf({ tools: together, max_tool_calls: 2 })) - bare
  expect(Math.abs(shared - linesMax * 2 * 15_000)).toBeLessThan(1_000)
})

it('a balance below the usual calls runs one batch at a time, which holds no calls without a limit', async () => {
  const user = await hub.app.person(1, { quota: 150_000 })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true })
  const { key } = made.body.data
  const tools = [{ type: 'web_search' }]
  const create = async (more: object) =>
    post('/v1/batches', bodyOf(await upload(models.open, more, key)), key)
  expect(await create({ tools, max_tool_calls: 2 })).toMatchObject({
    error: { message: expect.stringContaining('balance') },
  })
  expect(await create({ tools })).toMatchObject({ object: 'batch' })
  const rows = await hub.app.app.db.selectFrom('holds').select(['amount', 'unbounded']).execute()
  expect(rows).toEqual([{ amount: expect.any(Number), unbounded: 1 }])
  expect(rows[0]!.amount).toBeLessThan(50_000)
  expect(await create({ tools })).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
  expect(await create({})).toMatchObject({ object: 'batch' })
  for (const batch of batches.values())
    end(batch, { status: 'completed', made: 0, reported: true, reasoning: 0 })
  await settle()
})
