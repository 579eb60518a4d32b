import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useRelayHub } from '../relay-hub.ts'
import { serveBatches } from './batch-vendor.ts'
import { type FileVendor, startFileVendor } from './vendor.ts'

// The protocol has tests of its own with an OpenAI channel. Other types differ in address and key.

const hub = useRelayHub()
let vendor: FileVendor
beforeAll(async () => {
  vendor = await startFileVendor()
  serveBatches(vendor)
  vendor.routes.push(({ path, account }) =>
    path === '/v1/vector_stores'
      ? { json: { id: `vs_${account}`, object: 'vector_store', status: 'completed' } }
      : undefined,
  )
})
afterAll(() => vendor?.close())

it.each([
  ['custom', 8, '', '/v1', '', 'authorization'],
  ['Azure OpenAI V1', 55, 'preview', '/openai/v1', '?api-version=preview', 'api-key'],
] as const)(
  'a channel of type %s stores files, uploads, batches and vector stores at its own address, with its own key',
  async (_name, type, other, prefix, query, header) => {
    const model = `stored-${type}`
    await hub.addChannel(type, model, {
      ...{ base_url: vendor.url, key: `account-${type}`, other },
      plugin: { storage: { files: true, vector_stores: true } },
    })
    const person = await hub.app.person(1, { quota: 1_000_000 })
    const token = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
    const client = new OpenAI({
      ...{ apiKey: token.body.data.key, baseURL: `${hub.url}/v1`, maxRetries: 0 },
    })
    const body = { model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }
    const endpoint = '/v1/chat/completions'
    const line = { custom_id: 'one', method: 'POST', url: endpoint, body }
    vendor.calls.length = 0

    const text = `${JSON.stringify(line)}\n`
    const file = await toFile(Buffer.from(text), 'in.jsonl')
    const { id } = await client.files.create({ file, purpose: 'batch' })
    expect(await (await client.files.content(id)).text()).toBe(text)
    const fields = { endpoint, completion_window: '24h' } as const
    const batch = await client.batches.create({ ...fields, input_file_id: id })
    const vectorStore = await client.vectorStores.create({ name: 'notes' })
    const upload = {
      bytes: 1,
      filename: 'a.txt',
      mime_type: 'text/plain',
      purpose: 'batch',
    } as const
    await client.uploads.create(upload)

    expect([batch.input_file_id, vectorStore.id]).toEqual([id, `vs_account-${type}`])
    // The batch reads its file once more.
    const targets = [...new Set(vendor.calls.map(call => `${call.method} ${call.target}`))]
    expect(targets).toEqual([
      `POST ${prefix}/files${query}`,
      `GET ${prefix}/files/${id}/content${query}`,
      `POST ${prefix}/batches${query}`,
      `POST ${prefix}/vector_stores${query}`,
      `POST ${prefix}/uploads${query}`,
    ])
    for (const { account, headers } of vendor.calls)
      expect([account, headers[header]]).toEqual([
        `account-${type}`,
        expect.stringContaining(`account-${type}`),
      ])
  },
)
