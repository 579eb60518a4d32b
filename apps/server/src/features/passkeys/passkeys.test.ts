import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp, type TestClient } from '../../../test/harness.ts'
import { watchCredentials } from '../../../test/sign-in/credential-changes.ts'
import {
  makeAuthenticator,
  type SoftwareAuthenticator,
} from '../../../test/sign-in/software-authenticator.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
type Person = Awaited<ReturnType<TestApp['person']>>

const origin = 'https://hub.example'
const proofOf = ({ password }: Person) => ({ current_password: password })
const isIn = async (visitor: TestClient) => (await visitor.get('/api/user/self')).status === 200
const nextCode = (secret: string) => {
  hub.clock.now += 30_000
  return codeAtStep(secret, stepAt(Math.floor(hub.clock.now / 1000)))
}

const add = async (user: Person, authenticator: SoftwareAuthenticator, name = 'Laptop') => {
  const begin = await user.post('/api/user/passkey/register/begin', proofOf(user))
  const credential = authenticator.create(begin.body.data)
  return user.post('/api/user/passkey/register/finish', { name, credential })
}
const newPasskey = async (options: { verifiesUser?: boolean; counts?: boolean } = {}) => {
  const user = await hub.person()
  const authenticator = makeAuthenticator({ origin, ...options })
  const { body } = await add(user, authenticator)
  expect(body).toMatchObject({ success: true, data: { name: 'Laptop', last_used_time: 0 } })
  return { user, authenticator, id: body.data.id as number }
}
const beginLogin = async (guest: TestClient) =>
  (await guest.post('/api/user/passkey/login/begin', {})).body.data
const finishLogin = (guest: TestClient, credential: unknown) =>
  guest.post('/api/user/passkey/login/finish', { credential })
const login = async (guest: TestClient, authenticator: SoftwareAuthenticator) =>
  finishLogin(guest, authenticator.get(await beginLogin(guest)))
const enableTotp = async (user: Person): Promise<string> => {
  const { secret } = (await user.post('/api/user/2fa/setup', proofOf(user))).body.data
  await user.post('/api/user/2fa/enable', { code: nextCode(secret) })
  return secret
}

const registrationTests = () => {
  it('a passkey is added with the password, listed, renamed and removed', async () => {
    const { user, id } = await newPasskey()
    expect((await user.get('/api/user/self')).body.data.has_passkey).toBe(true)
    expect((await user.put('/api/user/passkey/', { id, name: 'Phone' })).status).toBe(200)
    const rows = (await user.get('/api/user/passkey/')).body.data
    expect(rows).toEqual([expect.objectContaining({ id, name: 'Phone', backed_up: false })])
    expect((await user.delete(`/api/user/passkey/${id}`, {})).body.code).toBe('password.wrong')
    expect((await user.delete(`/api/user/passkey/${id}`, proofOf(user))).status).toBe(200)
    expect((await user.get('/api/user/passkey/')).body.data).toEqual([])
    expect((await user.get('/api/user/self')).body.data.has_passkey).toBe(false)
  })

  it('C20 the owner is notified of a passkey that was added or removed, and of a reset second factor', async () => {
    const user = await hub.person()
    const changes = await watchCredentials(hub, user.id)
    const { body } = await add(user, makeAuthenticator({ origin }))
    await user.delete(`/api/user/passkey/${body.data.id}`, proofOf(user))
    expect(await changes()).toEqual(['passkey-added', 'passkey-removed'])
    const secret = await enableTotp(user)
    await user.post('/api/user/2fa/disable', { ...proofOf(user), code: nextCode(secret) })
    await enableTotp(user)
    await hub.root.post(`/api/user/${user.id}/reset_2fa`, {})
    const onAndOff = ['second-factor-on', 'second-factor-off']
    expect((await changes()).slice(2)).toEqual([...onAndOff, ...onAndOff])
  })

  it('a session alone adds no passkey', async () => {
    const user = await hub.person()
    const { body } = await user.post('/api/user/passkey/register/begin', {})
    expect(body.code).toBe('password.wrong')
  })

  it('an answer adds a passkey once, in the session that asked for it', async () => {
    const user = await hub.person()
    const authenticator = makeAuthenticator({ origin })
    const begin = await user.post('/api/user/passkey/register/begin', proofOf(user))
    const body = { name: 'One', credential: authenticator.create(begin.body.data) }
    const other = await hub.person()
    const stolen = await other.post('/api/user/passkey/register/finish', body)
    expect(stolen.body.code).toBe('passkey.expired')
    const again = await user.post('/api/user/passkey/register/finish', body)
    expect(again.body.code).toBe('passkey.expired')
    expect((await add(user, authenticator)).status).toBe(200)
    const late = await user.post('/api/user/passkey/register/begin', proofOf(user))
    hub.clock.now += 301_000
    const credential = authenticator.create(late.body.data)
    const answer = await user.post('/api/user/passkey/register/finish', { name: 'L', credential })
    expect(answer.body.code).toBe('passkey.expired')
  })

  it('S26 a passkey of somebody else does not exist', async () => {
    const { user, id } = await newPasskey()
    const other = await hub.person()
    expect((await other.put('/api/user/passkey/', { id, name: 'Mine' })).status).toBe(404)
    expect((await other.delete(`/api/user/passkey/${id}`, proofOf(other))).status).toBe(404)
    expect((await user.get('/api/user/passkey/')).body.data[0].name).toBe('Laptop')
  })

  it('the last way to sign in stays', async () => {
    const { user, authenticator, id } = await newPasskey()
    const withoutPassword = { password_hash: '' }
    await hub.app.db.updateTable('users').set(withoutPassword).where('id', '=', user.id).execute()
    expect((await user.delete(`/api/user/passkey/${id}`, {})).body.code).toBe('sign_in.last_way')
    await add(user, authenticator, 'Second')
    const ids = (await user.get('/api/user/passkey/')).body.data.map(
      (row: { id: number }) => row.id,
    )
    const answers = await Promise.all(
      ids.map((each: number) => user.delete(`/api/user/passkey/${each}`, {})),
    )
    expect(answers.map(each => each.status).sort()).toEqual([200, 409])
  })
}

