import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useRelayHub } from '../relay-hub.ts'
import { type FileVendor, startFileVendor } from './vendor.ts'

const hub = useRelayHub()
let vendor: FileVendor
/** The channels' accounts, and two users. */
let client: OpenAI
let stranger: OpenAI

beforeAll(async () => {
  vendor = await startFileVendor()
  const plugin = { storage: { files: true } }
  await hub.addChannel(1, 'gpt-a', { base_url: vendor.url, key: 'account-one', plugin })
  await hub.addChannel(1, 'gpt-b', { base_url: vendor.url, key: 'account-two', plugin })
  await hub.addChannel(1, 'gpt-c', { base_url: vendor.url, key: 'account-closed' })
  client = clientOf(hub.key)
  stranger = clientOf(await keyOfPerson())
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.calls.length = 0
})

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })

const keyOfPerson = async (token: object = {}): Promise<string> => {
  const person = await hub.app.person(1, { quota: 1_000_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true, ...token })
  return made.body.data.key
}

const upload = (by: OpenAI, text: string, purpose: OpenAI.FilePurpose = 'user_data') =>
  toFile(Buffer.from(text), 'notes.txt').then(file => by.files.create({ file, purpose }))

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )

describe('files', () => {
  it('are stored, read and deleted by their owner with the official client', async () => {
    const file = await upload(client, 'Some text.')
    expect(file).toMatchObject({ filename: 'notes.txt', purpose: 'user_data', bytes: 10 })
    expect(await client.files.retrieve(file.id)).toEqual(file)
    expect(await (await client.files.content(file.id)).text()).toBe('Some text.')
    expect(await client.files.delete(file.id)).toMatchObject({ deleted: true })
    expect(vendor.files.has(file.id)).toBe(false)
    expect(await failure(client.files.retrieve(file.id))).toMatchObject({ status: 404 })
  })

  it('S26 do not exist for anybody else, and no vendor is asked', async () => {
    const { id } = await upload(client, 'A secret.')
    const before = vendor.calls.length
    const errors = await Promise.all(
      [stranger.files.retrieve(id), stranger.files.delete(id), stranger.files.content(id)].map(
        failure,
      ),
    )
    const unknown = await failure(stranger.files.retrieve('file-none'))
    expect(unknown).toMatchObject({ status: 404, code: 'stored_unknown' })
    for (const error of errors) expect(error).toMatchObject({ status: 404, code: unknown.code })
    expect(await failure(stranger.files.list({ after: id }).then(() => 0))).toMatchObject({
      status: 404,
    })
    expect(vendor.calls.length).toBe(before)
    expect(vendor.files.has(id)).toBe(true)
  })

  it('S26 are listed for their owner only, page by page, although one account stores them all', async () => {
    const owner = clientOf(await keyOfPerson())
    const made: string[] = []
    for (const text of ['one', 'two', 'three']) made.push((await upload(owner, text)).id)
    await upload(owner, '{}', 'evals')
    await upload(client, 'other')
    const ids: string[] = []
    for await (const each of owner.files.list({ limit: 2, order: 'asc', purpose: 'user_data' }))
      ids.push(each.id)
    expect(ids).toEqual(made)
    const page = await owner.files.list({ limit: 1 })
    expect([page.data[0]?.purpose, page.has_more]).toEqual(['evals', true])
  })

  it('of one caller lie in one account, as long as it takes part', async () => {
    const owner = clientOf(await keyOfPerson())
    for (let at = 0; at < 6; at += 1) await upload(owner, 'x')
    const accounts = new Set(vendor.calls.map(each => each.account))
    expect(accounts.size).toBe(1)
    expect(['account-one', 'account-two']).toContain([...accounts][0])
  })

  it('go to a channel whose models the key may use', async () => {
    const limits = {
      limit_model_setting: { enabled: true, models: ['gpt-b'] },
      limits_ip_setting: { enabled: false, whitelist: [] },
    }
    const setting = { heartbeat: { enabled: false, timeout_seconds: 30 }, limits }
    const owner = clientOf(await keyOfPerson({ setting }))
    for (let at = 0; at < 3; at += 1) await upload(owner, 'x')
    expect(new Set(vendor.calls.map(each => each.account))).toEqual(new Set(['account-two']))
  })

  it('of a batch go to a channel that serves the model of its lines', async () => {
    const owner = clientOf(await keyOfPerson())
    const line = (model: string) =>
      JSON.stringify({ custom_id: '1', method: 'POST', url: '/v1/responses', body: { model } })
    await upload(owner, `${line('gpt-b')}\n${line('gpt-b')}\n`, 'batch')
    await upload(owner, line('gpt-a'), 'batch')
    expect(vendor.calls.map(each => each.account)).toEqual(['account-two', 'account-one'])
    expect(await failure(upload(owner, line('gpt-c'), 'batch'))).toMatchObject({
      status: 501,
      code: 'stored_none',
    })
  })

  it('the vendor gets its own key, the bytes of the form and no query of the caller', async () => {
    const body = new FormData()
    body.append('purpose', 'user_data')
    body.append('file', new Blob(['abc'], { type: 'text/x-own' }), 'a "b".txt')
    const response = await fetch(`${hub.url}/v1/files?own=${hub.key}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.key}` },
      body,
    })
    expect(response.status).toBe(200)
    const [call] = vendor.calls
    expect([call?.query.toString(), JSON.stringify(call?.headers)]).toEqual([
      '',
      expect.not.stringContaining(hub.key),
    ])
    expect(call?.body.toString()).toContain('text/x-own')
  })

  it('a refusal of the vendor reaches the caller as it came', async () => {
    const error = await failure(upload(client, 'x', 'poetry' as OpenAI.FilePurpose))
    expect(error).toMatchObject({ status: 400, param: 'purpose' })
  })

  it('that their vendor has deleted are forgotten', async () => {
    const { id } = await upload(client, 'x')
    vendor.files.delete(id)
    expect(await failure(client.files.retrieve(id))).toMatchObject({ status: 404, param: 'id' })
    expect(await failure(client.files.retrieve(id))).toMatchObject({ code: 'stored_unknown' })
  })

  it('a browser never runs a stored page in the origin of the console', async () => {
    const { id } = await upload(client, '<script>alert(1)</script>')
    vendor.routes.push(({ path }) =>
      path === `/v1/files/${id}/content`
        ? { bytes: Buffer.from('<script>'), type: 'text/html' }
        : undefined,
    )
    const response = await fetch(`${hub.url}/v1/files/${id}/content`, {
      headers: { authorization: `Bearer ${hub.key}` },
    })
    expect(response.headers.get('content-disposition')).toBe('attachment')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('an id that a vendor gives a second time does not change its owner', async () => {
    const { id } = await upload(client, 'first')
    const object = vendor.files.get(id)?.object
    vendor.routes.push(({ method, path, account }) =>
      method === 'POST' && path === '/v1/files' && account.startsWith('account') && repeats
        ? { json: object }
        : undefined,
    )
    let repeats = true
    expect(await failure(upload(stranger, 'second'))).toMatchObject({ status: 502 })
    repeats = false
    expect((await client.files.retrieve(id)).id).toBe(id)
    expect(await failure(stranger.files.retrieve(id))).toMatchObject({ status: 404 })
  })

  it('no channel takes files as long as its operator does not allow it', async () => {
    await hub.app.root.post('/api/user_group/', {
      symbol: 'closed',
      name: 'closed',
      ratio: 1,
      api_rate: 1_000,
    })
    const person = await hub.app.person(1, { quota: 1_000_000, group: 'closed' })
    const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
    await hub.addChannel(1, 'gpt-d', {
      base_url: vendor.url,
      key: 'account-closed',
      group: 'closed',
    })
    const error = await failure(upload(clientOf(made.body.data.key), 'x'))
    expect(error).toMatchObject({ status: 501, code: 'stored_none' })
    expect((error as { message: string }).message).toContain('`storage.files`')
    expect(vendor.calls).toEqual([])
  })

  it('of a disabled channel are refused with the reason', async () => {
    await hub.addChannel(1, 'gpt-e', {
      base_url: vendor.url,
      key: 'account-e',
      plugin: { storage: { files: true } },
      priority: 9,
    })
    const owner = clientOf(await keyOfPerson())
    const { id } = await upload(owner, 'x')
    const { body } = await hub.app.root.get('/api/channel/?name=gpt-e')
    await hub.app.root.put('/api/channel/', { id: body.data.data[0].id, status: 2 })
    await expect
      .poll(() => failure(owner.files.retrieve(id)))
      .toMatchObject({ status: 410, code: 'stored_unavailable' })
  })
})

describe('uploads in parts', () => {
  it('become a file of their owner', async () => {
    const content = Buffer.from('0123456789')
    const fields = {
      bytes: 10,
      filename: 'big.jsonl',
      mime_type: 'text/plain',
      purpose: 'user_data' as const,
    }
    const { id } = await client.uploads.create(fields)
    const parts: string[] = []
    for (const piece of [content.subarray(0, 6), content.subarray(6)])
      parts.push((await client.uploads.parts.create(id, { data: await toFile(piece, 'part') })).id)
    expect(await failure(stranger.uploads.complete(id, { part_ids: parts }))).toMatchObject({
      status: 404,
    })
    const { file } = await client.uploads.complete(id, { part_ids: parts })
    expect(await (await client.files.content(file?.id ?? '')).text()).toBe('0123456789')
    expect(await failure(stranger.files.content(file?.id ?? ''))).toMatchObject({ status: 404 })
    const other = await client.uploads.create(fields)
    expect(await client.uploads.cancel(other.id)).toMatchObject({ status: 'cancelled' })
  })
})

it('a refused key stores nothing', async () => {
  expect(await failure(upload(clientOf('sk-none'), 'x'))).toMatchObject({ status: 401 })
  expect(vendor.calls).toEqual([])
})
