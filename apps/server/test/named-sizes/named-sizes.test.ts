import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/auditor/audit.ts'
import { onBothEngines, type TestUser } from '../harness.ts'
import { type RelayHub, useRelayHub } from '../relay-hub.ts'
import { type CountingVendor, startCountingVendor } from './counting-vendor.ts'

// A vendor charges what a request only names. The hold covers it, so that calls at once cost no more than one by one.

const model = 'gpt-5.4'
const conversationTokens = 900_000
const fileBytes = 300_000

let hub: RelayHub
let vendor: CountingVendor
let owner: TestUser

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const makeKey = async (who: TestUser, remain?: number): Promise<string> => {
  const cap = remain === undefined ? {} : { remain_quota: remain }
  const fields = { name: 't', unlimited_quota: remain === undefined, ...cap }
  return (await who.post('/api/token/', fields)).body.data.key
}
const balanceOf = async (who: TestUser): Promise<number> =>
  (await who.get('/api/user/self')).body.data.quota
const shortfalls = () => hub.app.app.db.selectFrom('shortfalls').selectAll().execute()

const upload = async (client: OpenAI): Promise<string> => {
  const file = await toFile(Buffer.alloc(fileBytes, 'word '), 'a.txt')
  return (await client.files.create({ file, purpose: 'user_data' })).id
}

type Request = { path: string; body: object }
type Way = { tokens: number; prepare(client: OpenAI): Promise<Request> }

const ways: Record<string, Way> = {
  previous_response_id: {
    tokens: conversationTokens + 10,
    prepare: async client => {
      const metadata = { tokens: String(conversationTokens) }
      const { id } = await client.responses.create({ model, input: 'Long.', metadata })
      const body = { model, input: 'x', previous_response_id: id, max_output_tokens: 10 }
      return { path: '/responses', body }
    },
  },
  'an input_file': {
    tokens: fileBytes,
    prepare: async client => {
      const content = [{ type: 'input_file', file_id: await upload(client) }]
      const body = { model, input: [{ role: 'user', content }], max_output_tokens: 10 }
      return { path: '/responses', body }
    },
  },
  'a file that a chat names twice': {
    tokens: 2 * fileBytes,
    prepare: async client => {
      const part = { type: 'file', file: { file_id: await upload(client) } }
      const messages = [{ role: 'user', content: [part, part] }]
      return { path: '/chat/completions', body: { model, messages, max_tokens: 10 } }
    },
  },
}

const send = (client: OpenAI, { path, body }: Request): Promise<number> =>
  client.post(path, { body }).then(
    () => 200,
    ({ status }) => status,
  )
/** The number of calls at once that are answered. */
const servedAtOnce = async (client: OpenAI, request: Request): Promise<number> => {
  const all = await Promise.all(Array.from({ length: 12 }, () => send(client, request)))
  return all.filter(each => each === 200).length
}
const sendUntilRefused = async (client: OpenAI, request: Request): Promise<void> => {
  while ((await send(client, request)) === 200);
}

const setUp = async () => {
  vendor = await startCountingVendor()
  const plugin = { storage: { files: true } }
  await hub.addChannel(1, model, { base_url: vendor.url, plugin })
  await hub.app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '0' })
  owner = await hub.app.person(1, { quota: 1_000_000_000 })
}

const testCap = async ({ tokens, prepare }: Way) => {
  const request = await prepare(clientOf(await makeKey(owner)))
  const before = await balanceOf(owner)
  const capped = clientOf(await makeKey(owner, Math.floor(tokens * 3.5)))
  const served = await servedAtOnce(capped, request)
  expect(served).toBeGreaterThanOrEqual(1)
  expect(served).toBeLessThanOrEqual(3)
  await sendUntilRefused(capped, request)
  const spent = before - (await balanceOf(owner))
  expect(spent).toBe(3 * (tokens + 20))

  const poor = clientOf(await makeKey(owner, 10_000))
  expect(await servedAtOnce(poor, request)).toBe(0)
  expect(await balanceOf(owner)).toBe(before - spent)
  expect(await shortfalls()).toEqual([])
}

const testBalance = async ({ tokens, prepare }: Way) => {
  const user = await hub.app.person(1, { quota: 100_000_000 })
  const client = clientOf(await makeKey(user))
  const request = await prepare(client)
  const left = Math.floor(tokens * 2.5)
  const quota = left - (await balanceOf(user))
  await hub.app.root.post(`/api/user/quota/${user.id}`, { quota, remark: 'test' })
  expect(await balanceOf(user)).toBe(left)
  expect([1, 2]).toContain(await servedAtOnce(client, request))
  await sendUntilRefused(client, request)
  expect(left - (await balanceOf(user))).toBe(2 * (tokens + 20))
  expect(await shortfalls()).toEqual([])
}

onBothEngines('the size of what a request names', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    hub = opened
    await setUp()
  })
  afterAll(() => vendor?.close())

  for (const [name, way] of Object.entries(ways)) {
    it(`a key with a cap never spends more, at once or one by one: ${name}`, () => testCap(way))
    it(`a balance serves as many calls as it covers: ${name}`, () => testBalance(way))
  }

  it('the auditor accepts the books of all these calls', async () => {
    const { databaseUrl, dataDir } = hub.app.app.env
    const report = await audit({ databaseUrl, dataDir })
    expect(report.results.flatMap(each => each.findings)).toEqual([])
  })
})