const loginTests = () => {
  it('S21 a passkey that verified the user signs in at once, also with a second factor', async () => {
    const { user, authenticator } = await newPasskey()
    await enableTotp(user)
    const guest = hub.guest()
    const { body } = await login(guest, authenticator)
    expect(body.data).toMatchObject({ id: user.id, username: user.username })
    expect(await isIn(guest)).toBe(true)
  })

  it('S21 a passkey without user verification leaves the second step', async () => {
    const { user, authenticator } = await newPasskey({ verifiesUser: false })
    const before = hub.guest()
    expect((await login(before, authenticator)).body.data.id).toBe(user.id)
    const secret = await enableTotp(user)
    const guest = hub.guest()
    const { body } = await login(guest, authenticator)
    expect(body.data).toEqual({ require_2fa: true, token: expect.any(String) })
    expect(await isIn(guest)).toBe(false)
    const step = { token: body.data.token, code: nextCode(secret) }
    expect((await guest.post('/api/user/login/2fa', step)).status).toBe(200)
    expect(await isIn(guest)).toBe(true)
  })

  it('S21 an answer signs in once, also when sent twice at the same time', async () => {
    const { authenticator } = await newPasskey({ counts: false })
    const guest = hub.guest()
    const answer = authenticator.get(await beginLogin(guest))
    const answers = await Promise.all([
      finishLogin(hub.guest(), answer),
      finishLogin(hub.guest(), answer),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await finishLogin(guest, answer)).body.code).toBe('passkey.expired')
  })

  it('S21 an answer for another site, of another key or to another purpose is refused', async () => {
    const { user, authenticator } = await newPasskey()
    const guest = hub.guest()
    const [credential] = authenticator.credentials
    const phished = makeAuthenticator({ origin: 'https://hub.example.evil.test' })
    const otherSite = phished.get(await beginLogin(guest), credential)
    const { rpId, challenge } = await beginLogin(guest)
    const otherDomain = authenticator.get({ rpId: `www.${rpId}`, challenge })
    const stranger = makeAuthenticator({ origin })
    stranger.create({ rp: { id: rpId }, user: { id: 'AAAA' }, challenge })
    const otherKey = stranger.get(await beginLogin(guest), {
      ...credential!,
      key: stranger.credentials[0]!.key,
    })
    const unknown = stranger.get(await beginLogin(guest))
    const owner = authenticator.get(await beginLogin(guest))
    const otherOwner = { ...owner, response: { ...owner.response, userHandle: 'AAAA' } }
    for (const answer of [otherSite, otherDomain, otherKey, unknown, otherOwner])
      expect((await finishLogin(guest, answer)).body.code).toBe('passkey.refused')
    const begun = { action: 'profile.createAccessToken' }
    const { data } = (await user.post('/api/user/passkey/verify/begin', begun)).body
    const crossed = await finishLogin(guest, authenticator.get(data))
    expect(crossed.body.code).toBe('passkey.expired')
    const invented = authenticator.get({ rpId, challenge: 'A'.repeat(43) })
    expect((await finishLogin(guest, invented)).body.code).toBe('passkey.expired')
    expect(await isIn(guest)).toBe(false)
    expect((await login(guest, authenticator)).status).toBe(200)
  })
}

