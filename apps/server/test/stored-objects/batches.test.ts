import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pollBatches } from '../../src/stored-objects/batches/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { serveBatches, type VendorBatches } from './batch-vendor.ts'
import { type FileVendor, startFileVendor } from './vendor.ts'

const hub = useRelayHub()
let vendor: FileVendor
let batches: VendorBatches
let client: OpenAI
let stranger: OpenAI

beforeAll(async () => {
  vendor = await startFileVendor()
  batches = serveBatches(vendor)
  const plugin = { storage: { files: true } }
  const model_mapping = JSON.stringify({ mapped: 'gpt-b' })
  await hub.addChannel(1, 'gpt-b,mapped,tiered,by-call', {
    base_url: vendor.url,
    key: 'account-one',
    plugin,
    model_mapping,
  })
  await hub.app.root.put('/api/prices/single/by-call', {
    model: 'by-call',
    type: 'times',
    input: 1,
    output: 1,
    locked: true,
  })
  await hub.app.root.put('/api/prices/single/tiered', {
    model: 'tiered',
    type: 'tokens',
    input: 1,
    output: 1,
    locked: true,
    tiers: [{ above: 1_000, input: 3, output: 3 }],
  })
  client = clientOf(hub.key)
  stranger = clientOf(await keyOfPerson(1_000_000_000))
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.calls.length = 0
})

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const keyOfPerson = async (quota: number): Promise<string> => {
  const person = await hub.app.person(1, { quota })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  return made.body.data.key
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )

