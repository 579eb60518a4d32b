import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
const createToken = async (user: TestUser): Promise<string> =>
  (await user.post('/api/user/token', { current_password: user.password })).body.data
const statusWith = async (token: string) =>
  (await hub.guest({ headers: { authorization: token } }).get('/api/user/self')).status

onBothEnginesInLongRuns('the profile', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('S18 C7 a new password ends the access token, whoever sets it', async () => {
    const user = await hub.person()
    const first = await createToken(user)
    expect(await statusWith(first)).toBe(200)
    const change = { password: 'another-password', current_password: user.password }
    expect((await user.put('/api/user/self', change)).body.data.has_access_token).toBe(false)
    expect(await statusWith(first)).toBe(401)
    const second = await createToken({ ...user, password: change.password })
    expect(await statusWith(second)).toBe(200)
    await hub.root.put('/api/user/', { id: user.id, password: 'set-by-the-root' })
    expect(await statusWith(second)).toBe(401)
  })

  it('a visitor may ask who is signed in, and gets null', async () => {
    const user = await hub.person()
    const self = await user.get('/api/user/self')
    expect((await user.get('/api/user/session')).body.data).toEqual(self.body.data)
    const visit = await hub.guest().get('/api/user/session')
    expect([visit.status, visit.body.data]).toEqual([200, null])
  })

  it('C8 an access token needs the current password, with as few tries as a sign-in', async () => {
    const user = await hub.person()
    expect((await user.post('/api/user/token', {})).body.code).toBe('password.wrong')
    const codes: string[] = []
    for (let n = 0; n < 11; n++)
      codes.push((await user.post('/api/user/token', { current_password: `wrong-${n}` })).body.code)
    expect(codes.slice(-2)).toEqual(['password.wrong', 'sign_in.locked'])
    expect((await user.get('/api/user/self')).body.data.has_access_token).toBe(false)
  })

  it('C39 a new access token, a new name and a new password are in the audit log, without secrets', async () => {
    const user = await hub.person()
    const current_password = user.password
    const token = await createToken(user)
    const username = `${user.username}-2`
    await user.put('/api/user/self', { username, current_password })
    await user.put('/api/user/self', { password: 'another-password', current_password })
    const { data } = (await hub.root.get(`/api/audit/?actor_id=${user.id}&size=100`)).body.data
    const rows = data.slice(0, 3)
    expect(rows.map((row: { action: string }) => row.action)).toEqual([
      'profile.update',
      'profile.update',
      'profile.createAccessToken',
    ])
    expect(rows[1]).toMatchObject({ target: username, actor_name: user.username, outcome: '' })
    for (const secret of [current_password, 'another-password', token])
      expect(JSON.stringify(data)).not.toContain(secret)
  })
})
