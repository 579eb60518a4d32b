import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
type Person = Awaited<ReturnType<TestApp['person']>>
type Guest = ReturnType<TestApp['guest']>

const step = () => stepAt(Math.floor(hub.clock.now / 1000))
/** The code of the app after the next one has come, since each code is accepted once. */
const nextCode = (secret: string) => {
  hub.clock.now += 30_000
  return codeAtStep(secret, step())
}
const proofOf = ({ password }: Person) => ({ current_password: password })

const enable = async (user: Person): Promise<{ secret: string; backupCodes: string[] }> => {
  const { secret } = (await user.post('/api/user/2fa/setup', proofOf(user))).body.data
  const { body } = await user.post('/api/user/2fa/enable', { code: nextCode(secret) })
  return { secret, backupCodes: body.data.backup_codes }
}
const isIn = async (visitor: Guest) => (await visitor.get('/api/user/self')).status === 200
const begin = async (guest: Guest, user: Person): Promise<string> => {
  const { body, headers } = await guest.signIn(user.username, user.password)
  expect([body.data.require_2fa, headers['set-cookie']]).toEqual([true, undefined])
  return body.data.token
}
const end = (guest: Guest, token: string, code: string) =>
  guest.post('/api/user/login/2fa', { token, code })

const setUpTests = () => {
  it('has no effect before a code confirms it, and shows its secret to nobody later', async () => {
    const user = await hub.person()
    const { secret, uri } = (await user.post('/api/user/2fa/setup', proofOf(user))).body.data
    expect(uri).toContain(`secret=${secret}&issuer=One%20Hub`)
    expect((await hub.guest().signIn(user.username, user.password)).body.data.id).toBe(user.id)
    const wrong = await user.post('/api/user/2fa/enable', { code: '000000' })
    expect(wrong.body.code).toBe('second_factor.wrong')
    const status = async () => (await user.get('/api/user/2fa/status')).body.data
    expect(await status()).toEqual({ enabled: false, enabled_at: null, backup_codes_left: 0 })
    const { body } = await user.post('/api/user/2fa/enable', { code: nextCode(secret) })
    expect(body.data.backup_codes).toHaveLength(10)
    expect(await status()).toMatchObject({ enabled: true, backup_codes_left: 10 })
    const again = await user.post('/api/user/2fa/setup', {
      ...proofOf(user),
      code: nextCode(secret),
    })
    expect(again.body.code).toBe('second_factor.enabled')
    const { db } = hub.app
    const rows = JSON.stringify([
      await db.selectFrom('second_factors').selectAll().execute(),
      await db.selectFrom('backup_codes').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ])
    for (const text of [secret, ...body.data.backup_codes]) expect(rows).not.toContain(text)
  })

  it('ends the other sessions of the user and keeps this one', async () => {
    const user = await hub.person()
    const other = hub.guest()
    await other.signIn(user.username, user.password)
    await enable(user)
    expect([await isIn(user), await isIn(other)]).toEqual([true, false])
  })

  it('needs the password', async () => {
    const user = await hub.person()
    for (const proof of [{}, { current_password: 'not-it' }])
      expect((await user.post('/api/user/2fa/setup', proof)).body.code).toBe('password.wrong')
  })
}

