import { randomBytes } from 'node:crypto'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
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
let client: OpenAI
let stranger: OpenAI

type Conversation = { account: string; object: Json; items: Json[] }
const conversations = new Map<string, Conversation>()
const random = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`
const itemsOf = (items: Json[] = []) => items.map(each => ({ id: random('msg'), ...each }))

/** https://developers.openai.com/api/reference/resources/conversations */
const serve = (call: VendorCall): VendorAnswer | undefined => {
  const [whole, id, rest, item] =
    /^\/v1\/conversations(?:\/([^/]+))?(?:\/(items))?(?:\/([^/]+))?$/.exec(call.path) ?? []
  if (whole === undefined) return undefined
  const body = call.body.length > 0 ? JSON.parse(call.body.toString()) : {}
  if (id === undefined) {
    const object = {
      id: random('conv'),
      object: 'conversation',
      created_at: 1,
      metadata: body.metadata,
    }
    conversations.set(object.id, { account: call.account, object, items: itemsOf(body.items) })
    return { json: object }
  }
  const found = conversations.get(id)
  if (found?.account !== call.account)
    return refusal(404, `Conversation with id '${id}' not found.`)
  if (rest === undefined && call.method === 'DELETE') {
    conversations.delete(id)
    return { json: { id, object: 'conversation.deleted', deleted: true } }
  }
  if (rest === undefined) return { json: Object.assign(found.object, body) }
  if (item !== undefined && call.method === 'DELETE') {
    found.items = found.items.filter(each => each.id !== item)
    return { json: found.object }
  }
  if (item !== undefined) return { json: found.items.find(each => each.id === item) }
  const added = call.method === 'POST' ? itemsOf(body.items) : []
  found.items.push(...added)
  const data = call.method === 'POST' ? added : found.items
  return { json: { object: 'list', data, has_more: false } }
}

const answer = ({ method, path, account, body }: VendorCall): VendorAnswer | undefined => {
  if (method !== 'POST' || path !== '/v1/responses') return undefined
  const { conversation } = JSON.parse(body.toString())
  const id = conversation?.id ?? conversation
  if (id !== undefined && conversations.get(id)?.account !== account)
    return refusal(404, `Conversation with id '${id}' not found.`)
  return {
    json: {
      ...{ id: random('resp'), object: 'response', status: 'completed', model: 'gpt-5.4' },
      output: [],
      usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    },
  }
}

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(serve, answer)
  const plugin = { storage: { files: true, conversations: true } }
  for (const name of ['one', 'two', 'three'])
    await hub.addChannel(1, 'gpt-5.4', {
      ...{ name, base_url: vendor.url, plugin },
      key: `account-${name}-a\naccount-${name}-b`,
    })
  await hub.addChannel(1, 'gpt-5.5', { base_url: vendor.url, key: 'closed' })
  client = clientOf(hub.key)
  const person = await hub.app.person(1, { quota: 1_000_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  stranger = clientOf(made.body.data.key)
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.calls.length = 0
})

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )
const message = (content: unknown) => ({ type: 'message', role: 'user', content }) as never
const ask = (by: OpenAI, fields: object) =>
  by.responses.create({ model: 'gpt-5.4', input: 'x', ...fields })

it('conversations are made, read, changed and deleted by their owner', async () => {
  const { id } = await client.conversations.create({
    items: [message('One.')],
    metadata: { a: 'b' },
  })
  expect(await client.conversations.retrieve(id)).toMatchObject({ id, metadata: { a: 'b' } })
  expect(await client.conversations.update(id, { metadata: { a: 'c' } })).toMatchObject({
    metadata: { a: 'c' },
  })
  const added = await client.conversations.items.create(id, { items: [message('Two.')] })
  const { data } = await client.conversations.items.list(id)
  expect(data).toHaveLength(2)
  const [item] = added.data as { id: string }[]
  expect(
    await client.conversations.items.retrieve(item!.id, { conversation_id: id }),
  ).toMatchObject({ id: item!.id })
  await client.conversations.items.delete(item!.id, { conversation_id: id })
  expect((await client.conversations.items.list(id)).data).toHaveLength(1)
  expect(await client.conversations.delete(id)).toMatchObject({ deleted: true })
  expect(await failure(client.conversations.retrieve(id))).toMatchObject({ status: 404 })
})

it('a call with a conversation goes to the account that stores it', async () => {
  for (let at = 0; at < 3; at += 1) {
    const { id } = await client.conversations.create()
    for (const conversation of [id, { id }]) await ask(client, { conversation })
  }
  const accounts = new Set(vendor.calls.map(each => each.account))
  expect(accounts.size).toBe(1)
})

it('an item of a conversation may be named by its owner alone', async () => {
  const { id } = await client.conversations.create({ items: [message('One.')] })
  const { data } = await client.conversations.items.create(id, { items: [message('Two.')] })
  const listed = (await client.conversations.items.list(id)).data
  for (const item of [...data, ...listed] as { id: string }[]) {
    const input = [{ type: 'item_reference', id: item.id }]
    await ask(client, { input })
    expect(await failure(ask(stranger, { input }))).toMatchObject({ code: 'stored_unknown' })
  }
})

it('S26 conversations of somebody else do not exist, and no vendor is asked', async () => {
  const { id } = await client.conversations.create({ items: [message('A secret.')] })
  const { data } = await client.conversations.items.list(id)
  const { id: item } = data[0] as { id: string }
  vendor.calls.length = 0
  const { conversations: foreign } = stranger
  for (const name of [id, 'conv_unknown']) {
    const tries = [
      () => foreign.retrieve(name),
      () => foreign.update(name, { metadata: { a: 'b' } }),
      () => foreign.items.list(name).then(each => each),
      () => foreign.items.create(name, { items: [message('x')] }),
      () => foreign.items.retrieve(item, { conversation_id: name }),
      () => foreign.items.delete(item, { conversation_id: name }),
      () => foreign.delete(name),
      () => ask(stranger, { conversation: name }),
      () => ask(stranger, { conversation: { id: name } }),
      // The first to name it does not become its owner.
      () => ask(stranger, { conversation: name }),
    ]
    for (const each of tries)
      expect(await failure(each())).toMatchObject({ status: 404, code: 'stored_unknown' })
  }
  const mine = await stranger.conversations.create()
  vendor.calls.length = 0
  const headers = { authorization: `Bearer ${stranger.apiKey}` }
  for (const path of [
    `${mine.id}/../${id}`,
    `${mine.id}/%2e%2e/${id}`,
    `${mine.id}%2f..%2f${id}`,
  ]) {
    await fetch(`${hub.url}/v1/conversations/${path}`, { headers })
    await fetch(`${hub.url}/v1/conversations/${path}/items`, { headers })
  }
  for (const call of vendor.calls) expect(call.target).not.toContain(id)
})

it('S26 items of a conversation name no file and no item of somebody else', async () => {
  const { id } = await client.conversations.create()
  vendor.calls.length = 0
  const file = (part: object) => [message([{ type: 'input_file', ...part }])]
  const image = (image_url: string) => [message([{ type: 'input_image', image_url }])]
  const refused: [items: unknown[], status: number][] = [
    [file({ file_id: 'file-other' }), 404],
    [file({ file_url: 'https://api.openai.com/v1/files/file-other/content' }), 404],
    [image('gs://bucket/a'), 404],
    [image('file:///etc/passwd'), 400],
    [[{ type: 'item_reference', id: 'msg_other' }], 404],
    [[{ type: 'reasoning', id: 'rs_other', summary: [] }], 404],
  ]
  for (const [items, status] of refused) {
    const create = client.conversations.create({ items: items as never })
    expect(await failure(create)).toMatchObject({ status })
    const add = client.conversations.items.create(id, { items: items as never })
    expect(await failure(add)).toMatchObject({ status })
  }
  expect(vendor.calls).toEqual([])
  await client.conversations.items.create(id, {
    items: image('https://files.example/a.png') as never,
  })
  expect(vendor.calls).toHaveLength(1)
})

it('no channel stores conversations as long as its operator does not allow it', async () => {
  const limits = {
    limit_model_setting: { enabled: true, models: ['gpt-5.5'] },
    limits_ip_setting: { enabled: false, whitelist: [] },
  }
  const setting = { heartbeat: { enabled: false, timeout_seconds: 30 }, limits }
  const person = await hub.app.person(1, { quota: 1_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true, setting })
  const error = await failure(clientOf(made.body.data.key).conversations.create())
  expect(error).toMatchObject({ status: 501, code: 'stored_none' })
  expect(error.message).toContain('`storage.conversations`')
})
