import { innermost, roles } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callApi, type Person } from '../harness/admin.ts'
import { change } from '../harness/ledger.ts'
import { describeOneEngineBeforeSoak } from '../harness/runner/describe-engines.ts'
import { addPasskey } from '../harness/sign-in/passkeys.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { accessTable, lowestRoles } from './access-table.ts'
import { allEndpoints, fieldsOf } from './contract-calls.ts'

type Row = (typeof accessTable)[number]
/** Their query has no default; their feature tests try them with rows of another user. */
const needQuery = [
  '/api/user/order/status',
  '/api/log/self/session_cache',
  ...['detail', 'document', 'file'].map(each => `/api/user/invoice/${each}`),
]

/** Makes an order at a gateway that needs no answer of its vendor. Returns its trade number. */
const placeOrder = async (hub: TestHub, { cookie }: Person): Promise<string> => {
  const root = { bearer: hub.gateway.accessToken }
  const config = { pay_domain: 'https://pay.example', partner_id: '1', key: 'a key' }
  const fields = { type: 'epay', name: 'pay', icon: 'pay', currency: 'CNY', config }
  const made = await callApi<{ uuid: string }>(hub.gateway, root, 'POST', '/api/payment/', fields)
  const order = { uuid: made.data.uuid, amount: 1 }
  const url = '/api/user/order'
  const placed = await callApi<{ trade_no: string }>(hub.gateway, { cookie }, 'POST', url, order)
  return placed.data.trade_no
}
/** Records a task that failed and was deleted. Returns its id. */
const addTask = async ({ gateway }: TestHub, { id: userId }: Person): Promise<number> => {
  const id = 77
  const columns = {
    ...{ id, public_id: 'task_77', platform: 'video', user_id: userId, token_id: 1, channel_id: 0 },
    ...{ credential: '', upstream_id: '', action: '', model: 'm', state: 'failed', progress: 0 },
    ...{ settlement: 'released', fail_reason: '', orphan: 0, quota: 0, price_id: 1 },
    ...{ receipt_draft: '{}', content_sealed: '', created_at: 1, started_at: 0, finished_at: 1 },
    ...{ deadline: 1, attempts: 0, deleted_at: 1 },
  }
  const values = Object.values(columns).map(each => (typeof each === 'number' ? each : `'${each}'`))
  const names = Object.keys(columns).join(', ')
  await change(gateway, `insert into tasks (${names}) values (${values.join(', ')})`)
  return id
}
const isLogout = ([, path]: Row) => path === '/api/user/logout'