const refusalTests = () => {
  it('S21 an answer whose counter does not grow comes from a copied key', async () => {
    const { authenticator } = await newPasskey()
    await login(hub.guest(), authenticator)
    await login(hub.guest(), authenticator)
    authenticator.credentials[0]!.counter -= 1
    expect((await login(hub.guest(), authenticator)).body.code).toBe('passkey.refused')
    expect((await login(hub.guest(), authenticator)).status).toBe(200)
    authenticator.credentials[0]!.counter = -1
    expect((await login(hub.guest(), authenticator)).body.code).toBe('passkey.refused')
  })

  it('S21 of many answers with one counter, sent at the same time, one signs in', async () => {
    const { authenticator } = await newPasskey()
    const [credential] = authenticator.credentials
    const answers = []
    for (let n = 0; n < 8; n++) {
      credential!.counter = 6
      answers.push(authenticator.get(await beginLogin(hub.guest())))
    }
    const responses = await Promise.all(answers.map(each => finishLogin(hub.guest(), each)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a challenge ends after five minutes, and a disabled or deleted user is refused', async () => {
    const { user, authenticator } = await newPasskey()
    const guest = hub.guest()
    const options = await beginLogin(guest)
    hub.clock.now += 301_000
    expect((await finishLogin(guest, authenticator.get(options))).body.code).toBe('passkey.expired')
    await hub.root.post('/api/user/manage', { username: user.username, action: 'disable' })
    expect((await login(guest, authenticator)).body.code).toBe('sign_in.refused')
    await hub.root.delete(`/api/user/${user.id}`)
    expect((await login(guest, authenticator)).body.code).toBe('passkey.refused')
  })

  it('nothing is offered or accepted while the switch is off', async () => {
    const { user, authenticator } = await newPasskey()
    const set = (value: string) =>
      hub.root.put('/api/option/', { key: 'PasskeyLoginEnabled', value })
    const offered = async () => (await hub.guest().get('/api/status')).body.data.passkey_login
    expect(await offered()).toBe(true)
    const guest = hub.guest()
    const answer = authenticator.get(await beginLogin(guest))
    await set('false')
    expect(await offered()).toBe(false)
    const codes = [
      (await guest.post('/api/user/passkey/login/begin', {})).body.code,
      (await finishLogin(guest, answer)).body.code,
      (await user.post('/api/user/passkey/register/begin', proofOf(user))).body.code,
      (await user.post('/api/user/passkey/verify/begin', { action: 'profile.update' })).body.code,
    ]
    expect(codes).toEqual(Array(4).fill('passkey.disabled'))
    await set('true')
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: 'http://192.0.2.1:3000' })
    expect(await offered()).toBe(false)
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: origin })
  })
}

const proofTests = () => {
  const verify = async (user: TestClient, authenticator: SoftwareAuthenticator, action: string) => {
    const { data } = (await user.post('/api/user/passkey/verify/begin', { action })).body
    const credential = authenticator.get(data)
    const { body } = await user.post('/api/user/passkey/verify/finish', { credential })
    return body.data?.passkey_proof as string
  }
  const createToken = (user: TestClient, passkey_proof: string, more: object = {}) =>
    user.post('/api/user/token', { passkey_proof, ...more })
  const action = 'profile.createAccessToken'

  it('S21 a passkey is a fresh proof, once, for one endpoint, in one session, for five minutes', async () => {
    const { user, authenticator } = await newPasskey()
    await enableTotp(user)
    const proof = await verify(user, authenticator, action)
    expect((await createToken(user, proof)).status).toBe(200)
    expect((await createToken(user, proof)).body.code).toBe('passkey.expired')

    const forOther = await verify(user, authenticator, 'second-factor.disable')
    expect((await createToken(user, forOther)).body.code).toBe('passkey.expired')
    expect((await user.post('/api/user/2fa/disable', { passkey_proof: forOther })).status).toBe(200)

    const otherSession = hub.guest()
    await otherSession.signIn(user.username, user.password)
    const stolen = await verify(user, authenticator, action)
    expect((await createToken(otherSession, stolen)).body.code).toBe('passkey.expired')
    const late = await verify(user, authenticator, action)
    hub.clock.now += 301_000
    expect((await createToken(user, late)).body.code).toBe('passkey.expired')
    const twice = await verify(user, authenticator, action)
    const answers = await Promise.all([createToken(user, twice), createToken(user, twice)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('S21 a passkey without user verification replaces the password, not the second factor', async () => {
    const { user, authenticator } = await newPasskey({ verifiesUser: false })
    const secret = await enableTotp(user)
    const proof = await verify(user, authenticator, action)
    expect((await createToken(user, proof)).body.code).toBe('second_factor.needed')
    const withCode = await createToken(user, proof, { code: nextCode(secret) })
    expect(withCode.status).toBe(200)
  })

  it('S21 the passkey of another user proves nothing', async () => {
    const { user } = await newPasskey()
    const thief = await newPasskey()
    const { data } = (await user.post('/api/user/passkey/verify/begin', { action })).body
    const credential = thief.authenticator.get(data)
    const { body } = await user.post('/api/user/passkey/verify/finish', { credential })
    expect(body.code).toBe('passkey.refused')
  })

  it('an account without a password uses its passkey however old the session is', async () => {
    const { user, authenticator } = await newPasskey()
    const withoutPassword = { password_hash: '' }
    await hub.app.db.updateTable('users').set(withoutPassword).where('id', '=', user.id).execute()
    hub.clock.now += 3_600_000
    expect((await user.post('/api/user/token', {})).body.code).toBe('session.not_recent')
    const proof = await verify(user, authenticator, action)
    expect((await createToken(user, proof)).status).toBe(200)
  })
}

onBothEnginesInLongRuns('passkeys', open => {
  beforeAll(async () => {
    hub = await open()
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: origin })
  })
  registrationTests()
  loginTests()
  refusalTests()
  proofTests()
})
