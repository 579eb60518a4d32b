import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
let admin: TestUser
const make = async (user: TestUser, fields: object = {}) =>
  (await user.post('/api/token/', { name: 'laptop', ...fields })).body.data as {
    id: number
    key: string
  }
const search = async (query: string) =>
  (await admin.get(`/api/token/admin/search?${query}`)).body.data

const searchTests = () => {
  it('S24 an administrator finds the keys of all users, masked, by owner, name and id', async () => {
    const user = await hub.person()
    const { id, key } = await make(user, { name: 'workstation' })
    const byUser = await search(`user_id=${user.id}`)
    expect(byUser.data).toMatchObject([{ id, owner_name: user.username, name: 'workstation' }])
    expect(JSON.stringify(byUser)).not.toContain(key)
    expect((await search(`token_id=${id}`)).total_count).toBe(1)
    expect((await search(`keyword=${user.username}`)).data).toMatchObject([{ id }])
    expect((await search('keyword=WORKST&order=-id')).data[0].id).toBe(id)
    expect((await admin.get(`/api/token/admin/search?owner=${user.id}`)).status).toBe(422)
    expect((await user.get('/api/token/admin/search')).body.code).toBe('access.denied')
  })

  it('S27 reveals no key to an administrator', async () => {
    const { id } = await make(await hub.person())
    for (const person of [admin, hub.root])
      expect((await person.post(`/api/token/${id}/reveal`, {})).status).toBe(404)
  })
}

const changeTests = () => {
  it('a key of a user is changed and deleted, and that is in the audit log', async () => {
    const user = await hub.person()
    const { id } = await make(user)
    const patch = { id, name: 'capped', unlimited_quota: false, remain_quota: 500 }
    const { body } = await admin.put('/api/token/admin', patch)
    expect(body.data).toMatchObject({ name: 'capped', remain_quota: 500, user_id: user.id })
    await admin.put('/api/token/admin', { id, status: 2 })
    expect((await user.get(`/api/token/${id}`)).body.data.status).toBe(2)
    expect((await admin.delete(`/api/token/admin/${id}`)).status).toBe(200)
    expect((await user.get(`/api/token/${id}`)).status).toBe(404)
    const rows = await hub.app.db
      .selectFrom('audit')
      .select(['action', 'target'])
      .where('actor_id', '=', admin.id)
      .where('target', '=', String(id))
      .orderBy('id')
      .execute()
    expect(rows.map(each => each.action)).toEqual([
      'tokens.updateOfUser',
      'tokens.updateOfUser',
      'tokens.removeOfUser',
    ])
  })

  it('a key moves to another user with its cap, and leaves the first', async () => {
    const [from, to] = [await hub.person(), await hub.person()]
    const { id, key } = await make(from, { unlimited_quota: false, remain_quota: 700 })
    const moved = await admin.put('/api/token/admin', { id, user_id: to.id })
    expect(moved.body.data).toMatchObject({ user_id: to.id, remain_quota: 700 })
    expect((await from.get(`/api/token/${id}`)).status).toBe(404)
    expect((await to.post(`/api/token/${id}/reveal`, {})).body.data.key).toBe(key)
    const spend = await hub.app.db
      .selectFrom('token_spend')
      .select('user_id')
      .where('token_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(spend.user_id).toBe(to.id)
  })

  it('a key with running calls does not move', async () => {
    const [from, to] = [await hub.person(), await hub.person()]
    const { id } = await make(from)
    await hub.app.db
      .updateTable('token_spend')
      .set({ held: 5 })
      .where('token_id', '=', id)
      .execute()
    const { body } = await admin.put('/api/token/admin', { id, user_id: to.id, name: 'moved' })
    expect(body.code).toBe('token.in_use')
    expect((await from.get(`/api/token/${id}`)).body.data.name).toBe('laptop')
  })

  it('S27 no key moves from or to a user of the same or a higher role, nor into a closed group', async () => {
    const [user, peer] = [await hub.person(), await hub.person(10)]
    const { id } = await make(user)
    for (const user_id of [peer.id, admin.id, 1])
      expect((await admin.put('/api/token/admin', { id, user_id })).body.code).toBe('user.rank')
    const owned = await make(peer)
    const taken = await admin.put('/api/token/admin', { id: owned.id, user_id: user.id })
    expect(taken.body.code).toBe('user.rank')
    const closed = await admin.put('/api/token/admin', { id, group: 'svip' })
    expect(closed.body.code).toBe('group.unknown')
    expect((await admin.put('/api/token/admin', { id, user_id: 999_999 })).status).toBe(404)
  })
}

onBothEngines('tokens of users', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  searchTests()
  changeTests()
})
