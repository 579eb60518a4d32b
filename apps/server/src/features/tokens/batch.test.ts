import type { Token } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { hasChecksum } from '../../lib/random.ts'

let hub: TestApp
let owner: TestUser
let other: TestUser
const path = '/api/token/batch'

const listOf = async (user: TestUser): Promise<Token[]> =>
  (await user.get('/api/token/?size=100&order=id')).body.data.data
const namesOf = async (user: TestUser) => (await listOf(user)).map(({ name }) => name)
const makeMany = async (count: number): Promise<number[]> =>
  (await owner.post(path, { name: 'batch', count })).body.data.map((each: Token) => each.id)
const rowsOf = async (ids: readonly number[]): Promise<Token[]> =>
  Promise.all(ids.map(async id => (await owner.get(`/api/token/${id}`)).body.data))
const setMax = (value: number) =>
  hub.root.put('/api/option/', { key: 'TokensPerUserMax', value: `${value}` })

const createTests = () => {
  it('creates many by one request, numbered, each with a key of its own; one keeps its name', async () => {
    const user = await hub.person()
    const made: Token[] = (await user.post(path, { name: 'team', count: 3, api_rate: 7 })).body.data
    expect(made.map(({ name }) => name)).toEqual(['team-1', 'team-2', 'team-3'])
    expect(new Set(made.map(({ key }) => key).filter(hasChecksum)).size).toBe(3)
    const [, second, third] = made
    expect((await user.post(`/api/token/${second?.id}/reveal`)).body.data.key).toBe(second?.key)
    expect((await user.get(`/api/token/${third?.id}`)).body.data).toMatchObject({
      key: `${third?.key.slice(0, 7)}…${third?.key.slice(-4)}`,
      api_rate: 7,
    })
    await user.post(path, { name: 'only' })
    expect(await namesOf(user)).toEqual(['team-1', 'team-2', 'team-3', 'only'])
  })

  it('S53 creates none if one of them would exceed the limit of an account, also in parallel', async () => {
    const user = await hub.person()
    await setMax(4)
    const make = (count: number) => user.post(path, { name: 'team', count })
    const codes = (await Promise.all([make(3), make(3), make(3)])).map(({ body }) => body.code)
    expect(codes.filter(code => code === 'token.too_many')).toHaveLength(2)
    expect((await make(2)).body.code).toBe('token.too_many')
    expect(await namesOf(user)).toEqual(['team-1', 'team-2', 'team-3'])
    expect((await make(1)).status).toBe(200)
    await setMax(200)
  })

  it('refuses a wrong count, an unknown group, and a name without room for its number', async () => {
    const user = await hub.person()
    const long = 'n'.repeat(28)
    for (const wrong of [{ count: 0 }, { count: 101 }, { name: long, count: 10 }, { group: 'no' }])
      expect((await user.post(path, { name: 'more', count: 2, ...wrong })).body.success).toBe(false)
    expect(await namesOf(user)).toEqual([])
    expect((await user.post(path, { name: long, count: 9 })).status).toBe(200)
  })

  it('S53 creates several at once 100 times an hour, and single tokens afterwards too', async () => {
    const user = await hub.person()
    const make = (count: number) => user.post(path, { name: 'no', group: 'nowhere', count })
    for (let n = 0; n < 100; n += 1) expect((await make(2)).body.code).toBe('group.unknown')
    const refused = await make(2)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate.api'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await make(1)).body.code).toBe('group.unknown')
  })
}

const updateTests = () => {
  it('changes status, expiry, group and limit of all chosen ones, and nothing else', async () => {
    const ids = await makeMany(3)
    const [first = 0, second = 0] = ids
    const before = await rowsOf(ids)
    const expired_time = Math.floor(hub.clock.now / 1000) + 500
    const changes = [
      { status: 2 },
      { status: 1 },
      { expired_time },
      { group: 'default' },
      { unlimited_quota: false, remain_quota: 900 },
    ]
    for (const change of changes)
      expect((await owner.put(path, { ids: [first, second, first], ...change })).body.data).toBe(2)
    const changed = { expired_time, group: 'default', unlimited_quota: false, remain_quota: 900 }
    expect(await rowsOf(ids)).toEqual([
      { ...before[0], ...changed },
      { ...before[1], ...changed },
      before[2],
    ])
    await owner.put(path, { ids, unlimited_quota: true, status: 2 })
    const after = await rowsOf(ids)
    expect(after.map(each => [each.unlimited_quota, each.status])).toEqual(ids.map(() => [true, 2]))
  })

  it('a new limit counts from now on, whatever each token has spent or reserved', async () => {
    const ids = await makeMany(2)
    await hub.app.db
      .updateTable('token_spend')
      .set({ used: 400, held: 50 })
      .where('token_id', '=', ids[0] ?? 0)
      .execute()
    await owner.put(path, { ids, unlimited_quota: false, remain_quota: 900 })
    const rows = await rowsOf(ids)
    expect(rows.map(each => [each.remain_quota, each.used_quota])).toEqual([
      [900, 400],
      [900, 0],
    ])
    // Neither engine reads a number above this one exactly.
    const largest = Number.MAX_SAFE_INTEGER
    await owner.put(path, { ids, unlimited_quota: false, remain_quota: largest })
    expect((await rowsOf(ids)).map(each => each.remain_quota)).toEqual([largest - 450, largest])
  })
}

