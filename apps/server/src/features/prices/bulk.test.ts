import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { priceCache } from '../../billing/price-cache.ts'

const price = { type: 'tokens', channel_type: 1, input: 1, output: 2 }

let hub: TestApp
const inputs = async () =>
  Object.fromEntries(
    (await hub.root.get('/api/prices')).body.data.map((each: { model: string; input: number }) => [
      each.model,
      each.input,
    ]),
  )
const list = [
  { ...price, model: 'a', input: 1.5 },
  { ...price, model: 'locked', input: 9 },
  { ...price, model: 'new', input: 3 },
]
const preview = async (mode: string, prices: object[] = list) =>
  (await hub.root.post('/api/prices/preview', { mode, prices })).body.data
const sync = (updateMode: string, body: unknown) =>
  hub.root.post(`/api/prices/sync?updateMode=${updateMode}`, body)

const previewTests = () => {
  it('what is applied is what the preview showed', async () => {
    const plan = await preview('overwrite')
    expect(plan.locked).toEqual(['locked'])
    expect(plan.changes).toMatchObject([
      {
        model: 'a',
        kind: 'change',
        before: { input: 1 },
        after: { input: 1.5 },
        input_percent: 50,
        output_percent: 0,
      },
      { model: 'new', kind: 'add', before: null, after: { input: 3 }, input_percent: null },
    ])
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
    const done = await sync('overwrite', { prices: list, digest: plan.digest })
    expect(done.body.data).toEqual(plan)
    expect(await inputs()).toEqual({ a: 1.5, locked: 1, new: 3 })
    expect(priceCache(hub.app).find('new', 'default')?.terms.input).toBe('3')
  })

  it('a preview that is not true any more is refused, and nothing is written', async () => {
    const { digest } = await preview('update')
    await hub.root.put('/api/prices/single/a', { ...price, model: 'a', input: 7 })
    const refused = await sync('update', { prices: list, digest })
    expect([refused.status, refused.body.code]).toEqual([409, 'price.changed'])
    expect(await inputs()).toEqual({ a: 7, locked: 1 })
    expect((await sync('overwrite', { prices: list, digest })).body.code).toBe('price.changed')
    // A price that the list does not touch may change.
    const again = await preview('update')
    await hub.root.post('/api/prices/single', { ...price, model: 'other' })
    expect((await sync('update', { prices: list, digest: again.digest })).status).toBe(200)
  })

  it('One Hub’s scripts send the list bare, and its modes mean the same', async () => {
    expect((await sync('system', list)).status).toBe(200)
    expect(await inputs()).toEqual({ a: 1, locked: 1, new: 3 })
    expect((await sync('update', list)).status).toBe(200)
    expect(await inputs()).toEqual({ a: 1.5, locked: 1, new: 3 })
    expect((await sync('overwrite', [list[2]])).status).toBe(200)
    expect(await inputs()).toEqual({ locked: 1, new: 3 })
    expect((await sync('add', [])).status).toBe(400)
    expect((await sync('add', [list[0], list[0]])).status).toBe(400)
    expect((await sync('replace', list)).status).toBe(400)
  })

  it('one step back: the last change of many is taken back, once', async () => {
    await sync('overwrite', list)
    expect((await hub.root.get('/api/prices/undo')).body.data).toMatchObject({
      what: 'overwrite',
      count: 2,
      actor_name: 'root',
    })
    expect((await hub.root.post('/api/prices/undo', {})).status).toBe(200)
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
    expect(priceCache(hub.app).find('new', 'default')).toBeUndefined()
    expect((await hub.root.get('/api/prices/undo')).body.data).toBeNull()
    expect((await hub.root.post('/api/prices/undo', {})).body.code).toBe('resource.missing')
  })

  it('a price that was changed since is not overwritten by taking back', async () => {
    await sync('overwrite', list)
    await hub.root.put('/api/prices/single/new', { ...price, model: 'new', input: 4 })
    const refused = await hub.root.post('/api/prices/undo', {})
    expect([refused.status, refused.body.code]).toEqual([409, 'price.changed'])
    expect(refused.body.message).toContain('new')
    expect(await inputs()).toEqual({ a: 1.5, locked: 1, new: 4 })
    await hub.root.put('/api/prices/single/new', { ...price, model: 'new', input: 3 })
    expect((await hub.root.post('/api/prices/undo', {})).status).toBe(200)
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
  })
}

