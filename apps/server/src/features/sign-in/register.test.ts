import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { audit } from '../../auditor/audit.ts'

let hub: TestApp
let names = 0
const nextName = () => `new-${++names}`
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const register = async (username: string, more: object = {}) =>
  (await hub.guest().post('/api/user/register', { username, password: 'a-password', ...more })).body
const selfOf = async (username: string) => {
  const guest = hub.guest()
  await guest.signIn(username, 'a-password')
  return (await guest.get('/api/user/self')).body.data
}

const accountTests = () => {
  it('makes an ordinary account that can sign in at once', async () => {
    const name = nextName()
    expect(await register(name)).toMatchObject({ success: true, data: null })
    expect(await selfOf(name)).toMatchObject({
      username: name,
      role: 1,
      group: 'default',
      quota: 0,
      must_change_password: false,
    })
  })

  it('takes no role, no group and no quota from whoever asks', async () => {
    const name = nextName()
    const forbidden = { role: 100, group: 'vip', quota: 1e9, status: 1 }
    for (const [field, value] of Object.entries(forbidden)) {
      const { code, message } = await register(name, { [field]: value })
      expect([field, code]).toEqual([field, 'request.unknown_field'])
      expect(message).toContain(`\`${field}\``)
    }
    await register(name, { email: '' })
    expect(await selfOf(name)).toMatchObject({ role: 1, group: 'default', quota: 0, email: '' })
  })

  it('refuses a name that is taken, and what does not fit', async () => {
    const name = nextName()
    await register(name)
    expect((await register(name)).code).toBe('resource.exists')
    expect((await register('ab')).code).toBe('request.invalid')
    expect((await register(nextName(), { password: 'short' })).code).toBe('request.invalid')
  })

  it('is closed by either switch', async () => {
    for (const key of ['RegisterEnabled', 'PasswordRegisterEnabled']) {
      await set(key, 'false')
      expect((await register(nextName())).code).toBe('registration.closed')
      await set(key, 'true')
    }
    expect((await register(nextName())).success).toBe(true)
  })
}

const nameTests = () => {
  it('C16 an address as a name gets one answer, whether somebody has it or not', async () => {
    await hub.person(1, { email: 'taken@example.com' })
    const known = await register('taken@example.com')
    expect(known).toEqual(await register('nobody@example.com'))
    expect([known.code, known.message]).toEqual([
      'request.invalid',
      expect.stringContaining('`username`: must not contain @'),
    ])
    const user = await hub.person()
    const rename = (username: string) =>
      user.put('/api/user/self', { username, current_password: user.password })
    expect((await rename('taken@example.com')).body).toEqual(
      (await rename('nobody@example.com')).body,
    )
  })

  it('S54 a name that differs from a taken one in case, width or composition only is taken', async () => {
    const name = `Café-${nextName()}`
    expect((await register(name)).success).toBe(true)
    const spellings = [name.toUpperCase(), name.normalize('NFD'), name.replace('C', 'Ｃ')]
    for (const spelling of spellings)
      expect([spelling, (await register(spelling)).code]).toEqual([spelling, 'resource.exists'])
    const made = await hub.root.post('/api/user/', {
      username: spellings[0],
      password: 'a-password',
    })
    expect(made.body.code).toBe('resource.exists')
    const answers = await Promise.all(
      ['twin-name', 'TWIN-name', 'Twin-Name'].map(each => register(each)),
    )
    expect(answers.filter(each => each.success)).toHaveLength(1)
    expect((await selfOf(name)).username).toBe(name)
  })

  it('S54 a name with invisible characters or like a reserved one is refused to everybody', async () => {
    const user = await hub.person()
    const tries = async (username: string) => [
      (await register(username)).code,
      (await hub.root.post('/api/user/', { username, password: 'a-password' })).body.code,
      (await user.put('/api/user/self', { username, current_password: user.password })).body.code,
    ]
    for (const name of ['ali\u200bce', 'ali\u202ece', 'ali\u0007ce', 'ali\u2028ce', 'ali\u3164ce'])
      expect([name, await tries(name)]).toEqual([name, Array(3).fill('request.invalid')])
    for (const name of ['Root', 'rооt', 'ADMIN', 'аdmin', 'ＳＹＳＴＥＭ'])
      expect([name, await tries(name)]).toEqual([name, Array(3).fill('name.reserved')])
    expect((await register('admin')).code).toBe('name.reserved')
  })

  it('C13 a common password is refused wherever one is chosen', async () => {
    const user = await hub.person()
    for (const password of ['password', '12345678', 'QwertyUiop']) {
      const codes = [
        (await register(nextName(), { password })).code,
        (await hub.root.post('/api/user/', { username: nextName(), password })).body.code,
        (await hub.root.put('/api/user/', { id: user.id, password })).body.code,
        (await user.put('/api/user/self', { password, current_password: user.password })).body.code,
        (await hub.guest().post('/api/user/reset', { token: 'a'.repeat(43), password })).body.code,
      ]
      expect([password, codes]).toEqual([password, Array(5).fill('password.common')])
    }
  })
}

