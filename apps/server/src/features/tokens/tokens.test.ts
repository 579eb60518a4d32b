import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { hasChecksum, sha256 } from '../../lib/random.ts'

let hub: TestApp
let owner: TestUser
let other: TestUser
const make = async (more: object = {}) =>
  (await owner.post('/api/token/', { name: 'mine', ...more })).body.data

const keyTests = () => {
  it('the key is shown when it is made, masked afterwards, and stored as hash and ciphertext only', async () => {
    const { id, key } = await make()
    expect(hasChecksum(key)).toBe(true)
    const shown = (await owner.get(`/api/token/${id}`)).body.data.key
    expect(shown).toBe(`${key.slice(0, 7)}…${key.slice(-4)}`)
    const stored = await hub.app.db
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(stored.key_hash).toBe(sha256(key))
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  it('the owner reveals a key at most 30 times an hour, and each time is in the audit log', async () => {
    const { id, key } = await make()
    const codes: number[] = []
    for (let n = 0; n < 31; n++) {
      const { status, body } = await owner.post(`/api/token/${id}/reveal`)
      codes.push(status)
      if (status === 200) expect(body.data.key).toBe(key)
    }
    expect(codes.filter(code => code === 200)).toHaveLength(30)
    expect(codes.at(-1)).toBe(429)
    const rows = (await hub.root.get('/api/audit/?action=tokens.reveal&size=100')).body.data.data
    expect(rows).toHaveLength(31)
    expect(rows[0]).toMatchObject({
      actor_id: owner.id,
      target: String(id),
      outcome: 'rate.reveal',
    })
  })

  it('the playground has one token for each user, made on the first call however many there are', async () => {
    const person = await hub.person()
    const calls = [1, 2, 3, 4].map(() => person.post('/api/token/playground'))
    const keys = (await Promise.all(calls)).map(each => each.body.data)
    expect(new Set(keys).size).toBe(1)
    expect(hasChecksum(keys[0])).toBe(true)
    const { data } = (await person.get('/api/token/')).body
    expect(data.total_count).toBe(1)
    expect(data.data[0]).toMatchObject({
      ...{ name: 'sys_playground', unlimited_quota: true, expired_time: -1 },
    })
    expect((await person.get('/api/token/playground')).status).toBe(405)
    const rows = (await hub.root.get('/api/audit/?action=tokens.playground')).body.data.data
    expect(rows).toHaveLength(4)
    expect(JSON.stringify(rows)).not.toContain(keys[0])
  })

  it('S26 nobody else sees, changes, reveals or deletes it, root neither', async () => {
    const { id } = await make()
    for (const visitor of [other, hub.root]) {
      const tries = [
        await visitor.get(`/api/token/${id}`),
        await visitor.put('/api/token/', { id, name: 'stolen' }),
        await visitor.post(`/api/token/${id}/reveal`),
        await visitor.delete(`/api/token/${id}`),
      ]
      expect(tries.map(each => each.status)).toEqual([404, 404, 404, 404])
      expect((await visitor.get('/api/token/')).text).not.toContain('mine')
    }
    expect((await owner.get(`/api/token/${id}`)).body.data.name).toBe('mine')
  })
}

const limitTests = () => {
  it('a token has limits of its own: none unless set, changed one by one, taken away by null', async () => {
    const limits = { api_rate: 30, requests_per_day: 9, quota_per_month: 1_000_000 }
    const { id } = await make(limits)
    const put = async (change: object) => (await owner.put('/api/token/', { id, ...change })).body
    const none = { tokens_per_minute: null, concurrent_requests: null, quota_per_day: null }
    expect((await owner.get(`/api/token/${id}`)).body.data).toMatchObject({ ...limits, ...none })
    const changed = (await put({ api_rate: null, concurrent_requests: 2 })).data
    const after = { ...none, concurrent_requests: 2, requests_per_day: 9, api_rate: null }
    expect(changed).toMatchObject(after)
    expect((await put({ status: 2, status_only: '1', requests_per_day: 1 })).data).toMatchObject({
      status: 2,
      requests_per_day: 9,
    })
    expect((await put({ api_rate: 0 })).code).toBe('request.invalid')
    expect(await make()).toMatchObject({ ...none, api_rate: null, requests_per_day: null })
  })

  it('a group must be public or the own one', async () => {
    const make = (group: string) => owner.post('/api/token/', { name: 'g', group })
    expect((await make('default')).status).toBe(200)
    expect((await make('vip')).body.code).toBe('group.unknown')
    expect((await make('nowhere')).body.code).toBe('group.unknown')
    await hub.root.put('/api/user/', { id: owner.id, group: 'vip' })
    expect((await make('vip')).status).toBe(200)
    await hub.root.put('/api/user/', { id: owner.id, group: 'default' })
  })

  it('expired and exhausted come and go by themselves, and enabling waits until they are mended', async () => {
    const past = Math.floor(hub.clock.now / 1000) - 10
    const { id } = await make({ unlimited_quota: false, remain_quota: 100 })
    const put = async (change: object) => (await owner.put('/api/token/', { id, ...change })).body
    expect((await put({ expired_time: past })).data.status).toBe(3)
    expect((await put({ status: 1 })).code).toBe('token.still_exhausted')
    expect((await put({ expired_time: -1 })).data.status).toBe(1)
    expect((await put({ remain_quota: 0 })).data.status).toBe(4)
    expect((await put({ status: 1 })).code).toBe('token.still_exhausted')
    expect((await put({ status: 1, remain_quota: 50 })).data).toMatchObject({
      status: 1,
      remain_quota: 50,
    })
    expect((await put({ unlimited_quota: true })).data).toMatchObject({
      unlimited_quota: true,
      remain_quota: 0,
    })
    expect((await put({ status: 2 })).data.status).toBe(2)
  })
}

const sizeTests = () => {
  it('S53 a user has at most as many tokens as the setting allows, also at once', async () => {
    const user = await hub.person()
    const makeOne = () => user.post('/api/token/', { name: 'many' })
    await hub.root.put('/api/option/', { key: 'TokensPerUserMax', value: '3' })
    const answers = await Promise.all(Array.from({ length: 8 }, makeOne))
    expect(answers.filter(each => each.status === 200)).toHaveLength(3)
    expect(answers.filter(each => each.body.code === 'token.too_many')).toHaveLength(5)
    const { id } = answers.find(each => each.status === 200)!.body.data
    await user.delete(`/api/token/${id}`)
    expect((await makeOne()).status).toBe(200)
    await hub.root.put('/api/option/', { key: 'TokensPerUserMax', value: '200' })
  })

  it('the lists of a token together have a bound', async () => {
    const withModels = (count: number) => ({
      name: 'large',
      setting: {
        limits: {
          limit_model_setting: {
            enabled: true,
            models: Array.from({ length: count }, (_, n) => `${n}`.padEnd(99, 'm')),
          },
        },
      },
    })
    const made = await owner.post('/api/token/', withModels(150))
    expect(made.status).toBe(200)
    const refused = await owner.post('/api/token/', withModels(200))
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('`setting`: is too large'),
    ])
    const patched = await owner.put('/api/token/', {
      id: made.body.data.id,
      ...withModels(200),
    })
    expect(patched.status).toBe(400)
  })
}

