import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type ServiceName,
  startNotifierServices,
} from '../../../../../test/harness/notifiers/start.ts'
import {
  onBothEnginesInLongRuns,
  onOneEngine,
  type TestApp,
  type TestUser,
} from '../../../test/harness.ts'
import { emit } from '../../core/notifications/emit.ts'
import remindOfQuota from '../../jobs/remind-of-quota.ts'
import { deliverDue } from '../../notifications/deliver.ts'
import { reportUnusualSpend } from '../operations/unusual-spend.ts'

const own = '/api/user/notification/'
let hub: TestApp
let services: Awaited<ReturnType<typeof startNotifierServices>>
const open = async (openApp: (more?: Record<string, string>) => Promise<TestApp>, more = {}) => {
  services = await startNotifierServices(() => hub.clock.now)
  // The port of the fake is allowed, so that only its address decides.
  const { port } = new URL(services.config('webhook').url!)
  hub = await openApp({ LANGUAGE: 'en_US', FETCH_PORTS: `80,22,${port}`, ...more })
  await hub.root.put('/api/option/', { key: 'ServerAddress', value: 'https://hub.example' })
}
const addHook = (person: TestUser, events: readonly string[]) =>
  person.post(own, { name: 'hook', type: 'webhook', config: services.config('webhook'), events })
/** The events that arrived since the last call, by their titles. */
const arrived = async () => {
  await deliverDue(hub.app)
  return services.accepted.webhook.splice(0).map(text => text.split('\n')[0])
}

/** https://owasp.org/www-community/attacks/Server_Side_Request_Forgery and the forms that hide an address. */
const privateHosts = [
  ...['127.0.0.1', 'localhost', '0.0.0.0', '2130706433', '0x7f000001', '017700000001', '127.1'],
  ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
  ...['169.254.169.254', '100.64.0.1', '[fd00::1]', '[fe80::1]', '１２７.0.0.1', '127.0.0.1.'],
]

/** The port of the fake for each service, and two further ports for the webhook. */
const originsOf = (host: string, port: string, type: ServiceName) =>
  ['', `:${port}`, ':22']
    .filter(each => type === 'webhook' || each === `:${port}`)
    .map(each => `http://${host}${each}`)

onOneEngine('addresses of users', openApp => {
  let user: TestUser
  beforeAll(async () => {
    await open(openApp)
    user = await hub.person(1)
  })
  afterAll(() => services?.close())

  it('S4 no address of a user reaches a private address, in any form and by any service', async () => {
    const { port } = new URL(services.config('webhook').url!)
    const addresses = (type: ServiceName, origin: string) =>
      Object.fromEntries(
        Object.entries(services.config(type)).map(([name, value]) => [
          name,
          value.startsWith('http') ? value.replace(/^http:\/\/[^/]+/, origin) : value,
        ]),
      )
    const types = services.names.filter(each => each !== 'email')
    for (const host of privateHosts)
      for (const type of types)
        for (const origin of originsOf(host, port, type)) {
          const config = addresses(type, origin)
          const made = await user.post(own, { name: 'hook', type, config, events: ['balance.low'] })
          // A text that is no address at all is refused at once.
          if (made.status !== 200) {
            expect(made.body.code).toMatch(/^(notification\.config|request\.)/)
            continue
          }
          await emit(hub.app, hub.app.db, {
            ...{ event: 'balance.low', key: `${type}:${origin}`, userIds: [user.id] },
            facts: { points: 1, usd: '0.00' },
          })
          await deliverDue(hub.app)
          const rows = hub.app.db.selectFrom('notifications').select(['state', 'failure'])
          const row = await rows.executeTakeFirst()
          expect([origin, row?.state]).toEqual([origin, 'failed'])
          expect(row?.failure).toContain('not allowed')
          await user.delete(`${own}${made.body.data.id}`)
        }
    expect(services.requests()).toBe(0)
  })

  it('an administrator may use a private address, unless the setting forbids it', async () => {
    const config = services.config('webhook')
    const made = await hub.root.post('/api/notification/', {
      name: 'hook',
      type: 'webhook',
      config,
    })
    const test = () => hub.root.post(`/api/notification/${made.body.data.id}/test`)
    expect((await test()).body.data.state).toBe('sent')
    await hub.root.put('/api/option/', { key: 'PrivateAddressesAllowed', value: 'false' })
    expect((await test()).body.data).toMatchObject({ state: 'failed', attempts: 1 })
    expect(services.requests()).toBe(1)
  })

  it('secrets are never sent back, stay if empty, and go to no other address', async () => {
    const { url, secret } = services.config('webhook')
    const made = await addHook(user, [])
    expect(made.body.data).toMatchObject({ config: { url }, secrets_set: ['secret'] })
    expect(made.text).not.toContain(secret)
    const { id } = made.body.data
    const renamed = await user.put(own, { id, name: 'mine', config: { url, secret: '' } })
    expect(renamed.body.data).toMatchObject({ name: 'mine', secrets_set: ['secret'] })
    const moved = await user.put(own, { id, config: { url: 'https://evil.example/' } })
    expect(moved.body.code).toBe('notification.secrets_needed')
    const mail = { name: 'mail', type: 'email', config: { address: 'other@example.com' } }
    expect((await user.post(own, mail)).body.code).toBe('notification.config')
    const unknown = { name: 'x', type: 'webhook', config: { url, secret, color: 'red' } }
    expect((await user.post(own, unknown)).status).toBe(422)
  })
})

