import { contract, type Endpoint } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { onOneEngine, type TestApp } from '../../test/harness.ts'

const resources: { base: string; endpoints: Record<string, Endpoint> }[] = Object.values(contract)
const writes = resources.flatMap(({ base, endpoints }) =>
  Object.values(endpoints)
    .filter(({ method }) => method !== 'GET')
    .map(endpoint => ({
      endpoint,
      endpoints: Object.values(endpoints),
      url: `${base}${endpoint.path}`.replace(/[:*]\w+/g, '1'),
    })),
)

it('every ignored field of a write is a field of its own row, and none that it takes', () => {
  const wrong = writes.flatMap(({ endpoint, endpoints, url }) => {
    const read = endpoints.find(({ method, path }) => method === 'GET' && path === endpoint.path)
    const row = [endpoint.response, read?.response].find(each => each instanceof z.ZodObject)
    const inputs = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
    const isRight = (name: string) => row && name in row.shape && !(name in inputs)
    return (endpoint.ignored ?? []).filter(name => !isRight(name)).map(name => `${url} ${name}`)
  })
  expect(wrong).toEqual([])
  expect(writes.filter(({ endpoint }) => endpoint.ignored).length).toBeGreaterThan(4)
})

let hub: TestApp

const refusalTests = () => {
  it('a query parameter that no endpoint obeys is refused by every list and read', async () => {
    for (const { base, endpoints } of Object.values(contract))
      for (const { method, path } of Object.values(endpoints as Record<string, Endpoint>)) {
        if (method !== 'GET' || path.includes('logout')) continue
        const url = `${base}${path}`.replace(/:\w+/g, '1')
        const { status, body } = await hub.root.get(`${url}?no_such_filter=2`)
        expect([url, status, body.code]).toEqual([url, 422, 'request.unknown_field'])
        expect(body.message).toContain('`no_such_filter`')
      }
    const rows = await hub.root.get('/api/log/?user_id=2')
    expect([rows.status, rows.body.code]).toEqual([422, 'request.unknown_field'])
    expect((await hub.root.get('/api/log/?_=1')).status).toBe(200)
  })

  it('a page that more than 100,000 rows lie before is refused by every list', async () => {
    const lists = resources.flatMap(({ base, endpoints }) =>
      Object.values(endpoints)
        .filter(({ input }) => input instanceof z.ZodObject && 'page' in input.shape)
        .map(({ path }) => `${base}${path}`.replace(/:\w+/g, '1')),
    )
    expect(lists.length).toBeGreaterThan(20)
    for (const url of lists) {
      const { status, body } = await hub.root.get(`${url}?page=1002&size=100`)
      expect([url, status, body.code]).toEqual([url, 400, 'request.invalid'])
      expect(body.message).toContain('`page`')
      expect((await hub.root.get(`${url}?page=1001&size=100`)).body.message).not.toContain('`page`')
    }
    expect((await hub.root.get('/api/log/?page=1002&size=100&after=5.5')).status).toBe(200)
    expect((await hub.root.get('/api/log/?page=1002&size=100')).body.message).toContain('`after`')
  })

  it('S25 a body field or a query parameter that a write does not have is refused by every write', async () => {
    for (const [at, { endpoint, url }] of writes.entries()) {
      const { method } = endpoint
      // An address may make twenty calls of critical endpoints in twenty minutes.
      const from = { remoteAddress: `198.51.100.${at % 250}` }
      const inBody = await hub.root.send(method, url, { no_such_field: 2 }, from)
      expect([url, inBody.status, inBody.body.code]).toEqual([url, 422, 'request.unknown_field'])
      expect(inBody.body.message).toContain('`no_such_field`')
      const inQuery = await hub.root.send(method, `${url}?no_such_field=2`, {}, from)
      expect([url, inQuery.status, inQuery.body.code]).toEqual([url, 422, 'request.unknown_field'])
    }
  })

  it('a write takes its fields from the body, not from the query', async () => {
    const refused = await hub.root.post('/api/token/?name=from-the-query', {})
    expect([refused.status, refused.body.code]).toEqual([422, 'request.unknown_field'])
    expect(refused.body.message).toContain('`name`: send it in the body')
  })

  it('an unknown field inside an object or a list is named with its path', async () => {
    const price = { model: 'm', type: 'tokens', input: 1, output: 1, discount: 2 }
    for (const [url, body, path] of [
      ['/api/token/', { name: 'a', setting: { limits: { speed: 1 } } }, 'setting.limits.speed'],
      ['/api/prices/sync', [price], 'prices.0.discount'],
      ['/api/prices/multiple', { models: ['m'], price }, 'price.discount'],
    ] as const) {
      const { status, body: answer } = await hub.root.post(url, body)
      expect([url, status, answer.code]).toEqual([url, 422, 'request.unknown_field'])
      expect(answer.message).toContain(`\`${path}\``)
    }
  })
}