const manyModelTests = () => {
  it('a name that is given twice is refused with its field', async () => {
    const lists = { models: ['a', 'b'], original_models: ['b'] }
    for (const [field, names] of Object.entries(lists)) {
      const twice = { ...lists, [field]: [...names, 'b'] }
      const answer = await hub.root.post('/api/prices/multiple', {
        ...twice,
        price: { ...price, model: 'a' },
      })
      expect([field, answer.status]).toEqual([field, 400])
      expect(answer.body.message).toContain(`\`${field}\`: names b twice`)
    }
  })

  it('one price for many models: adds, changes, and deletes what is only in original_models', async () => {
    const many = { original_models: ['a', 'locked'], models: ['a', 'b', 'c'] }
    const batch = { ...price, model: 'batch', input: 5 }
    expect((await hub.root.post('/api/prices/multiple', { ...many, price: batch })).status).toBe(
      200,
    )
    expect(await inputs()).toEqual({ a: 5, b: 5, c: 5 })
    const onto = { original_models: [], models: ['d', 'c'], price: batch }
    expect((await hub.root.post('/api/prices/multiple', onto)).body.code).toBe('resource.exists')
    expect(await inputs()).toEqual({ a: 5, b: 5, c: 5 })
    await hub.root.post('/api/prices/undo', {})
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
  })

  it('many are deleted at once, locked ones too, and all or none', async () => {
    const gone = (models: string[]) => hub.root.put('/api/prices/multiple/delete', { models })
    expect((await gone(['a', 'nothing'])).status).toBe(404)
    expect((await gone(['a', 'locked'])).status).toBe(200)
    expect(await inputs()).toEqual({})
    await hub.root.post('/api/prices/undo', {})
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
  })

  it('of twenty parallel applications of one preview one succeeds, and the others are refused', async () => {
    const { digest } = await preview('update')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sync('update', { prices: list, digest })),
    )
    expect(answers.map(each => each.status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await inputs()).toEqual({ a: 1.5, locked: 1 })
    await hub.root.post('/api/prices/undo', {})
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
  })

  it('thousands of prices are one change', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...price, model: `m${at}` }))
    expect((await sync('add', many)).body.data.changes).toHaveLength(3000)
    expect((await hub.root.get('/api/prices/undo')).body.data.count).toBe(3000)
    await hub.root.post('/api/prices/undo', {})
    expect(await inputs()).toEqual({ a: 1, locked: 1 })
  })

  it('only administrators see and change it', async () => {
    const user = await hub.person(1)
    const admin = await hub.person(10)
    expect((await user.post('/api/prices/sync', list)).status).toBe(403)
    expect((await user.post('/api/prices/preview', { mode: 'add', prices: list })).status).toBe(403)
    expect((await user.get('/api/prices/undo')).status).toBe(403)
    expect((await admin.post('/api/prices/preview', { mode: 'add', prices: list })).status).toBe(
      200,
    )
  })
}

onBothEngines('many prices at once', open => {
  beforeAll(async () => {
    hub = await open()
  })
  /** A known state: two prices, one of them locked. */
  beforeEach(async () => {
    const all = (await hub.root.get('/api/prices')).body.data.map(
      (each: { model: string }) => each.model,
    )
    if (all.length > 0) await hub.root.put('/api/prices/multiple/delete', { models: all })
    await hub.root.post('/api/prices/single', { ...price, model: 'a' })
    await hub.root.post('/api/prices/single', { ...price, model: 'locked', locked: true })
  })
  previewTests()
  manyModelTests()
})

onBothEngines('a price list from an address', open => {
  let hub: TestApp
  const responses: Record<string, (respond: (status: number, text: string) => void) => void> = {
    '/list.json': respond => respond(200, JSON.stringify({ data: [{ ...price, model: 'x' }] })),
    '/new-api': respond =>
      respond(
        200,
        '{"data":[{"model_name":"gpt-4o","quota_type":0,"model_ratio":2,"completion_ratio":3}]}',
      ),
    '/moved': respond => respond(302, ''),
    '/page': respond => respond(200, '<html></html>'),
    '/endless': respond => respond(200, ' '.repeat(9 * 1024 * 1024)),
  }
  const server = createServer(keepAlive, (request, response) => {
    responses[request.url ?? '']?.((status, text) =>
      response.writeHead(status, { location: '/list.json' }).end(text),
    )
  })
  beforeAll(async () => {
    hub = await open()
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = (path: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const read = (input: object) => hub.root.post('/api/prices/read', input)

  it('is read and shown, and changes nothing', async () => {
    const before = (await hub.root.get('/api/prices')).body.data.length
    const { data } = (await read({ address: address('/list.json') })).body
    expect(data).toMatchObject({ format: 'one-hub', prices: [{ model: 'x' }], skipped: [] })
    expect((await hub.root.get('/api/prices')).body.data).toHaveLength(before)
    expect(
      (await read({ text: JSON.stringify([{ ...price, model: 'y' }]) })).body.data.prices,
    ).toHaveLength(1)
  })

  it('of New API leaves each model its owner', async () => {
    const { data } = (await read({ address: address('/new-api') })).body
    expect(data).toMatchObject({
      format: 'new-api',
      prices: [{ channel_type: 1, input: 2, output: 6 }],
    })
  })

  it('is refused with a reason: moved, no list, too long, nobody there, both or nothing given', async () => {
    const code = async (input: object) => (await read(input)).body.code
    expect(await code({ address: address('/moved') })).toBe('price.source')
    expect(await code({ address: address('/page') })).toBe('price.list_unavailable')
    expect(await code({ address: address('/endless') })).toBe('price.source')
    expect(await code({ address: 'http://127.0.0.1:1/' })).toBe('price.source')
    expect(await code({ address: 'ftp://127.0.0.1/' })).toBe('request.invalid')
    expect(await code({ address: 'file:///etc/passwd' })).toBe('request.invalid')
    expect(await code({ address: address('/list.json'), text: '[]' })).toBe('request.invalid')
    expect(await code({})).toBe('request.invalid')
  })

  it('S2 may be private only as long as the setting allows it, in figures and by name', async () => {
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'false' })
    const port = (server.address() as AddressInfo).port
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0', '169.254.169.254'])
      expect([
        host,
        (await read({ address: `http://${host}:${port}/list.json` })).body.code,
      ]).toEqual([host, 'address.forbidden'])
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'true' })
    expect((await read({ address: address('/list.json') })).status).toBe(200)
  })

  it('has the address of the settings for a start', async () => {
    expect((await hub.root.get('/api/prices/updateService')).body.data).toMatch(/^https:/)
    await hub.root.put('/api/option/', { key: 'UpdatePriceService', value: address('/list.json') })
    expect((await hub.root.get('/api/prices/updateService')).body.data).toBe(address('/list.json'))
  })
})