onBothEnginesInLongRuns('the events of an account', openApp => {
  let user: TestUser
  beforeAll(async () => {
    // The fake listens on a loopback address, which only the environment may allow.
    await open(openApp, { FETCH_PRIVATE_RANGES: '127.0.0.0/8' })
    user = await hub.person(1, { quota: 5000 })
    const events = ['balance.low', 'sign_in.new_device', 'credential.changed', 'spend.unusual']
    const { status, text } = await addHook(user, events)
    if (status !== 200) throw new TypeError(text)
  })
  afterAll(() => services?.close())

  it('a sign-in from another browser is notified once, and one from a known browser never', async () => {
    const visitor = hub.guest()
    await visitor.signIn(user.username, user.password)
    expect(await arrived()).toEqual(['One Hub: Sign-in from a new device'])
    await visitor.signIn(user.username, user.password)
    expect(await arrived()).toEqual([])
  })

  it('a changed credential is notified at once, also with a digest and in quiet hours', async () => {
    const [{ id }] = (await user.get(own)).body.data.data
    const schedule = { digest: 'daily', quiet_from: '00:00', quiet_to: '23:59' }
    await user.put(own, { id, ...schedule })
    await user.post('/api/user/token', { current_password: user.password })
    expect(await arrived()).toEqual(['One Hub: Your account: new access token created'])
    await hub.guest().signIn(user.username, user.password)
    expect(await arrived()).toEqual(['One Hub: Sign-in from a new device'])
    await user.put(own, { id, digest: 'none', quiet_from: '', quiet_to: '' })
  })

  it('the own threshold decides when the balance is low, and 0 means never', async () => {
    await user.put(`${own}reminder`, { threshold: 3000 })
    const spend = (points: number) =>
      hub.app.db
        .updateTable('accounts')
        .set(eb => ({ balance: eb('balance', '-', points), used: eb('used', '+', points) }))
        .where('user_id', '=', user.id)
        .execute()
    await spend(2001)
    await remindOfQuota.run(hub.app)
    await remindOfQuota.run(hub.app)
    expect(await arrived()).toEqual(['One Hub: Your quota is running low'])
    await user.put(`${own}reminder`, { threshold: 0 })
    await spend(2999)
    await remindOfQuota.run(hub.app)
    expect(await arrived()).toEqual([])
  })

  it('a day far above the median is notified once, and an ordinary day never', async () => {
    const day = Math.ceil(hub.clock.now / 86_400_000) * 86_400
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    hub.clock.now = (day + 43_200) * 1000
    const none = {
      requests: 1,
      failed: 0,
      charged_failures: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
    }
    const row = (span: number, at: number, quota: number) => ({
      ...{ kind: 'user', key: String(user.id), span, at, quota },
      ...none,
    })
    const add = (rows: ReturnType<typeof row>[]) =>
      hub.app.db.insertInto('usage_sums').values(rows).execute()
    await add([1, 2, 3, 4].map(n => row(86_400, day - n * 86_400, 400_000)))
    await add([row(900, day, 1_900_000)])
    await reportUnusualSpend(hub.app)
    expect(await arrived()).toEqual([])
    await add([row(900, day + 900, 200_000)])
    await reportUnusualSpend(hub.app)
    await reportUnusualSpend(hub.app)
    expect(await arrived()).toEqual([`One Hub: Unusual spend of ${user.username}`])
  })
})
