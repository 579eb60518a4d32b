import { randomBytes } from 'node:crypto'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
const stores = new Map<string, { account: string; object: Json; files: string[] }>()

/** https://developers.openai.com/api/reference/resources/vector_stores */
const serve = (call: VendorCall): VendorAnswer | undefined => {
  const [whole, id, rest = ''] =
    /^\/v1\/vector_stores(?:\/([^/]+))?(?:\/(.*))?$/.exec(call.path) ?? []
  if (whole === undefined) return undefined
  const body = call.body.length > 0 ? JSON.parse(call.body.toString()) : {}
  const isForeign = (file: string) => vendor.files.get(file)?.account !== call.account
  if (id === undefined) {
    const { file_ids = [], ...fields } = body
    if (file_ids.some(isForeign)) return refusal(404, 'No such File object')
    const object = {
      ...fields,
      id: `vs_${randomBytes(8).toString('hex')}`,
      object: 'vector_store',
      status: 'completed',
    }
    stores.set(object.id, { account: call.account, object, files: file_ids })
    return { json: object }
  }
  const store = stores.get(id)
  if (store?.account !== call.account) return refusal(404, 'No such vector store')
  if (rest === 'search')
    return {
      json: {
        object: 'vector_store.search_results.page',
        data: [{ file_id: store.files[0] }],
        has_more: false,
      },
    }
  if (rest === 'files' && call.method === 'POST') {
    if (isForeign(body.file_id)) return refusal(404, 'No such File object')
    store.files.push(body.file_id)
    return { json: { id: body.file_id, object: 'vector_store.file', vector_store_id: id } }
  }
  if (rest === 'files')
    return {
      json: {
        object: 'list',
        data: store.files.map(each => ({ id: each })),
        has_more: call.query.get('limit') === '1',
      },
    }
  if (call.method === 'DELETE')
    return { json: { id, object: 'vector_store.deleted', deleted: true } }
  Object.assign(store.object, body)
  return { json: store.object }
}

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(serve)
  const storage = { files: true, vector_stores: true }
  await hub.addChannel(1, 'gpt-v', {
    base_url: vendor.url,
    key: 'account-one',
    plugin: { storage },
  })
  await hub.addChannel(1, 'gpt-w', {
    base_url: vendor.url,
    key: 'account-two',
    plugin: { storage: { files: true } },
  })
  client = clientOf(hub.key)
  const person = await hub.app.person(1, { quota: 1_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  stranger = clientOf(made.body.data.key)
})
afterAll(() => vendor?.close())

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )

it('vector stores are made, filled, searched and deleted by their owner', async () => {
  const store = await client.vectorStores.create({ name: 'Books' })
  const file = await client.files.create({
    file: await toFile(Buffer.from('x'), 'a.txt'),
    purpose: 'assistants',
  })
  await client.vectorStores.files.create(store.id, { file_id: file.id })
  expect((await client.vectorStores.files.list(store.id, { limit: 1 })).has_more).toBe(true)
  expect((await client.vectorStores.search(store.id, { query: 'x' })).data[0]?.file_id).toBe(
    file.id,
  )
  expect((await client.vectorStores.update(store.id, { name: 'Films' })).name).toBe('Films')
  expect((await client.vectorStores.list()).data[0]).toMatchObject({ id: store.id, name: 'Films' })
  const next = await client.vectorStores.create({ name: 'With files', file_ids: [file.id] })
  expect(stores.get(next.id)?.files).toEqual([file.id])
  expect((await client.vectorStores.delete(store.id)).deleted).toBe(true)
  expect(await failure(client.vectorStores.retrieve(store.id))).toMatchObject({ status: 404 })
  // Only one of the channels has them.
  expect(new Set([...stores.values()].map(each => each.account))).toEqual(new Set(['account-one']))
})

it('S26 vector stores and files of somebody else do not exist for a vector store', async () => {
  const store = await client.vectorStores.create({ name: 'Books' })
  const file = await client.files.create({
    file: await toFile(Buffer.from('x'), 'a.txt'),
    purpose: 'assistants',
  })
  const own = await stranger.vectorStores.create({ name: 'Own' })
  const calls = vendor.calls.length
  const errors = await Promise.all(
    [
      stranger.vectorStores.retrieve(store.id),
      stranger.vectorStores.search(store.id, { query: 'x' }),
      stranger.vectorStores.files.list(store.id),
      stranger.vectorStores.delete(store.id),
      stranger.vectorStores.files.create(own.id, { file_id: file.id }),
      stranger.vectorStores.fileBatches.create(own.id, { file_ids: [file.id] }),
      stranger.vectorStores.fileBatches.create(own.id, { files: [{ file_id: file.id }] }),
      stranger.vectorStores.create({ file_ids: [file.id] }),
    ].map(failure),
  )
  for (const error of errors) expect(error).toMatchObject({ status: 404, code: 'stored_unknown' })
  expect(vendor.calls.length).toBe(calls)
})