describeOneEngineBeforeSoak(engine => {
  let hub: TestHub
  let people: Record<'user' | 'other' | 'admin', Person>
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('UserInvoiceMonth', 'true')
    people = {
      user: await hub.admin.addPerson(1_000_000),
      other: await hub.admin.addPerson(1_000_000),
      admin: await hub.admin.addPerson(1_000_000, {}, { role: roles.admin }),
    }
  })
  afterAll(() => hub?.close())

  /** An id that does not exist, so that an admitted call changes nothing. */
  const call = ([method, path]: Row, session: object) => {
    const body = method === 'GET' ? undefined : { not: 'valid' }
    return callApi(hub.gateway, session, method, path.replace(/:\w+|\*\w+/g, '999999'), body)
  }

  const firstId = async ({ cookie }: Person, path: string) => {
    const list = await callApi<{ data: { id: number }[] }>(hub.gateway, { cookie }, 'GET', path)
    expect([path, list.data.data[0]?.id]).toEqual([path, expect.any(Number)])
    return list.data.data[0]!.id
  }

  /** Every answer about the caller's own rows, by path. */
  const ownAnswers = async ({ cookie }: Person) => {
    const answers: Record<string, string> = {}
    for (const [method, path, , rows] of accessTable)
      if (method === 'GET' && rows === 'own' && !path.includes(':') && !needQuery.includes(path)) {
        const response = await callApi(hub.gateway, { cookie }, method, path)
        expect([path, response.status]).toEqual([path, 200])
        // A file is no JSON, and its text is in `message`.
        const answer = JSON.stringify(response.data ?? response.message)
        answers[path] = answer.replace(/"last_seen_at":\d+/g, '')
      }
    return answers
  }

  it('S9 C1 the access table has every endpoint of the contract, and no others', () => {
    const offered = allEndpoints.map(
      ({ base, endpoint }) => `${endpoint.method} ${base}${endpoint.path}`,
    )
    expect(accessTable.map(([method, path]) => `${method} ${path}`).sort()).toEqual(offered.sort())
  })

  it('S9 C1 every endpoint admits the roles of the access table, and no others', async () => {
    const leaving = await hub.admin.signIn(people.user.username, people.user.password)
    const { user, admin } = people
    const seats = [
      { role: 'visitor', session: {} },
      { role: 'user', session: { cookie: user.cookie } },
      { role: 'administrator', session: { cookie: admin.cookie } },
      { role: 'root', session: { bearer: hub.gateway.accessToken } },
    ] as const
    const wrong: string[] = []
    for (const row of accessTable)
      for (const { role, session } of seats) {
        const ending = role === 'visitor' ? session : { cookie: leaving.cookie }
        const { status, code } = await call(row, isLogout(row) ? ending : session)
        const isRefused = status === 401 || (status === 403 && code === 'access.denied')
        if (isRefused !== lowestRoles[role] < lowestRoles[row[2]])
          wrong.push(`${row[0]} ${row[1]} answers ${role} with ${status} ${code}`)
      }
    expect(wrong).toEqual([])
  })

  it('C31 every field of every write refuses a value of another type', async () => {
    const accepted: string[] = []
    for (const { name, base, endpoint } of allEndpoints)
      for (const [field, schema] of fieldsOf(endpoint)) {
        const { method, path } = endpoint
        if (method === 'GET' || new RegExp(`[:*]${field}\\b`).test(path)) continue
        const url = `${base}${path}`.replace(/:\w+|\*\w+/g, '999999')
        const root = { bearer: hub.gateway.accessToken }
        // A number or a boolean as a text is another type too.
        const kind = innermost(schema)
        const isTextAlike = kind instanceof z.ZodNumber || kind instanceof z.ZodBoolean
        for (const value of [[[Number.MAX_VALUE]], ...(isTextAlike ? ['1'] : [])]) {
          const body = { [field]: value }
          const { status, code, message } = await callApi(hub.gateway, root, method, url, body)
          // Required fields are missing too: the refusal must name this one.
          if (status !== 400 || code !== 'request.invalid' || !message.includes(`\`${field}`))
            accepted.push(`${name} ${field} ${value}: ${status} ${code} ${message}`)
        }
      }
    expect(accepted).toEqual([])
  })

  it('S26 C2 an id of another user is 404 at every endpoint with rows of the caller', async () => {
    const id = await firstId(people.user, '/api/token/')
    await hub.ask({ key: people.user.key, model: 'any:out=1' })
    await hub.settled()
    const log = await firstId(people.user, '/api/log/self?log_type=2')
    const user = { cookie: people.user.cookie }
    const sessions = await callApi<{ id: string }[]>(hub.gateway, user, 'GET', '/api/user/sessions')
    const hook = { url: 'http://127.0.0.1:1/', secret: 'made-up-secret-16' }
    const target = { name: 'hook', type: 'webhook', config: hook }
    const targets = '/api/user/notification/'
    const made = await callApi<{ id: number }>(hub.gateway, user, 'POST', targets, target)
    const ids: Record<string, number | string> = {
      [`${targets}:id`]: made.data.id,
      [`${targets}:id/test`]: made.data.id,
      [`${targets}delivery/:id/resend`]: 1,
      '/api/token/:id': id,
      '/api/token/:id/reveal': id,
      '/api/log/:id': log,
      '/api/log/:id/receipt': log,
      '/api/log/:id/cache': log,
      '/api/task/:id/cancel': await addTask(hub, people.user),
      '/api/user/order/:trade_no': await placeOrder(hub, people.user),
      '/api/user/sessions/:session': sessions.data[0]!.id,
      '/api/user/passkey/:id': (await addPasskey(hub.gateway, people.user)).id,
    }
    const withId = accessTable.filter(([, path, , rows]) => rows === 'own' && path.includes(':'))
    expect([...new Set(withId.map(([, path]) => path))].sort()).toEqual(Object.keys(ids).sort())
    const tries: [string, string, object?][] = [
      ...withId.map(([method, path]): [string, string, object?] => [
        method,
        path.replace(/:\w+/, String(ids[path])),
        method === 'GET' ? undefined : {},
      ]),
      ['PUT', '/api/token/', { id, name: 'mine now' }],
      ['PUT', targets, { id: made.data.id, name: 'mine now' }],
      ['PUT', '/api/user/passkey/', { id: ids['/api/user/passkey/:id'], name: 'mine now' }],
      ['GET', `/api/user/order/status?trade_no=${ids['/api/user/order/:trade_no']}`],
    ]
    for (const [method, path, body] of tries)
      for (const { cookie } of [people.other, people.admin]) {
        // Administrators read every log row and its receipt, and cancel every task.
        if (/\/(log|task)\//.test(path) && cookie === people.admin.cookie) continue
        const { status, code } = await callApi(hub.gateway, { cookie }, method, path, body)
        expect([method, path, status, code]).toEqual([method, path, 404, 'resource.missing'])
      }
  })

  it('S26 C2 no list and no figure of a user contains rows of another', async () => {
    const model = 'any:out=2'
    const { user, other } = people
    const before = await ownAnswers(other)
    await hub.admin.api('POST', `/api/user/quota/${user.id}`, { quota: 5 })
    await callApi(hub.gateway, { cookie: user.cookie }, 'POST', '/api/token/', { name: model })
    await callApi(hub.gateway, { cookie: user.cookie }, 'GET', '/api/user/aff')
    expect((await hub.ask({ key: user.key, model })).complete).toBe(true)
    await hub.settled()
    const theirs = await ownAnswers(user)
    const after = await ownAnswers(other)
    expect(after).toEqual(before)
    const shown = Object.entries(theirs).filter(([, text]) => text.includes(model))
    expect(shown.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        ...['/api/token/', '/api/log/self', '/api/log/self/models', '/api/log/self/export'],
      ]),
    )
    for (const path of ['/api/user/self', '/api/log/self/stat', '/api/user/dashboard'])
      expect([path, theirs[path] !== after[path]]).toEqual([path, true])
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
    for (const [name, value] of Object.entries(everything)) {
      const body = { display_name: 'me', [name]: value }
      const session = { cookie: people.user.cookie }
      const refused = await callApi(hub.gateway, session, 'PUT', '/api/user/self', body)
      expect([name, refused.status]).toEqual([name, 422])
    }
    const after = await hub.admin.user(people.user.id)
    expect({ ...after, last_login_time: 0 }).toEqual({ ...before, last_login_time: 0 })
  })

  it('S27 an administrator cannot change a user of the same or a higher role', async () => {
    const other = await hub.admin.addPerson(1_000, {}, { role: roles.admin })
    const { admin, user } = people
    const tokenIdOf = async (userId: number) => {
      const path = `/api/token/admin/search?user_id=${userId}`
      return (await hub.admin.api<{ data: { id: number }[] }>('GET', path)).data[0]?.id ?? 0
    }
    await hub.admin.api('POST', '/api/token/', { name: 'of root' })
    const fieldsFor: Record<string, (id: number, username: string, tokenId: number) => object> = {
      'PUT /api/token/admin': (_, __, id) => ({ id, name: 'taken' }),
      'DELETE /api/token/admin/:id': () => ({}),
      'POST /api/user/': () => ({ username: 'climber', password: 'a-new-password', role: 10 }),
      'PUT /api/user/': id => ({ id, display_name: 'x' }),
      'POST /api/user/manage': (_, username) => ({ username, action: 'disable' }),
      'POST /api/user/quota/:id': () => ({ quota: 5 }),
      'DELETE /api/user/:id': () => ({}),
      'DELETE /api/user/:id/sessions': () => ({}),
      'DELETE /api/user/:id/sessions/:session': () => ({}),
      'POST /api/user/:id/reset_2fa': () => ({}),
      'POST /api/invitation/:id/give': () => ({ remark: 'x' }),
      'POST /api/invitation/:id/withhold': () => ({ remark: 'x' }),
    }
    const invitedBy = async (inviter: { cookie?: string; username: string }) => {
      const session = inviter.cookie === undefined ? undefined : { cookie: inviter.cookie }
      const code = session
        ? (await callApi(hub.gateway, session, 'GET', '/api/user/aff')).data
        : await hub.admin.api<string>('GET', '/api/user/aff')
      const username = `by-${inviter.username}`.slice(0, 12)
      const account = { username, password: 'a-long-password', aff_code: code }
      await callApi(hub.gateway, {}, 'POST', '/api/user/register', account)
      const { data } = await hub.admin.api<{ data: { user_id: number; username: string }[] }>(
        'GET',
        '/api/invitation/',
      )
      return data.find(each => each.username === username)!.user_id
    }
    const lower = accessTable.filter(([, , , rows]) => rows === 'lower')
    const writes = lower.filter(([method]) => method !== 'GET').map(row => `${row[0]} ${row[1]}`)
    expect(writes.sort()).toEqual(Object.keys(fieldsFor).sort())
    for (const target of [{ id: 1, username: 'root' }, other, admin]) {
      const tokenId = await tokenIdOf(target.id)
      const invitedId = await invitedBy(target)
      const idOf = (path: string) => {
        if (path.startsWith('/api/invitation/')) return invitedId
        return path.startsWith('/api/token/') ? tokenId : target.id
      }
      for (const [method, path] of lower) {
        const url = path.replace(':id', String(idOf(path))).replace(':session', '0'.repeat(32))
        const body = fieldsFor[`${method} ${path}`]?.(target.id, target.username, tokenId)
        const response = await callApi(hub.gateway, { cookie: admin.cookie }, method, url, body)
        expect([method, path, response.code]).toEqual([method, path, 'user.rank'])
      }
    }
    const cookie = admin.cookie
    for (const change of [
      { password: 'another-password' },
      { avatar_url: 'https://a.example/x' },
    ]) {
      const body = { id: other.id, ...change }
      expect((await callApi(hub.gateway, { cookie }, 'PUT', '/api/user/', body)).status).toBe(403)
    }
    const promoted = await callApi(hub.gateway, { cookie }, 'PUT', '/api/user/', {
      id: user.id,
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
    expect((await self(admin.cookie)).status).toBe(401)
    const renewed = await hub.admin.signIn(admin.username, admin.password)
    await hub.admin.api('PUT', '/api/user/', { id: admin.id, role: roles.admin })
    expect((await self(renewed.cookie)).status).toBe(401)

    const banned = await hub.admin.addPerson(100_000)
    const password = { current_password: banned.password }
    const made = await callApi<string>(hub.gateway, banned, 'POST', '/api/user/token', password)
    const statusByToken = async () =>
      (await callApi(hub.gateway, { bearer: made.data }, 'GET', '/api/user/self')).status
    expect(await statusByToken()).toBe(200)
    await hub.admin.api('POST', '/api/user/manage', {
      username: banned.username,
      action: 'disable',
    })
    expect((await self(banned.cookie)).status).toBe(401)
    expect(await statusByToken()).toBe(401)
    const refused = await hub.ask({ key: banned.key, model: 'any:out=1' })
    expect(refused.status).toBe(401)
    await hub.admin.api('POST', '/api/user/manage', { username: banned.username, action: 'enable' })
    expect((await self(banned.cookie)).status, 'the session ended with the ban').toBe(401)

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