type Line = { model?: string; text?: string; max?: number; more?: object }
const lineOf = ({ model = 'gpt-b', text = 'Hi', max = 10, more = {} }: Line, at: number) =>
  JSON.stringify({
    custom_id: `request-${at}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, max_tokens: max, messages: [{ role: 'user', content: text }], ...more },
  })
const upload = async (by: OpenAI, lines: Line[]) => {
  const file = await toFile(Buffer.from(`${lines.map(lineOf).join('\n')}\n`), 'in.jsonl')
  return (await by.files.create({ file, purpose: 'batch' })).id
}
const create = async (by: OpenAI, lines: Line[]) =>
  by.batches.create({
    input_file_id: await upload(by, lines),
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
/** Runs the job as if its time had come. */
const poll = async () => {
  const { db } = hub.app.app
  await db
    .updateTable('stored_resources')
    .set({ run_at: 0 })
    .where('run_at', 'is not', null)
    .execute()
  await pollBatches(hub.app.app)
}
const holds = () => hub.app.app.db.selectFrom('holds').select('amount').execute()
const charges = async () => {
  const { db } = hub.app.app
  const rows = await db
    .selectFrom('transfers')
    .select(['id', 'amount', 'usage'])
    .where('kind', '=', 'request')
    .orderBy('id')
    .execute()
  return rows.map(({ id, amount, usage }) => ({ id, amount, ...JSON.parse(usage) }))
}
const chargedBy = async (work: () => Promise<unknown>) => {
  const before = (await charges()).length
  await work()
  return (await charges()).slice(before)
}

describe('a batch', () => {
  it('is charged once, at half the price, by the usage of its answers', async () => {
    const posted = await chargedBy(async () => {
      const batch = await create(client, [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }])
      expect(batch).toMatchObject({ status: 'validating', object: 'batch' })
      expect((await holds()).length).toBe(1)
      batches.finish(batch.id, 'completed', [
        { prompt: 7, output: 4 },
        { prompt: 9, output: 3 },
        { error: true },
      ])
      const running = await client.batches.retrieve(batch.id)
      expect([running.status, running.output_file_id, running.usage]).toEqual([
        'finalizing',
        undefined,
        undefined,
      ])
      await poll()
      await poll()
      const ended = await client.batches.retrieve(batch.id)
      expect(ended).toMatchObject({
        status: 'completed',
        request_counts: { completed: 2, failed: 1 },
      })
      const output = await (await client.files.content(ended.output_file_id!)).text()
      expect(
        output
          .trim()
          .split('\n')
          .map(each => JSON.parse(each).custom_id),
      ).toEqual(['request-0', 'request-1'])
      expect(await (await client.files.content(ended.error_file_id!)).text()).toContain('request-2')
    })
    // 23 tokens at half a point each.
    expect(posted).toMatchObject([
      { amount: 12, model: 'gpt-b', usage: { input: 16, output: 7 }, estimated: false },
    ])
    expect(await holds()).toEqual([])
    const { body } = await hub.app.root.get(`/api/log/?log_type=2&size=1`)
    expect(body.data.data[0]).toMatchObject({
      quota: 12,
      prompt_tokens: 16,
      completion_tokens: 7,
      model_name: 'gpt-b',
    })
    expect(JSON.stringify(body.data.data[0].metadata)).toContain(
      'gateway: batch, 2 answers at 0.5 of the price',
    )
    const [{ id }] = posted as [Json]
    const terms = await hub.app.app.db
      .selectFrom('price_versions')
      .select('body')
      .where('id', '=', posted[0].price)
      .executeTakeFirst()
    expect(JSON.parse(terms!.body)).toMatchObject({ input: '0.5', output: '0.5' })
    expect(id).toBeGreaterThan(0)
  })

  it('S26 of somebody else does not exist, nor do its files', async () => {
    const batch = await create(client, [{}])
    const other = await upload(client, [{}])
    const before = vendor.calls.length
    const fields = {
      input_file_id: other,
      endpoint: '/v1/chat/completions' as const,
      completion_window: '24h' as const,
    }
    const errors = await Promise.all(
      [
        stranger.batches.retrieve(batch.id),
        stranger.batches.cancel(batch.id),
        stranger.batches.create(fields),
      ].map(failure),
    )
    for (const error of errors) expect(error).toMatchObject({ status: 404, code: 'stored_unknown' })
    expect((await stranger.batches.list()).data).toEqual([])
    expect(vendor.calls.length).toBe(before)
    batches.finish(batch.id, 'completed', [{ prompt: 1, output: 1 }])
    await poll()
    const { output_file_id } = await client.batches.retrieve(batch.id)
    expect(await failure(stranger.files.content(output_file_id!))).toMatchObject({ status: 404 })
    expect((await client.batches.list()).data.map(each => each.id)).toContain(batch.id)
  })

  it.each(['expired', 'cancelled'] as const)(
    'that ends %s is charged for what it made',
    async status => {
      const posted = await chargedBy(async () => {
        const batch = await create(client, [{}, {}])
        if (status === 'cancelled')
          expect((await client.batches.cancel(batch.id)).status).toBe('cancelling')
        batches.finish(batch.id, status, [{ prompt: 5, output: 5 }])
        expect((await client.batches.retrieve(batch.id)).status).toBe(
          status === 'cancelled' ? 'cancelling' : 'finalizing',
        )
        // The app's own job may have taken the batch a moment before, and still be at work on it.
        await expect
          .poll(async () => {
            await poll()
            return (await client.batches.retrieve(batch.id)).status
          })
          .toBe(status)
      })
      expect(posted.map(each => each.amount)).toEqual([5])
      expect(await holds()).toEqual([])
    },
  )

  it('that fails costs nothing', async () => {
    const posted = await chargedBy(async () => {
      const batch = await create(client, [{}])
      batches.finish(batch.id, 'failed', [])
      await poll()
      expect(await client.batches.retrieve(batch.id)).toMatchObject({
        status: 'failed',
        errors: { data: [{ code: 'x' }] },
      })
    })
    expect([posted, await holds()]).toEqual([[], []])
  })

  it('keeps each answer in its own tier of the price', async () => {
    const posted = await chargedBy(async () => {
      const batch = await create(client, [{ model: 'tiered' }, { model: 'tiered' }])
      batches.finish(batch.id, 'completed', [
        { prompt: 800, output: 0 },
        { prompt: 800, output: 0 },
        { prompt: 2_000, output: 0 },
      ])
      await poll()
    })
    expect(posted.map(each => each.amount)).toEqual([800, 3_000])
  })

  it('S26 a batch whose lines have a field twice is refused', async () => {
    const twice = lineOf({}, 0).replace('"content":', '"content":"x","content":')
    const file = await toFile(Buffer.from(`${lineOf({}, 1)}\n${twice}\n`), 'in.jsonl')
    const { id: doubled } = await client.files.create({ file, purpose: 'batch' })
    const endpoint = '/v1/chat/completions'
    const doubling = client.batches.create({
      ...{ endpoint, completion_window: '24h', input_file_id: doubled },
    })
    expect(await failure(doubling)).toMatchObject({
      status: 400,
      message: expect.stringContaining('Line 2: an object has a field twice'),
    })
    const id = await upload(client, [{}])
    vendor.calls.length = 0
    const body = `{"input_file_id":"file-other","input_file_id":"${id}","endpoint":"${endpoint}","completion_window":"24h"}`
    const response = await fetch(`${hub.url}/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(400)
    expect(vendor.calls).toEqual([])
  })

  it('is refused before the vendor is asked where a line cannot be run or paid', async () => {
    const poor = clientOf(await keyOfPerson(600))
    // The calls of a batch read each file as often as they name it.
    const fileKey = await keyOfPerson(12_000)
    const large = await toFile(Buffer.alloc(15_000, 'word '), 'a.txt')
    const { id } = await clientOf(fileKey).files.create({ file: large, purpose: 'user_data' })
    const part = { type: 'file', file: { file_id: id } }
    const naming = { messages: [{ role: 'user', content: [part, part] }] }
    const refusals: [OpenAI, Line[], object][] = [
      [
        client,
        [{}, { model: 'unknown' }],
        { status: 400, message: expect.stringContaining('Line 2') },
      ],
      [
        client,
        [{}, { more: { stream: true } }],
        { status: 400, message: expect.stringContaining('Line 2') },
      ],
      [
        client,
        [{}, { more: { service_tier: 'flex' } }],
        { status: 400, message: expect.stringContaining('Line 2: A field of the request') },
      ],
      [client, [{ model: 'mapped' }], { status: 400, code: 'batch_invalid' }],
      [
        client,
        [{ model: 'by-call' }],
        { status: 400, message: expect.stringContaining('sold by the call') },
      ],
      [
        client,
        [{}, { model: 'tiered' }],
        { status: 400, message: expect.stringContaining('1 model') },
      ],
      [client, [], { status: 400, code: 'batch_invalid' }],
      [poor, [{ max: 100_000 }], { status: 429, code: 'insufficient_quota' }],
      [
        client,
        [
          {
            more: {
              messages: [
                { role: 'user', content: [{ type: 'file', file: { file_id: 'file-other' } }] },
              ],
            },
          },
        ],
        { status: 404, code: 'stored_unknown' },
      ],
      [clientOf(fileKey), [{ more: naming }], { status: 429, code: 'insufficient_quota' }],
    ]
    for (const [by, lines, error] of refusals)
      expect(await failure(create(by, lines))).toMatchObject(error)
    const images = {
      input_file_id: await upload(client, [{}]),
      endpoint: '/v1/images/generations' as const,
      completion_window: '24h' as const,
    }
    expect(await failure(client.batches.create(images))).toMatchObject({
      status: 501,
      code: 'operation_unpriced',
    })
    expect(vendor.calls.filter(each => each.path === '/v1/batches')).toEqual([])
    expect(await holds()).toEqual([])
  })

  it('that the vendor refuses leaves no hold', async () => {
    batches.refuse = true
    expect(await failure(create(client, [{}]))).toMatchObject({
      status: 400,
      message: expect.stringContaining('Too many batches'),
    })
    batches.refuse = false
    expect(await holds()).toEqual([])
  })

  it('that a poll cannot read is charged by a later one', async () => {
    const posted = await chargedBy(async () => {
      const batch = await create(client, [{}])
      batches.finish(batch.id, 'completed', [{ prompt: 3, output: 3 }])
      batches.isDown = true
      await poll()
      expect((await charges()).length).toBeGreaterThan(0)
      expect((await holds()).length).toBe(1)
      batches.isDown = false
      await poll()
    })
    expect(posted.map(each => each.amount)).toEqual([3])
  })

  it('two nodes that charge it at once post one charge', async () => {
    const posted = await chargedBy(async () => {
      const batch = await create(client, [{}])
      batches.finish(batch.id, 'completed', [{ prompt: 3, output: 3 }])
      const { db } = hub.app.app
      await db
        .updateTable('stored_resources')
        .set({ run_at: 0 })
        .where('run_at', 'is not', null)
        .execute()
      await Promise.all([pollBatches(hub.app.app), pollBatches(hub.app.app)])
    })
    expect(posted.map(each => each.amount)).toEqual([3])
  })
})
