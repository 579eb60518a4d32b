import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

const day = 86_400_000

let hub: TestApp
const isIn = async (visitor: { get(url: string): Promise<{ status: number }> }) =>
  (await visitor.get('/api/user/self')).status === 200

const cookieTests = () => {
  it('the cookie is Secure and __Host- on this machine, plain HttpOnly on the local network, never for scripts', async () => {
    const user = await hub.person()
    const cookiesAt = async (ip: string, host: string) => {
      const visitor = hub.guest({ ip, headers: { host } })
      const { headers } = await visitor.signIn(user.username, user.password)
      return [headers['set-cookie']].flat().map(String)
    }
    const local = await cookiesAt('127.0.0.1', 'localhost:3000')
    expect(local).toEqual([
      expect.stringMatching(
        /^__Host-hub=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^__Host-hub-known=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
    const network = await cookiesAt('192.168.1.9', '192.168.1.2:3000')
    expect(network).toEqual([
      expect.stringMatching(/^hub=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(
        /^hub-known=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ])
    // A name that a foreign machine sends does not make its connection private.
    expect((await cookiesAt('192.168.1.9', 'localhost'))[0]).toMatch(/^hub=/)
  })

  it('S18 signing in gives a new id, and the one before it ends', async () => {
    const user = await hub.person()
    const before = user.cookie()
    await user.signIn(user.username, user.password)
    expect(user.cookie()).not.toBe(before)
    const old = hub.guest({ headers: { cookie: before } })
    expect(await isIn(old)).toBe(false)
    expect(await isIn(user)).toBe(true)
    const planted = hub.guest({ headers: { cookie: 'hub=planted-by-somebody-else' } })
    await planted.signIn(user.username, user.password)
    expect(planted.cookie()).not.toContain('planted')
  })

  it('S18 logout, a ban, a new role and a new password end sessions at once', async () => {
    const leaving = await hub.person()
    const copy = hub.guest({ headers: { cookie: leaving.cookie() } })
    expect((await leaving.post('/api/user/logout')).status).toBe(200)
    expect(await isIn(copy)).toBe(false)

    for (const action of ['disable', 'promote', 'delete']) {
      const user = await hub.person()
      expect(
        (await hub.root.post('/api/user/manage', { username: user.username, action })).status,
      ).toBe(200)
      expect(await isIn(user), action).toBe(false)
    }
    const user = await hub.person()
    await hub.root.put('/api/user/', { id: user.id, password: 'a-new-password' })
    expect(await isIn(user)).toBe(false)
  })

  it('changing the own password ends the other sessions and keeps this one, under a new id', async () => {
    const user = await hub.person()
    const other = hub.guest()
    await other.signIn(user.username, user.password)
    const before = user.cookie()
    const change = { password: 'another-password', current_password: user.password }
    expect((await user.put('/api/user/self', change)).status).toBe(200)
    expect(await isIn(user)).toBe(true)
    expect(user.cookie()).not.toBe(before)
    expect(await isIn(other)).toBe(false)
  })
}

const expiryTests = () => {
  it('a session ends after 7 days without a request, and after 30 days in any case', async () => {
    const start = hub.clock.now
    const idle = await hub.person()
    const busy = await hub.person()
    for (let days = 1; days <= 29; days++) {
      hub.clock.now = start + days * day
      expect(await isIn(busy), `day ${days}`).toBe(true)
      if (days === 8) expect(await isIn(idle)).toBe(false)
    }
    hub.clock.now = start + 30 * day + 60_000
    expect(await isIn(busy)).toBe(false)
    hub.clock.now = start
  })

  it('a role is read anew for each request', async () => {
    const admin = await hub.person(10)
    expect((await admin.get('/api/user/')).status).toBe(200)
    await hub.app.db.updateTable('users').set({ role: 1 }).where('id', '=', admin.id).execute()
    expect((await admin.get('/api/user/')).status).toBe(403)
  })

  it('the database holds no session id, no access token and no password', async () => {
    const user = await hub.person()
    const id = /hub=([\w-]+)/.exec(user.cookie())![1]!
    const token = (await user.post('/api/user/token', { current_password: user.password })).body
      .data as string
    const rows = JSON.stringify([
      await hub.app.db.selectFrom('sessions').selectAll().execute(),
      await hub.app.db.selectFrom('users').selectAll().execute(),
      await hub.app.db.selectFrom('audit').selectAll().execute(),
    ])
    for (const secret of [id, token, user.password]) expect(rows).not.toContain(secret)
  })
}

onBothEngines('sessions', open => {
  beforeAll(async () => {
    hub = await open()
  })
  cookieTests()
  expiryTests()
})