const rewardTests = () => {
  it('gives what the settings say to the new user, the invited and the inviter', async () => {
    await set('QuotaForNewUser', '1000')
    await set('QuotaForInvitee', '200')
    await set('InviterRewardTime', 'at_once')
    await set('QuotaForInviter', '30')
    const inviter = await hub.person()
    const code = (await inviter.get('/api/user/aff')).body.data
    const [one, two] = [nextName(), nextName()]
    await register(one, { aff_code: code })
    await register(two, { aff_code: code })
    expect(await selfOf(one)).toMatchObject({ quota: 1200, inviter_id: inviter.id })
    expect((await inviter.get('/api/user/self')).body.data).toMatchObject({
      quota: 60,
      aff_count: 2,
      aff_quota: 60,
      aff_history_quota: 60,
    })
    expect((await inviter.get('/api/user/invitation')).body.data).toEqual({
      code,
      count: 2,
      reward: 60,
      quota_for_inviter: 30,
      quota_for_invitee: 200,
      reward_time: 'at_once',
      waiting: 0,
      open: true,
    })
    const logged = (await inviter.get('/api/log/self?log_type=4')).body.data.data
    expect(logged.map((row: { quota: number }) => row.quota)).toEqual([30, 30])
    const report = await audit(hub.app.env)
    expect(report.results.filter(each => each.findings.length > 0)).toEqual([])
  })

  it('ignores a code of nobody, of a disabled user and of a deleted one', async () => {
    await set('QuotaForNewUser', '0')
    await set('QuotaForInvitee', '200')
    await set('InviterRewardTime', 'at_once')
    await set('QuotaForInviter', '30')
    const [banned, gone] = [await hub.person(), await hub.person()]
    const codes = ['no-such-code', '']
    for (const each of [banned, gone]) codes.push((await each.get('/api/user/aff')).body.data)
    await hub.root.post('/api/user/manage', { username: banned.username, action: 'disable' })
    await hub.root.delete(`/api/user/${gone.id}`)
    for (const aff_code of codes) {
      const name = nextName()
      expect((await register(name, { aff_code })).success).toBe(true)
      expect(await selfOf(name)).toMatchObject({ quota: 0, inviter_id: 0 })
    }
  })

  it('S33 one name at once from many: one account, everything granted once', async () => {
    await set('QuotaForNewUser', '1000')
    const inviter = await hub.person()
    const aff_code = (await inviter.get('/api/user/aff')).body.data
    const name = nextName()
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(name, { aff_code })))
    expect(answers.filter(each => each.success)).toHaveLength(1)
    expect(answers.filter(each => each.code === 'resource.exists')).toHaveLength(7)
    expect((await selfOf(name)).quota).toBe(1200)
    expect((await inviter.get('/api/user/self')).body.data).toMatchObject({
      quota: 30,
      aff_count: 1,
      aff_quota: 30,
    })
  })
}

onBothEnginesInLongRuns('registration', open => {
  beforeAll(async () => {
    hub = await open()
  })
  accountTests()
  nameTests()
  rewardTests()
})
