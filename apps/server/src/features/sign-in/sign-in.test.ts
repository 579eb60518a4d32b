import { createHook } from 'node:async_hooks'
import bcrypt from 'bcrypt'
import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'

let hub: TestApp

/** The number of Argon2 hashes that the work computes. */
const countHashes = async (work: () => Promise<unknown>): Promise<number> => {
  let count = 0
  const hook = createHook({
    init: (_id, type) => {
      if (/argon2/i.test(type)) count++
    },
  }).enable()
  await work().finally(() => hook.disable())
  return count
}

const credentialTests = () => {
  it('a user signs in by name and by e-mail address, however that is written', async () => {
    const user = await hub.person(1, { email: 'Some.Body@Example.com' })
    for (const name of [user.username, 'some.body@example.com', 'SOME.BODY@EXAMPLE.COM']) {
      const { status, body } = await hub.guest().signIn(name, user.password)
      expect([name, status, body.data?.id]).toEqual([name, 200, user.id])
    }
  })

  it('S23 C16 an unknown name and a wrong password cost one hash each', async () => {
    const user = await hub.person()
    const banned = await hub.person()
    await hub.root.post('/api/user/manage', { username: banned.username, action: 'disable' })
    const unknown = ['nobody-of-this-name', 'nobody@example.com']
    for (const name of [user.username, banned.username, ...unknown])
      expect([name, await countHashes(() => hub.guest().signIn(name, 'wrong-password'))]).toEqual([
        name,
        1,
      ])
  })

  it('an unknown name, a wrong password and a disabled account get one answer', async () => {
    const user = await hub.person()
    const banned = await hub.person()
    await hub.root.post('/api/user/manage', { username: banned.username, action: 'disable' })
    const answers = [
      await hub.guest().signIn('nobody-of-this-name', 'wrong-password'),
      await hub.guest().signIn(user.username, 'wrong-password'),
      await hub.guest().signIn(banned.username, banned.password),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBe(400)
      expect(body).toEqual(answers[0]!.body)
      expect(body.code).toBe('sign_in.refused')
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  it("a password hash of One Hub is accepted, and replaced by one of today's", async () => {
    const user = await hub.person()
    const password_hash = (await bcrypt.hash('12345678', 4)).replace('$2b$', '$2a$')
    await hub.app.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
    expect((await hub.guest().signIn(user.username, '12345678')).status).toBe(200)
    const stored = await hub.app.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(stored.password_hash).toMatch(/^\$argon2id\$/)
    expect((await hub.guest().signIn(user.username, '12345678')).status).toBe(200)
  })
}

const lockTests = () => {
  it('S53 ten wrong passwords lock an account for their address, and for no other', async () => {
    const user = await hub.person()
    const guess = (ip: string, n: number) => hub.guest({ ip }).signIn(user.username, `wrong-${n}`)
    const one = '198.19.1.1'
    for (let n = 0; n < 9; n++) await guess(one, n)
    expect((await hub.guest({ ip: one }).signIn(user.username, user.password)).status).toBe(200)
    for (let n = 0; n < 10; n++) await guess(`2001:db8:1:1::${n}`, n)
    const locked = await hub
      .guest({ ip: '2001:db8:1:1:ffff::' })
      .signIn(user.username, user.password)
    expect([locked.status, locked.body.code]).toEqual([429, 'sign_in.locked'])
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await hub.guest().signIn(user.username, user.password)).status).toBe(200)
  })

  it('S53 the name and the e-mail address of an account share their tries', async () => {
    const user = await hub.person(1, { email: 'shared.tries@example.com' })
    const guest = hub.guest({ ip: '198.19.3.1' })
    const names = [user.username, 'shared.tries@example.com', 'SHARED.TRIES@EXAMPLE.COM']
    for (let n = 0; n < 10; n++) await guest.signIn(names[n % 3]!, `wrong-${n}`)
    for (const name of names) {
      const { body } = await guest.signIn(name, user.password)
      expect([name, body.code]).toEqual([name, 'sign_in.locked'])
    }
  })

  it('S53 a name without an account has the tries of one that has', async () => {
    const guest = hub.guest({ ip: '198.19.3.2' })
    const codes: string[] = []
    for (let n = 0; n < 11; n++)
      codes.push((await guest.signIn('Nobody-Of-This-Name', `wrong-${n}`)).body.code)
    expect(codes).toEqual([...Array(10).fill('sign_in.refused'), 'sign_in.locked'])
  })

  it('S53 C15 a hundred wrong passwords from many addresses lock an account, but not for a browser that it knows', async () => {
    const user = await hub.person()
    for (let n = 0; n < 101; n++) await hub.guest().signIn(user.username, `wrong-${n}`)
    const elsewhere = await hub.guest().signIn(user.username, user.password)
    expect(elsewhere.body.code).toBe('sign_in.locked')
    expect((await user.post('/api/user/logout')).status).toBe(200)
    expect(user.cookie()).toMatch(/^hub-known=[\w-]{22}\.\d+\.[\da-f]{64}$/)
    expect((await user.signIn(user.username, user.password)).status).toBe(200)
  })

  it('S53 a known browser has ten tries too, for its own account only, and a forged one is unknown', async () => {
    const [user, victim] = [await hub.person(), await hub.person()]
    const known = user.cookie()
    for (let n = 0; n < 10; n++) await user.signIn(user.username, `wrong-${n}`)
    expect((await user.signIn(user.username, user.password)).body.code).toBe('sign_in.locked')
    const guess = (cookie: string) =>
      hub.guest({ ip: '198.19.2.1', headers: { cookie } }).signIn(victim.username, 'wrong')
    const forged = known.replace(/(hub-known=[\w-]{22}\.)\d+/, '$199999999999')
    // Its own counter is used up, so that a browser that is believed is locked at once.
    for (const cookie of [known, forged])
      expect((await guess(cookie)).body.code).toBe('sign_in.refused')
    const own = hub.guest({ ip: '198.19.2.2', headers: { cookie: forged } })
    expect((await own.signIn(user.username, 'wrong')).body.code).toBe('sign_in.refused')
    const codes: string[] = []
    // Each guess would have a counter of its own if nobody checked the signature.
    for (const id of 'abcdefghi'.repeat(22).match(/.{22}/g) ?? [])
      codes.push((await guess(`hub-known=${id}.99999999999.${'0'.repeat(64)}`)).body.code)
    expect(codes).toEqual([...Array(8).fill('sign_in.refused'), 'sign_in.locked'])
  })
}

const limitTests = () => {
  it('S48 a forwarding header of somebody we do not trust gives no new tries', async () => {
    const ip = '198.19.255.1'
    let last = ''
    for (let n = 0; n < 51; n++) {
      const headers = { 'x-forwarded-for': `1.2.3.${n}` }
      last = (await hub.guest({ ip, headers }).signIn(`forged-${n}`, 'wrong')).body.code
    }
    expect(last).toBe('rate.critical')
  })

  it('a first password must be changed before anything else is done', async () => {
    await hub.root.post('/api/user/', { username: 'beginner', password: 'first-password' })
    const guest = hub.guest()
    const { body } = await guest.signIn('beginner', 'first-password')
    expect(body.data.must_change_password).toBe(true)
    expect((await guest.get('/api/token/')).body.code).toBe('password.change_needed')
    expect((await guest.get('/api/user/self')).status).toBe(200)
    expect((await guest.get('/api/status')).status).toBe(200)
    const same = { password: 'first-password', current_password: 'first-password' }
    expect((await guest.put('/api/user/self', same)).status).toBe(400)
    const change = { password: 'second-password', current_password: 'first-password' }
    expect((await guest.put('/api/user/self', change)).body.data.must_change_password).toBe(false)
    expect((await guest.get('/api/token/')).status).toBe(200)
  })

  it('name and password change only for who knows the password', async () => {
    const user = await hub.person()
    for (const change of [{ username: 'renamed-x' }, { password: 'new-password' }]) {
      expect((await user.put('/api/user/self', change)).body.code).toBe('password.wrong')
      const wrong = { ...change, current_password: 'not-it' }
      expect((await user.put('/api/user/self', wrong)).body.code).toBe('password.wrong')
    }
    const right = { username: 'renamed-x', current_password: user.password }
    expect((await user.put('/api/user/self', right)).body.data.username).toBe('renamed-x')
    const other = await hub.person()
    const taken = { username: 'renamed-x', current_password: other.password }
    expect((await other.put('/api/user/self', taken)).body.code).toBe('resource.exists')
  })
}

onBothEnginesInLongRuns('signing in', open => {
  beforeAll(async () => {
    hub = await open()
  })
  credentialTests()
  lockTests()
  limitTests()
})
