import { randomBytes } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pollBatches } from '../../src/stored-objects/batches/poll.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import {
  type FileVendor,
  refusal,
  startFileVendor,
  type VendorAnswer,
  type VendorCall,
} from './vendor.ts'

const hub = useRelayHub()
let vendor: FileVendor
let client: Anthropic
let stranger: Anthropic
const batches = new Map<
  string,
  { account: string; object: Json; requests: Json[]; results: Json[] }
>()

/** https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const serve = (call: VendorCall): VendorAnswer | undefined => {
  const [whole, id, action] =
    /^\/v1\/messages\/batches(?:\/([^/]+))?(?:\/(\w+))?$/.exec(call.path) ?? []
  if (whole === undefined) return undefined
  if (call.headers['anthropic-version'] === undefined)
    return refusal(400, 'anthropic-version: header is required')
  if (id === undefined) {
    const { requests } = JSON.parse(call.body.toString())
    if (requests.length === 0) return refusal(400, 'requests: too short')
    const now = new Date().toISOString()
    const object = {
      ...{
        id: `msgbatch_${randomBytes(8).toString('hex')}`,
        type: 'message_batch',
        processing_status: 'in_progress',
      },
      ...{
        created_at: now,
        expires_at: now,
        ended_at: null,
        archived_at: null,
        cancel_initiated_at: null,
        results_url: null,
      },
      request_counts: {
        processing: requests.length,
        succeeded: 0,
        errored: 0,
        canceled: 0,
        expired: 0,
      },
    }
    batches.set(object.id, { account: call.account, object, requests, results: [] })
    return { json: object }
  }
  const batch = batches.get(id)
  if (batch?.account !== call.account) return refusal(404, 'not_found')
  if (action === 'cancel')
    Object.assign(batch.object, { processing_status: 'canceling', cancel_initiated_at: 'now' })
  if (action !== 'results') return { json: batch.object }
  return {
    bytes: Buffer.from(batch.results.map(each => `${JSON.stringify(each)}\n`).join('')),
    type: 'application/x-jsonl',
  }
}

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(serve)
  await hub.addChannel(14, 'claude-a,claude-b', {
    base_url: vendor.url,
    key: 'account-one',
    plugin: { storage: { files: true } },
  })
  await hub.app.root.put('/api/prices/single/claude-b', {
    model: 'claude-b',
    type: 'tokens',
    input: 4,
    output: 4,
    locked: true,
  })
  client = clientOf(hub.key)
  const person = await hub.app.person(1, { quota: 1_000_000 })
  stranger = clientOf(
    (await person.post('/api/token/', { name: 'own', unlimited_quota: true })).body.data.key,
  )
})
afterAll(() => vendor?.close())

const clientOf = (apiKey: string) => new Anthropic({ apiKey, baseURL: hub.url, maxRetries: 0 })
const requestOf = (custom_id: string, model: string) => ({
  custom_id,
  params: { model, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hi' }] },
})
const finish = (id: string, results: [custom_id: string, input: number, output: number][]) => {
  const batch = batches.get(id)!
  batch.results = results.map(([custom_id, input_tokens, output_tokens]) => ({
    custom_id,
    result: {
      type: 'succeeded',
      message: {
        ...{
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-dated',
          stop_reason: 'end_turn',
          stop_sequence: null,
        },
        content: [{ type: 'text', text: 'Yes' }],
        usage: { input_tokens, output_tokens },
      },
    },
  }))
  batch.results.push({ custom_id: 'broken', result: { type: 'errored', error: { type: 'error' } } })
  const results_url = `https://api.vendor.example/v1/messages/batches/${id}/results`
  Object.assign(batch.object, { processing_status: 'ended', ended_at: 'now', results_url })
}
const poll = async () => {
  const { db } = hub.app.app
  await db
    .updateTable('stored_resources')
    .set({ run_at: 0 })
    .where('run_at', 'is not', null)
    .execute()
  await pollBatches(hub.app.app)
}
const charges = async () => {
  const { db } = hub.app.app
  const rows = await db
    .selectFrom('transfers')
    .select(['amount', 'usage'])
    .where('kind', '=', 'request')
    .orderBy('id')
    .execute()
  return rows.map(({ amount, usage }) => [JSON.parse(usage).model, amount])
}

it('message batches are charged per model at half the price, and their results come from the gateway', async () => {
  const { id } = await client.messages.batches.create({
    requests: [
      requestOf('one', 'claude-a'),
      requestOf('two', 'claude-b'),
      requestOf('broken', 'claude-a'),
    ],
  })
  const { db } = hub.app.app
  expect((await db.selectFrom('holds').select('id').execute()).length).toBe(2)
  finish(id, [
    ['one', 5, 5],
    ['two', 10, 10],
  ])
  expect(await client.messages.batches.retrieve(id)).toMatchObject({
    processing_status: 'in_progress',
    results_url: null,
  })
  expect(await client.messages.batches.results(id).catch(error => String(error))).toContain(
    'results_url',
  )
  await poll()
  const ended = await client.messages.batches.retrieve(id)
  expect(ended.results_url).toBe(`${hub.url}/v1/messages/batches/${id}/results`)
  const seen: string[] = []
  for await (const each of await client.messages.batches.results(id))
    seen.push(`${each.custom_id} ${each.result.type}`)
  expect(seen).toEqual(['one succeeded', 'two succeeded', 'broken errored'])
  expect(await charges()).toEqual([
    ['claude-a', 5],
    ['claude-b', 40],
  ])
  expect(await db.selectFrom('holds').select('id').execute()).toEqual([])
})

it('a batch of several models on a small balance does not stand in its own way', async () => {
  const user = await hub.app.person(1, { quota: 30_000 })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true })
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const requests = ['claude-a', 'claude-b'].map(model => {
    const { params, ...rest } = requestOf(model, model)
    return { ...rest, params: { ...params, tools } }
  })
  const headers = { authorization: `Bearer ${made.body.data.key}` }
  const response = await hub.post('/v1/messages/batches', { requests }, headers)
  expect(response.status).toBe(200)
  const rows = await hub.app.app.db.selectFrom('holds').select('unbounded').execute()
  expect(rows.map(each => each.unbounded).toSorted()).toEqual([1, 2])
  finish(((await response.json()) as { id: string }).id, [])
  await poll()
})

it('S26 message batches of somebody else do not exist', async () => {
  const { id } = await client.messages.batches.create({ requests: [requestOf('one', 'claude-a')] })
  const calls = vendor.calls.length
  const refusals = await Promise.all(
    [
      stranger.messages.batches.retrieve(id),
      stranger.messages.batches.cancel(id),
      stranger.messages.batches.delete(id),
    ].map(work =>
      work.then(
        () => 'answered',
        error => [error.status, error.error.error.type],
      ),
    ),
  )
  expect(refusals).toEqual(Array.from({ length: 3 }, () => [404, 'not_found_error']))
  expect((await stranger.messages.batches.list()).data).toEqual([])
  expect(vendor.calls.length).toBe(calls)
  const page = await client.messages.batches.list({ limit: 1 })
  expect([page.data[0]?.id, page.has_more]).toEqual([id, true])
  const next = await page.getNextPage()
  expect(next.data.length).toBe(1)
  expect((await client.messages.batches.cancel(id)).processing_status).toBe('canceling')
  finish(id, [])
  await poll()
  expect((await client.messages.batches.delete(id)).id).toBe(id)
})

it('a batch is never sent a link to what is not the caller’s', async () => {
  const calls = vendor.calls.length
  const links = [
    'https://api.anthropic.com/v1/files/file_abc',
    'gs://bucket/a',
    'file:///etc/passwd',
  ]
  for (const url of links) {
    const request = requestOf('one', 'claude-a') as Json
    request.params.messages[0].content = [{ type: 'image', source: { type: 'url', url } }]
    const made = client.messages.batches.create({ requests: [request] })
    await expect(made).rejects.toMatchObject({ status: expect.toBeOneOf([400, 404]) })
  }
  expect(vendor.calls.length).toBe(calls)
})

it('a batch has no request with a price of its own', async () => {
  const calls = vendor.calls.length
  for (const [fields, named] of [
    [{ speed: 'fast' }, "'speed' is 'fast'"],
    [{ inference_geo: 'us' }, "'inference_geo' is 'us'"],
  ] as const) {
    const request = requestOf('one', 'claude-a') as Json
    Object.assign(request.params, fields)
    const made = client.messages.batches.create({ requests: [request] })
    await expect(made).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(named),
    })
  }
  expect(vendor.calls.length).toBe(calls)
})
