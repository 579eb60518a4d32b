import { contract, SignInResult } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeGitHubUser } from '../../../../../test/harness/sign-in/fake-github.ts'
import { startFakeWeChat } from '../../../../../test/harness/sign-in/fake-wechat.ts'
import { oidcApp } from '../../../../../test/harness/sign-in/oidc-server.ts'
import { onBothEnginesInLongRuns, type TestApp, type TestClient } from '../../../test/harness.ts'
import { makeAuthenticator } from '../../../test/sign-in/software-authenticator.ts'
import { finish, signInWith, startThirdParties, visit } from '../../../test/sign-in/third-party.ts'
import { issueToken } from '../../core/sign-in/one-time-codes.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
let third: Awaited<ReturnType<typeof startThirdParties>>
let wechat: Awaited<ReturnType<typeof startFakeWeChat>>
let accounts = 0
const origin = 'http://localhost:3000'

type Person = Awaited<ReturnType<TestApp['person']>>
/** The first step in a new browser; returns the answer to it. */
type SignIn = (guest: TestClient) => Promise<{ body: { data?: unknown } }>
type Way = {
  /** Endpoints that answer with a sign-in. */
  endpoints: string[]
  /** Sets up the first factor, before the second is enabled. */
  prepare: (user: Person) => Promise<SignIn>
  /** The first step is two factors in one. */
  isComplete?: true
}

const proofOf = ({ password }: Person) => ({ current_password: password })

const passkey = async (user: Person, verifiesUser: boolean): Promise<SignIn> => {
  const authenticator = makeAuthenticator({ origin, verifiesUser })
  const begin = await user.post('/api/user/passkey/register/begin', proofOf(user))
  const credential = authenticator.create(begin.body.data)
  await user.post('/api/user/passkey/register/finish', { name: 'Key', credential })
  return async guest => {
    const { data } = (await guest.post('/api/user/passkey/login/begin', {})).body
    return guest.post('/api/user/passkey/login/finish', { credential: authenticator.get(data) })
  }
}

/** Binds an account of its own at a provider. */
const thirdParty = (id: string): Way => ({
  endpoints: ['oauth.callback'],
  prepare: async user => {
    accounts += 1
    const account = accounts
    const become = () => {
      third.github.state.user = makeGitHubUser(9_000 + account)
      third.lark.state.user = { open_id: `ou_${account}`, name: `Lark ${account}` }
      third.oidc.state.user = { sub: `sub-${account}`, name: `Oidc ${account}` }
    }
    become()
    const { body } = await user.post('/api/oauth/bind', { type: id, ...proofOf(user) })
    const bound = await finish(user, id, await visit(body.data))
    expect(bound.body.message).toBe('bind')
    return guest => {
      become()
      return signInWith(guest, id)
    }
  },
})

const byWeChat: Way = {
  endpoints: ['oauth.loginByWeChat'],
  prepare: async user => {
    const openid = `o-${user.id}`
    const next = async (client: TestClient) => {
      const wechat_code = String(100_000 + wechat.codes.size)
      wechat.codes.set(wechat_code, openid)
      const { data } = (await client.post('/api/oauth/wechat/begin', {})).body
      return { wechat_code, state: data.state as string }
    }
    const bound = await user.post('/api/oauth/wechat/bind', {
      ...(await next(user)),
      ...proofOf(user),
    })
    expect(bound.body.success).toBe(true)
    return async guest => {
      const { wechat_code: code, state } = await next(guest)
      return guest.get(`/api/oauth/wechat?${new URLSearchParams({ code, state })}`)
    }
  },
}