const updateTests = () => {
  it('`status_only` takes the status and nothing else; without it, what is not named stays', async () => {
    const { id } = await make({
      setting: { limits: { limit_model_setting: { enabled: true, models: ['a'] } } },
    })
    await owner.put('/api/token/?status_only=true', {
      id,
      status: 2,
      name: 'other',
      group: 'nowhere',
    })
    expect((await owner.get(`/api/token/${id}`)).body.data).toMatchObject({
      status: 2,
      name: 'mine',
      group: '',
    })
    await owner.put('/api/token/', { id, name: 'renamed' })
    expect((await owner.get(`/api/token/${id}`)).body.data).toMatchObject({
      name: 'renamed',
      status: 2,
      setting: { limits: { limit_model_setting: { enabled: true, models: ['a'] } } },
    })
  })

  it('S25 columns that are not offered cannot be written', async () => {
    const { id } = await make()
    const before = (await owner.get(`/api/token/${id}`)).body.data
    for (const [name, value] of Object.entries({ used: -5, held: 9, key_hash: 'x' }))
      expect((await owner.put('/api/token/', { id, [name]: value })).status, name).toBe(422)
    const ignored = { user_id: other.id, used_quota: -5, key: 'sk-x', created_time: 1 }
    expect((await owner.put('/api/token/', { id, ...ignored })).status).toBe(200)
    expect((await owner.get(`/api/token/${id}`)).body.data).toEqual(before)
  })

  it('a deleted token is gone', async () => {
    const { id } = await make()
    expect((await owner.delete(`/api/token/${id}`)).status).toBe(200)
    expect((await owner.get(`/api/token/${id}`)).status).toBe(404)
    expect((await owner.delete(`/api/token/${id}`)).status).toBe(404)
  })
}

onBothEngines('tokens', open => {
  beforeAll(async () => {
    hub = await open()
    owner = await hub.person()
    other = await hub.person()
  })
  keyTests()
  limitTests()
  sizeTests()
  updateTests()
})
