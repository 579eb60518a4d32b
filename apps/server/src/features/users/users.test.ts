import { beforeAll, expect, it } from 'vitest'
import {
  onBothEngines,
  type TestApp,
  type TestResponse,
  type TestUser,
} from '../../../test/harness.ts'

let hub: TestApp
let admin: TestUser
let peer: TestUser
let user: TestUser
const root = async () =>
  (await hub.root.get('/api/user/self')).body.data as { id: number; quota: number }

const rankTests = () => {
  it('the first start makes root, with its points as a posting', async () => {
    const first = await root()
    expect(first).toMatchObject({ username: 'root', role: 100, quota: 100_000_000 })
    const posted = await hub.app.db
      .selectFrom('transfers')
      .select(['kind', 'amount'])
      .where('credit', '=', first.id)
      .execute()
    expect(posted).toEqual([{ kind: 'grant', amount: 100_000_000 }])
  })

  it('S27 an administrator acts on users only: not on peers, not on root, not on themself', async () => {
    const { id } = await root()
    for (const target of [{ id, username: 'root' }, peer, admin]) {
      const tries: TestResponse[] = [
        await admin.get(`/api/user/${target.id}`),
        await admin.put('/api/user/', { id: target.id, display_name: 'x' }),
        await admin.put('/api/user/', { id: target.id, password: 'taken-over' }),
        await admin.post(`/api/user/quota/${target.id}`, { quota: 1 }),
        await admin.delete(`/api/user/${target.id}`),
        await admin.post('/api/user/manage', { username: target.username, action: 'disable' }),
        await admin.post('/api/user/manage', { username: target.username, action: 'demote' }),
      ]
      expect(tries.map(each => each.body.code)).toEqual(Array(7).fill('user.rank'))
    }
  })

  it('nobody gives a role as high as their own', async () => {
    const made = { username: 'climber', password: 'password-1' }
    expect((await admin.post('/api/user/', { ...made, role: 10 })).body.code).toBe('user.rank')
    expect((await hub.root.post('/api/user/', { ...made, role: 100 })).body.code).toBe('user.rank')
    expect((await admin.put('/api/user/', { id: user.id, role: 10 })).body.code).toBe('user.rank')
    const promote = { username: user.username, action: 'promote' }
    expect((await admin.post('/api/user/manage', promote)).body.code).toBe('access.denied')
  })

  it('root is never disabled, deleted, promoted or demoted, not even by root', async () => {
    for (const action of ['disable', 'delete', 'promote', 'demote'])
      expect(
        (await hub.root.post('/api/user/manage', { username: 'root', action })).body.code,
      ).toBe('user.rank')
    const { id } = await root()
    expect((await hub.root.delete(`/api/user/${id}`)).body.code).toBe('user.rank')
    expect((await hub.root.put('/api/user/', { id, role: 1 })).body.code).toBe('user.rank')
  })
}

const quotaAndNameTests = () => {
  it('quota moves by one posting and one log row, and never below zero', async () => {
    await admin.post('/api/user/proof', { current_password: admin.password })
    const change = (quota: number) =>
      admin.post(`/api/user/quota/${user.id}`, { quota, remark: 'gift' })
    expect((await change(500)).body.data.quota).toBe(500)
    expect((await change(-200)).body.data.quota).toBe(300)
    expect((await change(-301)).body.code).toBe('quota.below_zero')
    expect((await change(0)).status).toBe(400)
    expect((await change(1.5)).status).toBe(400)
    expect((await hub.root.get(`/api/user/${user.id}`)).body.data.quota).toBe(300)
    const logs = (await hub.root.get(`/api/log/?username=${user.username}&log_type=3`)).body.data
    expect(logs.data.map((row: { quota: number }) => row.quota)).toEqual([-200, 500])
    const posted = await hub.app.db
      .selectFrom('transfers')
      .select(['kind', 'debit', 'credit', 'amount'])
      .where('kind', '=', 'admin')
      .orderBy('id')
      .execute()
    expect(posted).toEqual([
      { kind: 'admin', debit: -2, credit: user.id, amount: 500 },
      { kind: 'admin', debit: user.id, credit: -2, amount: 200 },
    ])
  })

  it('S31 changes at the same moment take each point once', async () => {
    const poor = await hub.person(1, { quota: 50 })
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => hub.root.post(`/api/user/quota/${poor.id}`, { quota: -10 })),
    )
    expect(taken.filter(each => each.status === 200)).toHaveLength(5)
    expect(taken.filter(each => each.body.code === 'quota.below_zero')).toHaveLength(5)
    expect((await hub.root.get(`/api/user/${poor.id}`)).body.data.quota).toBe(0)
  })

  it('names and addresses are unique, and deleting gives them free', async () => {
    const fields = { username: 'only-one', password: 'password-1', email: 'one@example.com' }
    const { body } = await hub.root.post('/api/user/', fields)
    expect((await hub.root.post('/api/user/', { ...fields, email: '' })).body.code).toBe(
      'resource.exists',
    )
    expect((await hub.root.post('/api/user/', { ...fields, username: 'another' })).body.code).toBe(
      'resource.exists',
    )
    // A name that is somebody's address would shadow it at the sign-in.
    expect(
      (await hub.root.post('/api/user/', { ...fields, username: 'one@example.com', email: '' }))
        .body.code,
    ).toBe('resource.exists')
    expect((await admin.delete(`/api/user/${body.data.id}`)).status).toBe(200)
    expect((await admin.get(`/api/user/${body.data.id}`)).status).toBe(404)
    const stored = await hub.app.db
      .selectFrom('users')
      .select(['username', 'status'])
      .where('id', '=', body.data.id)
      .executeTakeFirst()
    expect(stored?.username).toMatch(/^only-one_del_\w{1,6}$/)
    expect((await hub.root.post('/api/user/', fields)).status).toBe(200)
  })

  it('a group must exist', async () => {
    expect((await admin.put('/api/user/', { id: user.id, group: 'nowhere' })).body.code).toBe(
      'group.unknown',
    )
    expect((await admin.put('/api/user/', { id: user.id, group: 'vip' })).body.data.group).toBe(
      'vip',
    )
  })
}

