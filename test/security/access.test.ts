import { contract, type Endpoint, roles } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

type Row = { name: string; base: string; endpoint: Endpoint }
const rows: Row[] = Object.entries(contract).flatMap(([resource, { base, endpoints }]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([verb, endpoint]) => ({
    name: `${resource}.${verb}`,
    base,
    endpoint,
  })),
)
const least = { public: 0, optional: 0, user: roles.user, admin: roles.admin, root: roles.root }
/** These end the session that asks, or reach out to a vendor. */
const leaveAlone = new Set([
  'sign-in.logout',
  'sign-in.logoutByPost',
  'sign-in.login',
  'profile.createAccessToken',
])

describeEachEngine(engine => {
  let hub: TestHub
  let people: Record<'user' | 'admin', Person>
  beforeAll(async () => {
    hub = await startTestHub(engine)
    people = {
      user: await hub.admin.addPerson(1_000),
      admin: await hub.admin.addPerson(1_000, {}, { role: roles.admin }),
    }
  })
  afterAll(() => hub?.close())

  /** An id that does not exist, so that being let in changes nothing. */
  const call = ({ base, endpoint }: Row, session: object) => {
    const path = `${base}${endpoint.path}`.replace(/:\w+|\*\w+/g, '999999')
    const isRead = endpoint.method === 'GET'
    return callApi(
      hub.gateway,
      session,
      endpoint.method,
      path,
      isRead ? undefined : { not: 'valid' },
    )
  }

  it('S9 C1 every endpoint admits the roles of the contract, and no others', async () => {
    const wrong: string[] = []
    for (const row of rows.filter(each => !leaveAlone.has(each.name))) {
      const need = least[row.endpoint.access]
      const seats = [
        { who: 'nobody', role: 0, session: {} },
        { who: 'user', role: roles.user, session: { cookie: people.user.cookie } },
        { who: 'admin', role: roles.admin, session: { cookie: people.admin.cookie } },
      ]
      for (const { who, role, session } of seats) {
        const { status, code } = await call(row, session)
        const refused = status === 401 || (status === 403 && code === 'access.denied')
        if (refused !== role < need) wrong.push(`${row.name} answers ${who} with ${status} ${code}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('S26 C2 what belongs to one user does not exist for another', async () => {
    const [one, two] = [people.user, await hub.admin.addPerson(1_000)]
    const own = await callApi<{ data: { id: number }[] }>(
      hub.gateway,
      { cookie: one.cookie },
      'GET',
      '/api/token/',
    )
    const id = own.data.data[0]?.id
    expect(id).toBeGreaterThan(0)
    const tries: [string, string, unknown?][] = [
      ['GET', `/api/token/${id}`],
      ['PUT', '/api/token/', { id, name: 'mine now' }],
      ['POST', `/api/token/${id}/reveal`],
      ['DELETE', `/api/token/${id}`],
    ]
    for (const [method, path, body] of tries)
      for (const cookie of [two.cookie, people.admin.cookie]) {
        const reply = await callApi(
          hub.gateway,
          { cookie },
          method,
          path,
          body ?? (method === 'GET' ? undefined : {}),
        )
        expect([method, path, reply.status, reply.code]).toEqual([
          method,
          path,
          404,
          'resource.missing',
        ])
      }
    const logs = await callApi<{ data: { user_id: number }[] }>(
      hub.gateway,
      { cookie: two.cookie },
      'GET',
      '/api/log/self',
    )
    expect(logs.data.data.filter(each => each.user_id !== two.id)).toEqual([])
  })

  it('S25 C3 no write takes a field that is not its own', async () => {
    const before = await hub.admin.user(people.user.id)
    const everything = {
      id: 1,
      role: 100,
      status: 1,
      quota: 9e9,
      used_quota: 0,
      group: 'vip',
      aff_quota: 9e9,
      password_hash: 'x',
      access_token: 'x',
      created_time: 1,
    }
    await callApi(hub.gateway, { cookie: people.user.cookie }, 'PUT', '/api/user/self', {
      display_name: 'me',
      ...everything,
    })
    const after = await hub.admin.user(people.user.id)
    expect({ ...after, display_name: '', last_login_time: 0 }).toEqual({
      ...before,
      display_name: '',
      last_login_time: 0,
    })
  })

  it('S27 an administrator cannot change a user of the same or a higher role', async () => {
    const other = await hub.admin.addPerson(1_000, {}, { role: roles.admin })
    const cookie = people.admin.cookie
    for (const target of [1, other.id]) {
      const tries: [string, string, unknown][] = [
        ['PUT', '/api/user/', { id: target, display_name: 'x' }],
        ['PUT', '/api/user/', { id: target, password: 'another-password' }],
        ['POST', `/api/user/quota/${target}`, { quota: 5 }],
        ['DELETE', `/api/user/${target}`, {}],
      ]
      for (const [method, path, body] of tries) {
        const reply = await callApi(hub.gateway, { cookie }, method, path, body)
        expect([method, path, reply.status]).toEqual([method, path, 403])
      }
    }
    const promoted = await callApi(hub.gateway, { cookie }, 'PUT', '/api/user/', {
      id: people.user.id,
      role: 100,
    })
    expect(promoted.status).toBe(403)
  })

  it('S18 C4 C6 a ban, a demotion, a new password and a sign-out end what they should, at once', async () => {
    const self = (cookie: string) => callApi(hub.gateway, { cookie }, 'GET', '/api/user/self')
    const admin = await hub.admin.addPerson(0, {}, { role: roles.admin })
    expect((await callApi(hub.gateway, { cookie: admin.cookie }, 'GET', '/api/user/')).status).toBe(
      200,
    )
    await hub.admin.api('POST', '/api/user/manage', {
      username: admin.username,
      action: 'demote',
    })
    expect(
      (await callApi(hub.gateway, { cookie: admin.cookie }, 'GET', '/api/user/')).status,
    ).not.toBe(200)

    const banned = await hub.admin.addPerson(100_000)
    await hub.admin.api('POST', '/api/user/manage', {
      username: banned.username,
      action: 'disable',
    })
    expect((await self(banned.cookie)).status).toBe(401)
    const refused = await hub.ask({ key: banned.key, model: 'any:out=1' })
    expect(refused.status).toBe(401)

    const left = await hub.admin.addPerson(0)
    await callApi(hub.gateway, { cookie: left.cookie }, 'POST', '/api/user/logout', {})
    expect((await self(left.cookie)).status).toBe(401)

    const changed = await hub.admin.addPerson(0)
    const { cookie: second } = await hub.admin.signIn(changed.username, changed.password)
    await callApi(hub.gateway, { cookie: changed.cookie }, 'PUT', '/api/user/self', {
      password: 'quite-another-one',
      current_password: changed.password,
    })
    expect((await self(second)).status).toBe(401)
  })
})