const oneHubTests = () => {
  it('a row is accepted when it is sent back whole with one field changed', async () => {
    const { root } = hub
    await root.post('/api/channel/', { type: 1, name: 'a', key: 'k', models: 'm', tag: 't' })
    await root.post('/api/token/', { name: 'a' })
    await root.post('/api/redemption/', { name: 'a' })
    await root.post('/api/user/', { username: 'someone-else', password: 'password-of-someone' })
    const first = async (url: string) => (await root.get(url)).body.data.data[0]
    for (const [list, url, change] of [
      ['/api/channel/', '/api/channel/', { name: 'b' }],
      ['/api/token/', '/api/token/', { name: 'b' }],
      ['/api/redemption/', '/api/redemption/', { name: 'b' }],
      ['/api/user_group/', '/api/user_group/', { name: 'b' }],
      ['/api/user/?order=-id', '/api/user/', { display_name: 'b' }],
    ] as const) {
      const row = { ...(await first(list)), is_edit: true }
      const { status, body } = await root.put(url, { ...row, ...change })
      expect([url, status, body.message]).toEqual([url, 200, ''])
      expect(body.data).toMatchObject(change)
    }
    const tag = (await root.get('/api/channel_tag/t')).body.data
    expect((await root.put('/api/channel_tag/t', { ...tag, test_model: 'm' })).body.data).toBe(1)
  })

  it("the list of groups that One Hub's channel form sends is accepted next to the same groups only", async () => {
    const row = { type: 1, name: 'grouped', key: 'k', models: 'm', tag: 'grouped' }
    await hub.root.post('/api/user_group/', { symbol: 'vip', name: 'vip', ratio: 1 })
    const groups = { group: 'default,vip', groups: ['default', 'vip'] }
    const made = await hub.root.post('/api/channel/', { ...row, ...groups })
    expect([made.status, made.body.data?.[0]?.group]).toEqual([200, 'default,vip'])
    const { id } = made.body.data[0]
    const writes = [
      ['POST', '/api/channel/', row],
      ['PUT', '/api/channel/', { id }],
      ['PUT', '/api/channel_tag/grouped', {}],
    ] as const
    for (const [method, path, body] of writes) {
      for (const other of [{ groups: ['vip'] }, { groups: ['vip'], group: 'default' }]) {
        const refused = await hub.root.send(method, path, { ...body, ...other })
        expect([path, refused.status]).toEqual([path, 422])
        expect(refused.body.message).toContain('`groups`: send the same names')
      }
      const both = await hub.root.send(method, path, { ...body, group: 'vip', groups: ['vip'] })
      expect([path, both.status]).toEqual([path, 200])
    }
    expect((await hub.root.get(`/api/channel/${id}`)).body.data.group).toBe('vip')
  })

  it('the status of a user is refused where it is not changed', async () => {
    const { id } = await hub.person()
    const { status, body } = await hub.root.put('/api/user/', { id, status: 2 })
    expect([status, body.code]).toEqual([422, 'request.unknown_field'])
    expect((await hub.root.get(`/api/user/${id}`)).body.data.status).toBe(1)
  })

  it('a field of One Hub without effect here is refused unless it is empty', async () => {
    const token = { name: 'a' }
    const user = { username: 'someone', password: 'password-of-someone' }
    for (const [method, path, body, field, empty] of [
      ['POST', '/api/token/', token, 'enableCache', false],
      ['POST', '/api/user/', user, 'avatar', ''],
      ['PUT', '/api/user/self', { display_name: 'x' }, 'email', ''],
    ] as const) {
      const refused = await hub.root.send(method, path, { ...body, [field]: 'a@b.example' })
      expect([field, refused.status, refused.body.code]).toEqual([
        field,
        422,
        'request.unknown_field',
      ])
      expect(refused.body.message).toContain(`\`${field}\``)
      const accepted = await hub.root.send(method, path, { ...body, [field]: empty })
      expect([field, accepted.status, accepted.text]).toEqual([field, 200, accepted.text])
    }
  })
}

onOneEngine('unknown fields', open => {
  beforeAll(async () => {
    hub = await open()
  })
  refusalTests()
  oneHubTests()
})
