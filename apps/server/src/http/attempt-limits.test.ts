import { type AddressLimit, contract, defaultSettings, type Endpoint, Fault } from '@hub/contract'
import { beforeEach, expect, it } from 'vitest'
import { onBothEngines, onOneEngine, type TestApp } from '../../test/harness.ts'
import { limitAddressFailures } from '../core/attempt-limits.ts'

const kinds: Record<AddressLimit, string> = {
  failures: `oauth.callback oauth.loginByWeChat oauth.bindWeChat passkeys.finishVerification profile.changeEmail
    profile.redeem second-factor.enable sign-in.login sign-in.resetPassword sign-in.secondStep`,
  starts: `oauth.state oauth.endpoint oauth.bind oauth.beginWeChat passkeys.beginLogin telegram.link`,
  messages: `notifications.test own-notifications.test sign-in.sendResetLink sign-in.sendVerification`,
  registrations: 'sign-in.register',
}

it('each endpoint that is limited per address has a kind', () => {
  const found = Object.entries(contract).flatMap(([resource, { endpoints }]) =>
    Object.entries(endpoints as Record<string, Endpoint>).flatMap(([name, { limit }]) =>
      limit ? [`${limit} ${resource}.${name}`] : [],
    ),
  )
  const listed = Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(/\s+/).map(name => `${kind} ${name}`),
  )
  expect(found.toSorted()).toEqual(listed.toSorted())
})

onBothEngines('failures of an address', open => {
  let hub: TestApp
  beforeEach(async () => {
    hub ??= await open()
  })
  const { FailuresPerAddressMax: max } = defaultSettings().signInLimits

  it('S53 an office of many people behind one address signs in, and mistypes sometimes', async () => {
    const [ip, user] = ['203.0.113.1', await hub.person()]
    const signIn = async (password: string) =>
      (await hub.guest({ ip }).signIn(user.username, password)).status
    // The limit of the account is cleared by each success.
    for (let n = 0; n < 120; n++) {
      if (n % 10 === 0) expect(await signIn('mistyped')).toBe(400)
      expect([n, await signIn(user.password)]).toEqual([n, 200])
    }
  })

  it('S53 more people than failures are allowed sign in behind one address at the same moment', async () => {
    const ip = '203.0.113.9'
    const people = await Promise.all(Array.from({ length: max + 5 }, () => hub.person()))
    const signIns = people.map(({ username, password }) =>
      hub.guest({ ip }).signIn(username, password),
    )
    expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual(people.map(() => 200))
  })

  it('S53 C15 passwords sprayed from one address are bounded, also between sign-ins that succeed', async () => {
    const [ip, user] = ['203.0.113.2', await hub.person()]
    const codes: (string | undefined)[] = []
    for (let n = 0; n < max + 2; n++) {
      codes.push((await hub.guest({ ip }).signIn(`name-${n}`, 'Summer2031!')).body.code)
      if (n % 5 === 0) await hub.guest({ ip }).signIn(user.username, user.password)
    }
    expect(codes.slice(0, max)).toEqual(Array(max).fill('sign_in.refused'))
    expect(codes.slice(max)).toEqual(['rate.critical', 'rate.critical'])
    const refused = await hub.guest({ ip }).signIn(user.username, user.password)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(1_200)
    const elsewhere = await hub.guest().signIn(user.username, user.password)
    expect(elsewhere.status).toBe(200)
  })

  it('S53 parallel guesses get no more tries than guesses one after the other', async () => {
    const ip = '203.0.113.3'
    const answers = await Promise.all(
      Array.from({ length: max + 10 }, (_, n) => hub.guest({ ip }).signIn(`many-${n}`, 'wrong')),
    )
    const refused = answers.filter(({ body }) => body.code === 'sign_in.refused')
    expect(refused.length).toBeLessThanOrEqual(max)
  })

  it('invalid input is not counted, because nothing is guessed with it', async () => {
    const guest = hub.guest({ ip: '203.0.113.4' })
    for (let n = 0; n < max + 5; n++)
      expect((await guest.post('/api/user/login', { username: 'x' })).body.code).toBe(
        'request.invalid',
      )
    expect((await guest.signIn('nobody', 'wrong')).body.code).toBe('sign_in.refused')
  })
})

onOneEngine('limits per address', open => {
  let hub: TestApp
  beforeEach(async () => {
    hub ??= await open()
  })
  const set = (key: string, value: number) =>
    hub.root.put('/api/option/', { key, value: String(value) })

  it('count every call that sends a message, and neither these nor failures keep others from a sign-in', async () => {
    const user = await hub.person()
    const guest = hub.guest({ ip: '203.0.113.5' })
    await set('MessagesPerAddressMax', 3)
    const codes: string[] = []
    for (let n = 0; n < 4; n++)
      codes.push((await guest.post('/api/reset_password', { email: `${n}@example.com` })).body.code)
    expect(codes[2]).not.toBe('rate.critical')
    expect(codes[3]).toBe('rate.critical')
    expect((await guest.signIn(user.username, user.password)).status).toBe(200)
  })

  it('count every registration, whether it succeeds or not', async () => {
    await set('RegistrationsPerAddressMax', 2)
    const guest = hub.guest({ ip: '203.0.113.6' })
    const register = async (username: string) =>
      (await guest.post('/api/user/register', { username, password: 'a-good-password' })).body.code
    expect(await register('first-name')).toBeUndefined()
    expect(await register('first-name')).toBe('resource.exists')
    expect(await register('second-name')).toBe('rate.critical')
  })

  it('count what begins a sign-in at a provider apart from failures', async () => {
    await set('StartsPerAddressMax', 20)
    const guest = hub.guest({ ip: '203.0.113.7' })
    const begin = async () => (await guest.post('/api/user/passkey/login/begin', {})).body.code
    for (let n = 0; n < 20; n++) expect(await begin()).not.toBe('rate.critical')
    expect(await begin()).toBe('rate.critical')
    expect((await guest.signIn('nobody', 'wrong')).body.code).toBe('sign_in.refused')
  })

  it('are settings, per account too', async () => {
    const user = await hub.person()
    await set('FailuresPerAccountMax', 3)
    const guest = hub.guest()
    const signIn = async () => (await guest.signIn(user.username, 'wrong')).body.code
    expect([await signIn(), await signIn(), await signIn(), await signIn()]).toEqual([
      ...Array(3).fill('sign_in.refused'),
      'sign_in.locked',
    ])
    await set('FailuresPerAccountMax', 4)
    expect(
      (await hub.root.put('/api/option/', { key: 'FailuresPerAccountMax', value: '101' })).body
        .code,
    ).toBe('setting.invalid')
  })

  it('count wrong codes, but not the question for a second factor and no failure of ours', async () => {
    await set('FailuresPerAddressMax', 5)
    const ip = '203.0.113.8'
    const fail = (fault: Fault) =>
      limitAddressFailures(hub.app, ip, () => Promise.reject(fault)).catch(() => undefined)
    for (let n = 0; n < 6; n++) {
      await fail(new Fault('second_factor.needed'))
      await fail(new Fault('server.failed'))
    }
    const user = await hub.person()
    const headers = { cookie: user.cookie(), origin: 'http://hub.example' }
    const guest = hub.guest({ ip, headers })
    const codes: string[] = []
    for (let n = 0; n < 6; n++)
      codes.push((await guest.post('/api/user/2fa/enable', { code: '000000' })).body.code)
    expect(codes[4]).not.toBe('rate.critical')
    expect(codes[5]).toBe('rate.critical')
  })
})
