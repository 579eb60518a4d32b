import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

/** Records every request, as the owner of a host would. */
const startCapture = async () => {
  const requests: string[] = []
  const server: Server = createServer(({ method, url, headers }, response) => {
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
      { type: 28 },
    ]
    for (const change of elsewhere) {
      const { status, body } = await admin.put('/api/channel/', { id, ...change })
      expect([change, status, body.code]).toEqual([change, 422, 'channel.secrets_needed'])
      expect(body.message).toContain(`\`key\`: enter it again to change ${Object.keys(change)}`)
    }
    const before = (await admin.get(`/api/channel/${id}`)).body.data
    const same = { id, base_url: `${vendor.url}/`, type: 1, other: '2024', weight: 3 }
    expect((await admin.put('/api/channel/', same)).status).toBe(200)
    const moved = await admin.put('/api/channel/', { id, base_url: foreign.url, key: 'sk-new' })
    expect(moved.body.data).toEqual({ ...before, other: '2024', weight: 3, base_url: foreign.url })
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

onBothEngines('secrets of channels', open => {
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
})