const refusedUpdateTests = () => {
  it('changes none if one is refused: it is expired, or its group is unknown', async () => {
    const ids = await makeMany(3)
    const past = Math.floor(hub.clock.now / 1000) - 10
    await owner.put('/api/token/', { id: ids[2], expired_time: past })
    await owner.put(path, { ids: ids.slice(0, 2), status: 2 })
    const before = await rowsOf(ids)
    const refused = await owner.put(path, { ids, status: 1 })
    expect([refused.body.code, refused.body.message]).toEqual([
      'token.still_exhausted',
      expect.stringContaining('`batch-3`'),
    ])
    expect((await owner.put(path, { ids, group: 'nowhere' })).body.code).toBe('group.unknown')
    expect((await owner.put(path, { ids, group: 'vip' })).body.code).toBe('group.unknown')
    expect(await rowsOf(ids)).toEqual(before)
    expect((await owner.put(path, { ids, status: 1, expired_time: -1 })).body.data).toBe(3)
  })

  it('refuses fields that are not offered, half of a limit, and limits that are no amount', async () => {
    const ids = await makeMany(2)
    const before = await rowsOf(ids)
    const wrong = [
      { name: 'x' },
      { used: 1 },
      { ids: [] },
      { ids: Array.from({ length: 101 }, (_, n) => n + 1) },
      { status: 3 },
      { remain_quota: 900 },
      { unlimited_quota: false },
      { unlimited_quota: false, remain_quota: -1 },
      { unlimited_quota: false, remain_quota: 0.5 },
      { unlimited_quota: false, remain_quota: Number.MAX_SAFE_INTEGER + 1 },
    ]
    for (const each of wrong) {
      const { body } = await owner.put(path, { ids, ...each })
      expect(body.success, JSON.stringify(each)).toBe(false)
    }
    expect(await rowsOf(ids)).toEqual(before)
  })
}

const removeTests = () => {
  it('S26 an id of somebody else is unknown, and then nothing changes, for root neither', async () => {
    const ids = await makeMany(2)
    const foreign = (await other.post('/api/token/', { name: 'theirs' })).body.data.id
    const before = await rowsOf(ids)
    for (const named of [
      [...ids, foreign],
      [...ids, 987_654_321],
    ])
      for (const visitor of [owner, hub.root])
        for (const response of [
          await visitor.put(path, { ids: named, status: 2 }),
          await visitor.put(path, { ids: named, group: 'default' }),
          await visitor.put(path, { ids: named, group: 'nowhere' }),
          await visitor.delete(path, { ids: named }),
        ])
          expect([response.status, response.body.code]).toEqual([404, 'resource.missing'])
    expect(await rowsOf(ids)).toEqual(before)
    expect((await other.get(`/api/token/${foreign}`)).body.data.status).toBe(1)
  })

  it('deletes the chosen ones, each once, and none if one is deleted already', async () => {
    const [first = 0, second = 0, third = 0] = await makeMany(3)
    expect((await owner.delete(path, { ids: [second, first, second] })).body.data).toBe(2)
    for (const id of [first, second]) expect((await owner.get(`/api/token/${id}`)).status).toBe(404)
    expect((await owner.put(path, { ids: [first], status: 1 })).status).toBe(404)
    expect((await owner.delete(path, { ids: [first, third] })).status).toBe(404)
    expect((await owner.get(`/api/token/${third}`)).status).toBe(200)
  })
}

onBothEngines('many tokens at once', open => {
  beforeAll(async () => {
    hub = await open()
    owner = await hub.person()
    other = await hub.person()
  })
  createTests()
  updateTests()
  refusedUpdateTests()
  removeTests()
})
