import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp, type TestUser } from '../../../test/harness.ts'
import { makeAuthenticator } from '../../../test/sign-in/software-authenticator.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
const origin = 'https://hub.example'
const proofOf = ({ password }: TestUser) => ({ current_password: password })

const enableTotp = async (user: TestUser) => {
  const { secret } = (await user.post('/api/user/2fa/setup', proofOf(user))).body.data
  const code = codeAtStep(secret, stepAt(Math.floor(hub.clock.now / 1000)))
  expect((await user.post('/api/user/2fa/enable', { code })).status).toBe(200)
}
const addPasskey = async (user: TestUser) => {
  const { body } = await user.post('/api/user/passkey/register/begin', proofOf(user))
  const credential = makeAuthenticator({ origin }).create(body.data)
  const added = await user.post('/api/user/passkey/register/finish', { name: 'Key', credential })
  expect(added.status).toBe(200)
}

onBothEnginesInLongRuns('the reset of a second factor', open => {
  beforeAll(async () => {
    hub = await open()
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: origin })
  })

  it('S21 takes authenticator app and passkeys, ends the sessions, and is in the audit log', async () => {
    const [admin, user] = [await hub.person(10), await hub.person()]
    await addPasskey(user)
    await enableTotp(user)
    const held = (await admin.get(`/api/user/${user.id}`)).body.data
    expect([held.has_second_factor, held.has_passkey]).toEqual([true, true])
    expect((await admin.post(`/api/user/${user.id}/reset_2fa`)).status).toBe(200)
    expect((await user.get('/api/user/self')).status).toBe(401)
    const after = (await user.signIn(user.username, user.password)).body.data
    expect([after.id, after.has_second_factor, after.has_passkey]).toEqual([user.id, false, false])
    const rows = await hub.app.db
      .selectFrom('audit')
      .select(['actor_id', 'target'])
      .where('action', '=', 'users.resetSecondFactor')
      .execute()
    expect(rows).toEqual([{ actor_id: admin.id, target: String(user.id) }])
  })

  it('a user without a second factor has none to reset', async () => {
    const user = await hub.person()
    const response = await hub.root.post(`/api/user/${user.id}/reset_2fa`)
    expect(response.body.code).toBe('second_factor.missing')
  })
})