const inputTests = () => {
  it('S25 nothing but the named fields can be written', async () => {
    const victim = await hub.person()
    const before = (await victim.get('/api/user/self')).body.data
    const change = { quota: 1e9, used_quota: 1, aff_quota: 5, created_time: 1 }
    const columns = { balance: 1e9, access_token_hash: 'x', password_hash: 'x' }
    const forbidden = { ...change, ...columns, role: 100, group: 'svip', status: 2, id: 1 }
    for (const [name, value] of Object.entries(forbidden)) {
      const { status, body } = await victim.put('/api/user/self', { [name]: value })
      expect([name, status, body.code]).toEqual([name, 422, 'request.unknown_field'])
    }
    for (const [name, value] of Object.entries(columns)) {
      const { status } = await hub.root.put('/api/user/', { id: victim.id, [name]: value })
      expect([name, status]).toEqual([name, 422])
    }
    expect((await hub.root.put('/api/user/', { ...change, id: victim.id })).status).toBe(200)
    expect((await victim.get('/api/user/self')).body.data).toEqual(before)
  })

  it('S11 wildcards stand for themselves, and upper and lower case are one', async () => {
    await hub.root.post('/api/user/', { username: 'Wild%Card_', password: 'password-1' })
    const names = async (keyword: string) =>
      (await hub.root.get(`/api/user/?keyword=${encodeURIComponent(keyword)}`)).body.data.data.map(
        (row: { username: string }) => row.username,
      )
    expect(await names('%')).toEqual([])
    expect(await names('_')).toEqual([])
    expect(await names('%_%_%')).toEqual([])
    expect(await names('wild%c')).toEqual(['Wild%Card_'])
    // A backslash that escapes the wildcard after the keyword would make it one of the text.
    await hub.root.post('/api/user/', { username: 'Back%', password: 'password-1' })
    await hub.root.post('/api/user/', { username: 'Slash\\ed', password: 'password-1' })
    expect(await names('back\\')).toEqual([])
    expect(await names('slash\\')).toEqual(['Slash\\ed'])
    expect(await names(String(user.id))).toContain(user.username)
  })

  it('lists are paged and ordered by the fields they name, and by no other', async () => {
    const { data } = (await hub.root.get('/api/user/?size=2&page=1&order=-role,id')).body
    expect(data).toMatchObject({ page: 1, size: 2, total_exact: true })
    expect(data.data[0].role).toBe(100)
    expect(data.data).toHaveLength(2)
    for (const query of [
      'order=password_hash',
      'order=id;drop',
      'size=101',
      'page=x',
      'page=1&page=2',
    ])
      expect((await hub.root.get(`/api/user/?${query}`)).status, query).toBe(400)
    expect((await hub.root.get('/api/user/?page=-3&size=0')).body.data).toMatchObject({
      page: 1,
      size: 10,
    })
  })
}

onBothEngines('users', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
    peer = await hub.person(10)
    user = await hub.person(1)
  })
  rankTests()
  quotaAndNameTests()
  inputTests()
})