const stepTests = () => {
  it('S21 there is no session before the second step, and the token of the first opens nothing', async () => {
    const user = await hub.person()
    const { secret } = await enable(user)
    const guest = hub.guest()
    const token = await begin(guest, user)
    expect(await isIn(guest)).toBe(false)
    const bearer = hub.guest({ headers: { authorization: `Bearer ${token}` } })
    expect(await isIn(bearer)).toBe(false)
    expect((await end(guest, token, '000000')).body.code).toBe('second_factor.wrong')
    expect(await isIn(guest)).toBe(false)
    const { body } = await end(guest, token, nextCode(secret))
    expect(body.data.username).toBe(user.username)
    expect(await isIn(guest)).toBe(true)
    expect((await end(hub.guest(), token, nextCode(secret))).body.code).toBe(
      'second_factor.expired',
    )
  })

  it('a code is accepted once, also of two sign-ins at the same time', async () => {
    const user = await hub.person()
    const { secret } = await enable(user)
    const guests = [hub.guest(), hub.guest()] as const
    const tokens = [await begin(guests[0], user), await begin(guests[1], user)] as const
    const code = nextCode(secret)
    const answers = await Promise.all([
      end(guests[0], tokens[0], code),
      end(guests[1], tokens[1], code),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const last = hub.guest()
    expect((await end(last, await begin(last, user), code)).body.code).toBe('second_factor.wrong')
  })

  it('the token of the first step is used once, also by two requests at the same time', async () => {
    const user = await hub.person()
    const { backupCodes } = await enable(user)
    const guest = hub.guest()
    const token = await begin(guest, user)
    const answers = await Promise.all([
      end(hub.guest(), token, backupCodes[0]!),
      end(hub.guest(), token, backupCodes[1]!),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
}

const limitTests = () => {
  it('a backup code works once, in capitals and without its hyphen too', async () => {
    const user = await hub.person()
    const { backupCodes } = await enable(user)
    const typed = backupCodes[3]!.toUpperCase().replace('-', ' ')
    const guest = hub.guest()
    expect((await end(guest, await begin(guest, user), typed)).status).toBe(200)
    expect((await guest.get('/api/user/2fa/status')).body.data.backup_codes_left).toBe(9)
    const again = hub.guest()
    expect((await end(again, await begin(again, user), typed)).body.code).toBe(
      'second_factor.wrong',
    )
  })

  it('five wrong codes, ten minutes or a ban end a sign-in that waits for its second step', async () => {
    const user = await hub.person()
    const { secret } = await enable(user)
    const guest = hub.guest()
    const token = await begin(guest, user)
    for (let n = 0; n < 5; n++) await end(guest, token, `00000${n}`)
    expect((await end(guest, token, nextCode(secret))).body.code).toBe('second_factor.expired')

    const late = await begin(guest, user)
    hub.clock.now += 601_000
    expect((await end(guest, late, nextCode(secret))).body.code).toBe('second_factor.expired')

    const banned = hub.guest()
    const waiting = await begin(banned, user)
    await hub.root.post('/api/user/manage', { username: user.username, action: 'disable' })
    expect((await end(banned, waiting, nextCode(secret))).body.code).toBe('sign_in.refused')
    expect(await isIn(banned)).toBe(false)
  })

  it('guesses are limited for the account, not only for one sign-in', async () => {
    const user = await hub.person()
    const { secret } = await enable(user)
    const ip = '198.19.7.1'
    for (let n = 0; n < 10; n++) {
      const guest = hub.guest({ ip })
      await end(guest, await begin(hub.guest(), user), '000000')
    }
    const { body } = await end(hub.guest({ ip }), await begin(hub.guest(), user), nextCode(secret))
    expect(body.code).toBe('sign_in.locked')
  })
}

const proofTests = () => {
  it('S21 a session alone takes no second factor away, reveals no access token and sets no password', async () => {
    const user = await hub.person()
    const { secret, backupCodes } = await enable(user)
    const changes = [
      ['post', '/api/user/2fa/disable', {}],
      ['post', '/api/user/2fa/backup_codes', {}],
      ['post', '/api/user/token', {}],
      ['put', '/api/user/self', { password: 'another-password' }],
    ] as const
    for (const [method, path, body] of changes) {
      const codes = []
      for (const proof of [{}, proofOf(user), { ...proofOf(user), code: '000000' }])
        codes.push((await user[method](path, { ...body, ...proof })).body.code)
      expect([path, codes]).toEqual([
        path,
        ['second_factor.needed', 'second_factor.needed', 'second_factor.wrong'],
      ])
      const wrong = { ...body, current_password: 'not-it', code: nextCode(secret) }
      expect((await user[method](path, wrong)).body.code).toBe('password.wrong')
    }
    const renewed = await user.post('/api/user/2fa/backup_codes', {
      ...proofOf(user),
      code: nextCode(secret),
    })
    expect(renewed.body.data.backup_codes).toHaveLength(10)
    const guest = hub.guest()
    expect((await end(guest, await begin(guest, user), backupCodes[5]!)).body.code).toBe(
      'second_factor.wrong',
    )
    const off = { ...proofOf(user), code: nextCode(secret) }
    expect((await user.post('/api/user/2fa/disable', off)).status).toBe(200)
    expect((await hub.guest().signIn(user.username, user.password)).body.data.id).toBe(user.id)
    expect((await user.post('/api/user/2fa/disable', off)).body.code).toBe('second_factor.missing')
  })

  it('a user without a password needs a sign-in of the last ten minutes', async () => {
    const user = await hub.person()
    const withoutPassword = { password_hash: '' }
    await hub.app.db.updateTable('users').set(withoutPassword).where('id', '=', user.id).execute()
    expect((await user.get('/api/user/self')).body.data.has_password).toBe(false)
    expect((await user.post('/api/user/2fa/setup', {})).status).toBe(200)
    hub.clock.now += 601_000
    expect((await user.post('/api/user/2fa/setup', {})).body.code).toBe('session.not_recent')
    expect((await hub.guest().signIn(user.username, '')).status).toBe(400)
  })
}

onBothEnginesInLongRuns('second factor', open => {
  beforeAll(async () => {
    hub = await open()
  })
  setUpTests()
  stepTests()
  limitTests()
  proofTests()
})