/** Every way to sign in by a first factor. */
const ways: Record<string, Way> = {
  password: {
    endpoints: ['sign-in.login'],
    prepare: async user => guest => guest.signIn(user.username, user.password),
  },
  GitHub: thirdParty('github'),
  Lark: thirdParty('lark'),
  'OpenID Connect': thirdParty('oidc'),
  'a provider of the operator': thirdParty('company'),
  WeChat: byWeChat,
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

/** Another proof of the owner, taken after the second factor is enabled. None of them stands for the second step. */
type Proof = (user: Person, secret: string | undefined) => Promise<void>
const otherProofs: Record<string, Proof> = {
  'no other proof': async () => {},
  'a new password by a link': async user => {
    const payload = { userId: user.id }
    const token = await issueToken(hub.app, hub.app.db, 'reset-password', payload, 60)
    const password = 'another-password'
    const browser = hub.guest()
    const reset = await browser.post('/api/user/reset', { token, password })
    expect([reset.status, reset.headers['set-cookie']]).toEqual([200, undefined])
    expect(await isIn(browser)).toBe(false)
    user.password = password
  },
  'an access token': async (user, secret) => {
    const make = (more: object) => user.post('/api/user/token', { ...proofOf(user), ...more })
    if (secret) expect((await make({})).body.code).toBe('second_factor.needed')
    const made = await make(secret ? { code: nextCode(secret) } : {})
    expect(made.headers['set-cookie']).toBeUndefined()
    expect(await isIn(hub.guest({ headers: { authorization: made.body.data } }))).toBe(true)
  },
  'a passkey without user verification': async (user, secret) => {
    const proof = { ...proofOf(user), ...(secret && { code: nextCode(secret) }) }
    const begin = await user.post('/api/user/passkey/register/begin', proof)
    const credential = makeAuthenticator({ origin, verifiesUser: false }).create(begin.body.data)
    const added = await user.post('/api/user/passkey/register/finish', { name: 'Key', credential })
    expect(added.body.success).toBe(true)
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

/** The first step in a new browser, for a user with or without a second factor. */
const signInBy = async (way: Way, proof: Proof, { hasTotp }: { hasTotp: boolean }) => {
  const user = await hub.person()
  const signIn = await way.prepare(user)
  const secret = hasTotp ? await enableTotp(user) : undefined
  await proof(user, secret)
  const guest = hub.guest()
  const { body } = await signIn(guest)
  return { guest, body, secret, user }
}

const matrix = Object.entries(ways).flatMap(([name, way]) =>
  Object.entries(otherProofs).map(([other, proof]) => ({ name, way, other, proof })),
)

const incomplete = matrix.filter(each => !each.way.isComplete)

const matrixTests = () => {
  it.each(matrix)('$name with $other signs in at once without a second factor', async row => {
    const { guest } = await signInBy(row.way, row.proof, { hasTotp: false })
    expect(await isIn(guest)).toBe(true)
  })

  it.each(incomplete)(
    'S21 C19 $name with $other gives no session before the second step',
    async ({ way, proof }) => {
      const { guest, body, secret, user } = await signInBy(way, proof, { hasTotp: true })
      expect(body.data).toEqual({ require_2fa: true, token: expect.any(String) })
      expect(await isIn(guest)).toBe(false)
      expect(guest.cookie()).not.toContain('hub=')
      const { token } = body.data as { token: string }
      expect(await isIn(hub.guest({ headers: { authorization: token } }))).toBe(false)
      const done = await guest.post('/api/user/login/2fa', { token, code: nextCode(secret!) })
      expect(done.body.data.id).toBe(user.id)
      expect(await isIn(guest)).toBe(true)
    },
  )

  it.each(matrix.filter(({ way }) => way.isComplete))(
    '$name with $other is two factors in one',
    async ({ way, proof }) => {
      expect(await isIn((await signInBy(way, proof, { hasTotp: true })).guest)).toBe(true)
    },
  )
}

const answersWithSignIn = (endpoint: { response: z.ZodType }): boolean => {
  const parts =
    endpoint.response instanceof z.ZodObject ? Object.values(endpoint.response.shape) : []
  return [endpoint.response, ...parts].some(
    each =>
      each === SignInResult || (each instanceof z.ZodNullable && each.unwrap() === SignInResult),
  )
}

onBothEnginesInLongRuns('second step', open => {
  beforeAll(async () => {
    hub = await open()
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: origin })
    third = await startThirdParties(hub)
    await hub.root.post('/api/custom-oauth-provider/', {
      ...{ name: 'Company', slug: 'company', issuer: third.oidc.url },
      ...{ client_id: oidcApp.clientId, client_secret: oidcApp.clientSecret },
    })
    wechat = await startFakeWeChat('helper-token')
    const settings = {
      WeChatServerAddress: wechat.url,
      WeChatServerToken: 'helper-token',
      WeChatAccountQRCodeImageURL: `${origin}/qr.png`,
      WeChatAuthEnabled: 'true',
    }
    for (const [key, value] of Object.entries(settings))
      await hub.root.put('/api/option/', { key, value })
  })
  afterAll(async () => {
    await third?.close()
    wechat?.close()
  })
  matrixTests()

  it('S21 C19 an access token is made with the second factor only', async () => {
    const user = await hub.person()
    const secret = await enableTotp(user)
    const wrong = await user.post('/api/user/token', { ...proofOf(user), code: '000000' })
    expect(wrong.body.code).toBe('second_factor.wrong')
    await otherProofs['an access token']!(user, secret)
  })

  it('every endpoint that answers with a sign-in is in the table of ways', () => {
    const found = Object.entries(contract).flatMap(([resource, { endpoints }]) =>
      Object.entries(endpoints)
        .filter(([, endpoint]) => answersWithSignIn(endpoint))
        .map(([action]) => `${resource}.${action}`),
    )
    const known = Object.values(ways).flatMap(each => each.endpoints)
    expect(found.toSorted()).toEqual([...new Set([...known, 'sign-in.secondStep'])].toSorted())
  })
})
