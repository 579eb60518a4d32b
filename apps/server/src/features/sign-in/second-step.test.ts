import { contract, SignInResult } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestClient } from '../../../test/harness.ts'
import { makeAuthenticator } from '../../../test/sign-in/software-authenticator.ts'
import { issueToken } from '../../core/sign-in/one-time-codes.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
const origin = 'https://hub.example'

type Person = Awaited<ReturnType<TestApp['person']>>
type Way = {
  /** Endpoints that answer with a sign-in. */
  endpoints: string[]
  /** Sets up the first factor, before the second is enabled. Returns the first step of a sign-in in a new browser. */
  prepare: (user: Person) => Promise<(guest: TestClient) => Promise<unknown>>
  /** The first step is two factors in one. */
  isComplete?: true
}

const proofOf = ({ password }: Person) => ({ current_password: password })

const passkey = async (user: Person, verifiesUser: boolean) => {
  const authenticator = makeAuthenticator({ origin, verifiesUser })
  const begin = await user.post('/api/user/passkey/register/begin', proofOf(user))
  const credential = authenticator.create(begin.body.data)
  await user.post('/api/user/passkey/register/finish', { name: 'Key', credential })
  return async (guest: TestClient) => {
    const { data } = (await guest.post('/api/user/passkey/login/begin', {})).body
    await guest.post('/api/user/passkey/login/finish', { credential: authenticator.get(data) })
  }
}

/** Every way to sign in by a first factor. */
const ways: Record<string, Way> = {
  password: {
    endpoints: ['sign-in.login'],
    prepare: async user => guest => guest.signIn(user.username, user.password),
  },
  'a link to choose a new password': {
    endpoints: ['sign-in.login'],
    prepare: async user => async guest => {
      const payload = { userId: user.id }
      const token = await issueToken(hub.app, hub.app.db, 'reset-password', payload, 60)
      const password = 'another-password'
      const reset = await guest.post('/api/user/reset', { token, password })
      expect([reset.status, reset.headers['set-cookie']]).toEqual([200, undefined])
      await guest.signIn(user.username, password)
    },
  },
  'a passkey with user verification': {
    endpoints: ['passkeys.finishLogin'],
    prepare: user => passkey(user, true),
    isComplete: true,
  },
  'a passkey without user verification': {
    endpoints: ['passkeys.finishLogin'],
    prepare: user => passkey(user, false),
  },
}

const enableTotp = async (user: Person): Promise<string> => {
  const { secret } = (await user.post('/api/user/2fa/setup', proofOf(user))).body.data
  await user.post('/api/user/2fa/enable', { code: nextCode(secret) })
  return secret
}
const nextCode = (secret: string) => {
  hub.clock.now += 30_000
  return codeAtStep(secret, stepAt(Math.floor(hub.clock.now / 1000)))
}
const isIn = async (guest: TestClient) => (await guest.get('/api/user/self')).status === 200

const names = Object.keys(ways)
const incomplete = names.filter(name => !ways[name]!.isComplete)
const complete = names.filter(name => ways[name]!.isComplete)

/** Runs the first step in a new browser, for a user with or without a second factor. */
const signInBy = async (name: string, { hasTotp }: { hasTotp: boolean }) => {
  const user = await hub.person()
  const signIn = await ways[name]!.prepare(user)
  if (hasTotp) await enableTotp(user)
  const guest = hub.guest()
  await signIn(guest)
  return guest
}

const matrixTests = () => {
  it.each(names)('%s signs in at once without a second factor', async name => {
    expect(await isIn(await signInBy(name, { hasTotp: false }))).toBe(true)
  })

  it.each(incomplete)('S21 C19 %s gives no session before the second step', async name => {
    const guest = await signInBy(name, { hasTotp: true })
    expect(await isIn(guest)).toBe(false)
    expect(guest.cookie()).not.toContain('hub=')
  })

  it.each(complete)('%s is two factors in one', async name => {
    expect(await isIn(await signInBy(name, { hasTotp: true }))).toBe(true)
  })
}

const otherTests = () => {
  it('S21 C19 an access token is made with the second factor only', async () => {
    const user = await hub.person()
    const secret = await enableTotp(user)
    const refused = await user.post('/api/user/token', proofOf(user))
    expect(refused.body.code).toBe('second_factor.needed')
    const made = await user.post('/api/user/token', { ...proofOf(user), code: nextCode(secret) })
    const headers = { authorization: made.body.data }
    expect(await isIn(hub.guest({ headers }))).toBe(true)
    expect(made.headers['set-cookie']).toBeUndefined()
  })

  it('every endpoint that answers with a sign-in is in the table of ways', () => {
    const found = Object.entries(contract).flatMap(([resource, { endpoints }]) =>
      Object.entries(endpoints)
        .filter(([, endpoint]) => endpoint.reply === SignInResult)
        .map(([action]) => `${resource}.${action}`),
    )
    const known = Object.values(ways).flatMap(each => each.endpoints)
    // Sign-ins by third parties have their own rows in the tests of `features/oauth`.
    const others = ['sign-in.secondStep', 'oauth.loginByWeChat']
    expect(found.toSorted()).toEqual([...new Set([...known, ...others])].toSorted())
  })
}

onBothEngines('second step', open => {
  beforeAll(async () => {
    hub = await open()
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: origin })
  })
  matrixTests()
  otherTests()
})
