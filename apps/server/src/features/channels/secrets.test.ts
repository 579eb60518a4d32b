import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelSecret } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEnginesInLongRuns, type TestApp, type TestUser } from '../../../test/harness.ts'
import { sealStoredChannels } from './seal-stored.ts'

/** Records every request, as the owner of a host would. */
const startCapture = async () => {
  const requests: string[] = []
  const server: Server = createServer(keepAlive, ({ method, url, headers }, response) => {
    requests.push(`${method} ${url} ${JSON.stringify(headers)}`)
    response.setHeader('content-type', 'application/json')
    response.end('{"data":[{"id":"m"}]}')
  })
  server.on('connect', ({ url, headers }, socket) => {
    requests.push(`CONNECT ${url} ${JSON.stringify(headers)}`)
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests, close: () => server.close() }
}
type Capture = Awaited<ReturnType<typeof startCapture>>

let hub: TestApp
let admin: TestUser
let vendor: Capture
let foreign: Capture
let made = 0
const make = async (more: object = {}) => {
  const key = `sk-stored-${++made}`
  const channel = { type: 1, name: 'vendor', models: 'm', key, base_url: vendor.url, ...more }
  return { key, id: (await admin.post('/api/channel/', channel)).body.data[0].id as number }
}

const destinationTests = () => {
  it('the model list with a stored key is fetched from the stored address only, and audited', async () => {
    const { id, key } = await make()
    const models = (more: object) =>
      admin.post('/api/channel/provider_models_list', { id, type: 1, ...more })
    expect((await models({})).body.data).toEqual(['m'])
    expect((await models({ base_url: `${vendor.url}/` })).body.data).toEqual(['m'])
    expect(vendor.requests.join()).toContain(key)
    const proxy = foreign.url
    for (const elsewhere of [{ base_url: foreign.url }, { proxy }, { base_url: '' }, { type: 8 }]) {
      const { status, body } = await models(elsewhere)
      expect([elsewhere, status, body.code]).toEqual([elsewhere, 422, 'channel.secrets_needed'])
      expect(body.message).toContain('`key`: ')
    }
    expect(foreign.requests).toEqual([])
    expect((await models({ base_url: foreign.url, key: 'sk-typed' })).body.data).toEqual(['m'])
    expect(foreign.requests.join()).toContain('sk-typed')
    const { body } = await hub.root.get('/api/audit/?size=100&action=channels.fetchModels')
    const rows = body.data.data as { outcome: string; input: string }[]
    expect(rows.filter(row => row.outcome === 'channel.secrets_needed')).toHaveLength(4)
    expect(rows.filter(row => row.outcome === '')).toHaveLength(3)
    expect(JSON.stringify(body.data.data[0].input)).toContain(foreign.url)
    expect(JSON.stringify(body)).not.toContain('sk-typed')
  })

  it('a new address, proxy or type needs the key again', async () => {
    const { id } = await make({ proxy: 'http://p.example' })
    const elsewhere = [
      { base_url: foreign.url },
      { base_url: '' },
      { proxy: foreign.url },
      { proxy: '' },
      { proxy: null },
      { type: 28 },
    ]
    for (const change of elsewhere) {
      const { status, body } = await admin.put('/api/channel/', { id, ...change })
      expect([change, status, body.code]).toEqual([change, 422, 'channel.secrets_needed'])
      expect(body.message).toContain(`\`key\`: enter it again to change ${Object.keys(change)}`)
    }
    const before = (await admin.get(`/api/channel/${id}`)).body.data
    const same = { id, base_url: `${vendor.url}/`, type: 1, weight: 3 }
    expect((await admin.put('/api/channel/', same)).status).toBe(200)
    const moved = await admin.put('/api/channel/', { id, base_url: foreign.url, key: 'sk-new' })
    expect(moved.body.data).toEqual({ ...before, weight: 3, base_url: foreign.url })
  })

  it('a new region needs the key again where the address contains it', async () => {
    const { id } = await make({ type: 42, base_url: '', other: 'us-east5|mine', key: '{"a":1}' })
    const change = { id, other: 'eu-west1|theirs' }
    expect((await admin.put('/api/channel/', change)).body.code).toBe('channel.secrets_needed')
    expect((await admin.put('/api/channel/', { ...change, key: '{"a":2}' })).status).toBe(200)
  })

  it('a new address for a tag needs every key of the tag again', async () => {
    const tag = `team ${made}`
    const [one, two] = [await make({ tag }), await make({ tag })]
    const change = (key?: string) =>
      admin.put(`/api/channel_tag/${encodeURIComponent(tag)}`, { base_url: foreign.url, key })
    for (const key of [undefined, one.key, `${one.key}\nsk-other`]) {
      const { status, body } = await change(key)
      expect([key, status, body.code]).toEqual([key, 422, 'channel.secrets_needed'])
    }
    expect((await change(`${one.key}\n${two.key}`)).body.data).toBe(2)
  })
}

const planted = {
  proxy: 'http://user:canary-proxy@127.0.0.1:9',
  model_headers: '{"x-team":"canary-header"}',
  custom_parameter: '{"user":"canary-parameter"}',
}
const noneSet = { proxy: false, model_headers: false, custom_parameter: false }
const allSet = { proxy: true, model_headers: true, custom_parameter: true }
const storedSecrets = (id: number) =>
  hub.app.db
    .selectFrom('channels')
    .select(['id', 'key_sealed', 'proxy', 'model_headers', 'custom_parameter'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const storageTests = () => {
  it('S24 D1 proxy, headers and parameters are only said to be set, and are encrypted', async () => {
    const bare = (await admin.get(`/api/channel/${(await make()).id}`)).body.data
    expect(bare).toMatchObject({ is_set: noneSet })
    const { id } = await make({ ...planted, tag: 'canaries' })
    const copy = (await admin.post(`/api/channel/${id}/copy`)).body.data
    expect(copy.is_set).toEqual(allSet)
    const answers = [
      await admin.get(`/api/channel/${id}`),
      await admin.put('/api/channel/', { id, ...planted, key: 'sk-x' }),
      await admin.get('/api/channel/?size=100'),
      await admin.get('/api/channel_tag/canaries'),
      await admin.get('/api/channel_tag/canaries/list'),
      await hub.root.get('/api/audit/?size=100'),
    ]
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).not.toContain('canary-')
    }
    expect(answers[0]!.body.data).toMatchObject({ is_set: allSet })
    const tables = await hub.app.db.selectFrom('channels').selectAll().execute()
    expect(JSON.stringify(tables)).not.toContain('canary-')
    const [one, two] = [await storedSecrets(id), await storedSecrets(copy.id)]
    expect(one.proxy).not.toBe(two.proxy)
    const context = `channels.proxy:${copy.id}`
    expect(hub.app.seal.open('channel-secret', context, two.proxy)).toBe(planted.proxy)
    expect(() => hub.app.seal.open('channel-secret', context, one.proxy)).toThrow()
  })

  it('a secret that is left out stays, null clears it, and text replaces it', async () => {
    const { id } = await make(planted)
    const before = await storedSecrets(id)
    await admin.put('/api/channel/', { id, weight: 2 })
    expect(await storedSecrets(id)).toEqual(before)
    const cleared = await admin.put('/api/channel/', { id, model_headers: null })
    expect(cleared.body.data.is_set).toEqual({ ...allSet, model_headers: false })
    const change = { id, custom_parameter: '{"user":"b"}', proxy: null, key: 'sk-again' }
    const replaced = await admin.put('/api/channel/', change)
    expect(replaced.body.data.is_set).toEqual({ ...noneSet, custom_parameter: true })
    const { custom_parameter } = await storedSecrets(id)
    const context = `channels.custom_parameter:${id}`
    expect(hub.app.seal.open('channel-secret', context, custom_parameter)).toBe('{"user":"b"}')
  })

  it('a new address needs the headers and parameters again too, or their removal', async () => {
    const { id } = await make(planted)
    const change = { id, base_url: foreign.url, key: 'sk-typed' }
    const refused = await admin.put('/api/channel/', change)
    expect(refused.body.code).toBe('channel.secrets_needed')
    for (const field of ['model_headers', 'custom_parameter'])
      expect(refused.body.message).toContain(`\`${field}\`: enter it again to change base_url`)
    const { model_headers } = planted
    const given = await admin.put('/api/channel/', {
      ...change,
      model_headers,
      custom_parameter: null,
    })
    expect(given.body.data.is_set).toEqual({ ...allSet, custom_parameter: false })
  })
}

const upgradeTests = () => {
  it('a tag shares secrets, each sealed for its own channel, and a new key gets them too', async () => {
    const tag = `sealed ${made}`
    const { id, key } = await make({ tag, model_headers: planted.model_headers })
    await make({ tag })
    const path = `/api/channel_tag/${encodeURIComponent(tag)}`
    await admin.put(path, { custom_parameter: planted.custom_parameter, key: `${key}\nsk-third` })
    const rows = (await admin.get(`${path}/list`)).body.data
    expect(rows.map((row: { is_set: object }) => row.is_set)).toEqual([
      { ...allSet, proxy: false },
      { ...noneSet, custom_parameter: true },
      { ...allSet, proxy: false },
    ])
    for (const each of [id, rows[2].id]) {
      const { custom_parameter } = await storedSecrets(each)
      const context = `channels.custom_parameter:${each}`
      const text = hub.app.seal.open('channel-secret', context, custom_parameter)
      expect(text).toBe(planted.custom_parameter)
    }
    await admin.delete(path)
    expect(await storedSecrets(id)).toMatchObject({ model_headers: '', custom_parameter: '' })
  })
  it('plain secrets of an earlier release are encrypted at the start', async () => {
    const [{ id }, removed, address] = [await make(), await make(), await make()]
    await admin.delete(`/api/channel/${removed.id}`)
    const write = (each: number, change: object) =>
      hub.app.db.updateTable('channels').set(change).where('id', '=', each).execute()
    for (const each of [id, removed.id]) await write(each, planted)
    await write(address.id, { base_url: 'https://user:canary-login@v.example/a@b' })
    await sealStoredChannels(hub.app)
    const sealed = await storedSecrets(id)
    for (const [name, text] of Object.entries(planted) as [ChannelSecret, string][]) {
      const opened = hub.app.seal.open('channel-secret', `channels.${name}:${id}`, sealed[name])
      expect([name, opened]).toEqual([name, text])
    }
    expect(await storedSecrets(removed.id)).toMatchObject({ proxy: '', model_headers: '' })
    const { base_url } = (await admin.get(`/api/channel/${address.id}`)).body.data
    expect(base_url).toBe('https://v.example/a@b')
    await sealStoredChannels(hub.app)
    expect(await storedSecrets(id)).toEqual(sealed)
  })

  it('a stored proxy is used to fetch the models, without being sent back', async () => {
    const proxy = foreign.url.replace('//', '//user:canary-proxy@')
    const { id } = await make({ proxy })
    const answer = await admin.post('/api/channel/provider_models_list', { id, type: 1 })
    expect(answer.body.code).toBe('channel.models_unavailable')
    expect(foreign.requests.join()).toContain(Buffer.from('user:canary-proxy').toString('base64'))
  })
}

const addressTests = () => {
  it('S38 a sealed key moved to another row does not open', async () => {
    const [one, other] = [await make(), await make()]
    const { id, key } = other
    const stored = hub.app.db.selectFrom('channels').select('key_sealed')
    const { key_sealed } = await stored.where('id', '=', one.id).executeTakeFirstOrThrow()
    await hub.app.db.updateTable('channels').set({ key_sealed }).where('id', '=', id).execute()
    const open = (row: number) =>
      hub.app.seal.open('channel-key', `channels.key_sealed:${row}`, key_sealed)
    expect(open(one.id)).toContain(one.key)
    expect(() => open(id)).toThrow()
    const before = vendor.requests.length
    await admin.put('/api/channel/', { id, name: 'renamed' })
    await admin.post(`/api/channel/test/${id}`)
    const sent = vendor.requests.slice(before).join()
    expect([sent.includes(one.key), sent.includes(key)]).toEqual([false, false])
  })

  it('S2 S3 a channel at a private address is not called where only public ones are allowed', async () => {
    const { port } = new URL(vendor.url)
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'false' })
    const before = vendor.requests.length
    const figures = ['127.0.0.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.1', '0', '0.0.0.0']
    const mapped = ['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]']
    for (const host of [...figures, ...mapped, 'localhost']) {
      const { id } = await make({ base_url: `http://${host}:${port}` })
      const { body } = await admin.post(`/api/channel/test/${id}`)
      expect([host, body.message]).toEqual([host, expect.stringContaining('may not be called')])
    }
    expect(vendor.requests.length).toBe(before)
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'true' })
  })

  it('S2 a proxy at a private address is refused where only public ones are allowed', async () => {
    const { port } = new URL(foreign.url)
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'false' })
    const before = foreign.requests.length
    for (const scheme of ['http', 'socks5'])
      for (const host of ['127.0.0.1', 'localhost']) {
        const proxy = `${scheme}://${host}:${port}`
        const { id } = await make({ proxy, base_url: 'https://1.1.1.1' })
        const { body } = await admin.post(`/api/channel/test/${id}`)
        expect([proxy, body.message]).toEqual([proxy, expect.stringContaining('may not be called')])
      }
    expect(foreign.requests.length).toBe(before)
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'true' })
  })

  it('an address with a user name or a password is refused', async () => {
    const { id, key } = await make()
    const login = { base_url: 'https://user:canary-login@v.example' }
    const body = { type: 1, name: 'vendor', models: 'm', key, ...login }
    for (const answer of [
      await admin.post('/api/channel/', body),
      await admin.put('/api/channel/', { id, key, ...login }),
      await admin.post('/api/channel/provider_models_list', { id, type: 1, key, ...login }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'address.forbidden'])
      expect(answer.body.message).toContain('`base_url`')
    }
    const audit = await hub.root.get('/api/audit/?size=100')
    expect(audit.text).not.toContain('canary-login')
  })
}

onBothEnginesInLongRuns('secrets of channels', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
    vendor = await startCapture()
    foreign = await startCapture()
  })
  afterAll(() => {
    vendor?.close()
    foreign?.close()
  })
  destinationTests()
  storageTests()
  upgradeTests()
  addressTests()
})
