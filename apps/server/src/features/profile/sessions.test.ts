import { beforeAll, expect, it } from 'vitest'
import {
  onBothEnginesInLongRuns,
  type TestApp,
  type TestClient,
  type TestUser,
} from '../../../test/harness.ts'

let hub: TestApp
const isIn = async (client: TestClient) => (await client.get('/api/user/self')).status === 200
const sessionsOf = async (client: TestClient, path = '/api/user/sessions') =>
  (await client.get(path)).body.data as { id: string; user_agent: string; current: boolean }[]

const signInWith = async (user: TestUser, agent: string) => {
  const client = hub.guest({ headers: { 'user-agent': agent } })
  await client.signIn(user.username, user.password)
  return client
}

const ownSessions = () => {
  it('S18 a user sees their sessions and signs one or all others out, and keeps the own one', async () => {
    const user = await hub.person()
    const [phone, tablet] = [await signInWith(user, 'Phone'), await signInWith(user, 'Tablet')]
    const listed = await sessionsOf(user)
    expect(listed.map(each => [each.user_agent === 'Phone', each.current])).toHaveLength(3)
    expect(listed.filter(each => each.current)).toHaveLength(1)
    const { id } = listed.find(each => each.user_agent === 'Phone')!
    expect((await user.delete(`/api/user/sessions/${id}`)).status).toBe(200)
    expect([await isIn(phone), await isIn(tablet), await isIn(user)]).toEqual([false, true, true])
    expect((await user.delete('/api/user/sessions')).status).toBe(200)
    expect([await isIn(tablet), await isIn(user)]).toEqual([false, true])
    expect(await sessionsOf(user)).toMatchObject([{ current: true }])
  })

  it('S26 a session of another user is not found, and the ids of sessions open nothing', async () => {
    const [user, other] = [await hub.person(), await hub.person()]
    const [session] = await sessionsOf(user)
    const refused = await other.delete(`/api/user/sessions/${session!.id}`)
    expect([refused.status, await isIn(user)]).toEqual([404, true])
    const rows = await hub.app.db.selectFrom('sessions').select('id_hash').execute()
    expect(rows.map(row => row.id_hash)).not.toContain(session!.id)
    expect(user.cookie()).not.toContain(session!.id)
  })

  it('a session that is too old is not listed', async () => {
    const user = await hub.person()
    await signInWith(user, 'Old')
    const now = hub.clock.now
    hub.clock.now += 8 * 86_400_000
    await user.signIn(user.username, user.password)
    expect(await sessionsOf(user)).toHaveLength(1)
    hub.clock.now = now
  })
}

const administration = () => {
  it('S27 an administrator signs users out, but no peer and no super administrator', async () => {
    const [admin, peer, user] = [await hub.person(10), await hub.person(10), await hub.person()]
    const path = `/api/user/${user.id}/sessions`
    const [session] = await sessionsOf(admin, path)
    expect(session).toMatchObject({ current: false })
    expect((await admin.delete(`${path}/${session!.id}`)).status).toBe(200)
    expect(await isIn(user)).toBe(false)
    await user.signIn(user.username, user.password)
    expect((await admin.delete(path)).status).toBe(200)
    expect(await isIn(user)).toBe(false)
    for (const id of [peer.id, admin.id, 1]) {
      const tries = [
        await admin.get(`/api/user/${id}/sessions`),
        await admin.delete(`/api/user/${id}/sessions`),
        await admin.delete(`/api/user/${id}/sessions/${'0'.repeat(32)}`),
        await admin.post(`/api/user/${id}/reset_2fa`),
      ]
      expect(tries.map(each => each.body.code)).toEqual(Array(4).fill('user.rank'))
    }
    expect((await hub.root.post('/api/user/1/reset_2fa')).body.code).toBe('user.rank')
  })
}

onBothEnginesInLongRuns('sessions', open => {
  beforeAll(async () => {
    hub = await open()
  })
  ownSessions()
  administration()
})
