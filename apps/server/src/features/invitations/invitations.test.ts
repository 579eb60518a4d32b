import { beforeAll, beforeEach, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { expectCleanAudit } from '../../../test/payments/hub.ts'
import { dispute, hub, pay, prepare } from '../../../test/payments/reversals.ts'
import { rewardSpending } from '../../billing/invitations/reward-spending.ts'

const gift = 700
const reward = 900

const set = (key: string, value: string | number) =>
  hub.root.put('/api/option/', { key, value: String(value) })
const balance = async ({ id }: { id: number }): Promise<number> =>
  (await hub.root.get(`/api/user/${id}`)).body.data.quota
const codeOf = async (user: TestUser): Promise<string> =>
  (await user.get('/api/user/aff')).body.data

let made = 0
/** Signs up by an invitation, and in. */
const register = async (aff_code: string, ip?: string): Promise<TestUser> => {
  made += 1
  const username = `invited${made}`
  const visitor = hub.guest(ip ? { ip } : {})
  const password = 'a-long-password'
  const { body } = await visitor.post('/api/user/register', { username, password, aff_code })
  expect(body.success).toBe(true)
  await visitor.signIn(username, password)
  const { id } = (await visitor.get('/api/user/self')).body.data
  return { ...visitor, id, username, password }
}
const invitationOf = async ({ id }: { id: number }) =>
  (await hub.root.get('/api/invitation/?size=100')).body.data.data.find(
    (each: { user_id: number }) => each.user_id === id,
  )
const redeem = async (user: TestUser, quota: number) => {
  const { body } = await hub.root.post('/api/redemption/', { name: 'c', quota, count: 1 })
  await user.post('/api/user/topup', { key: body.data[0] })
}
const reset = async () => {
  await set('InviterRewardTime', 'payment_or_spending')
  for (const cap of ['Inviter', 'Address', 'Day']) await set(`InvitationsPer${cap}Max`, 0)
}

const open = async (start: () => Promise<TestApp>) => {
  await prepare(start)
  await set('QuotaForInviter', reward)
  await set('QuotaForInvitee', gift)
  await set('RegistrationsPerAddressMax', 10_000)
}

onBothEngines('caps of invitations', start => {
  beforeAll(() => open(start))
  beforeEach(reset)

  const burst = (code: string, addresses: readonly string[]) =>
    Promise.all(addresses.map(ip => register(code, ip)))
  const addresses = (n: number) => Array.from({ length: n }, (_, index) => `203.0.113.${index + 1}`)
  const gifted = async (users: TestUser[]): Promise<number> =>
    (await Promise.all(users.map(balance))).filter(each => each === gift).length

  it('100 registrations at once never exceed the cap of the inviter', async () => {
    await set('InvitationsPerInviterMax', 7)
    const inviter = await hub.person()
    const users = await burst(await codeOf(inviter), addresses(100))
    expect(await gifted(users)).toBe(7)
    const states = await Promise.all(users.slice(0, 20).map(invitationOf))
    expect(states.every(each => ['waiting', 'withheld'].includes(each.state))).toBe(true)
    expect((await inviter.get('/api/user/self')).body.data.aff_count).toBe(100)
  })

  it('100 registrations from one address never exceed its cap, whoever invites', async () => {
    await set('InvitationsPerAddressMax', 5)
    const codes = [await codeOf(await hub.person()), await codeOf(await hub.person())]
    const users = await Promise.all(
      Array.from({ length: 100 }, (_, n) => register(codes[n % 2]!, '203.0.113.200')),
    )
    expect(await gifted(users)).toBe(5)
  })

  it('all addresses of one /64 share a cap', async () => {
    await set('InvitationsPerAddressMax', 1)
    const code = await codeOf(await hub.person())
    const users = await burst(code, ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1'])
    expect(await gifted(users)).toBe(2)
    const refused = (await Promise.all(users.map(invitationOf))).filter(
      ({ state }) => state === 'withheld',
    )
    expect(refused).toMatchObject([
      { reason: 'address', address: '2001:db8:1:2::/64', gift, gift_given: 0, reward_given: 0 },
    ])
  })

  it('the site gives at most its cap a day, and again the next day', async () => {
    await set('InvitationsPerDayMax', 3)
    const code = await codeOf(await hub.person())
    expect(await gifted(await burst(code, addresses(12)))).toBe(3)
    hub.clock.now += 26 * 3_600_000
    expect(await gifted([await register(code)])).toBe(1)
  })

  it('a refused invitation uses up no other cap', async () => {
    await set('InvitationsPerInviterMax', 2)
    await set('InvitationsPerAddressMax', 1)
    const code = await codeOf(await hub.person())
    const same = await burst(code, Array(5).fill('203.0.113.77'))
    expect(await gifted(same)).toBe(1)
    expect(await gifted([await register(code, '203.0.113.78')])).toBe(1)
    // The cap of the inviter refuses an address, which stays free for another inviter.
    expect(await gifted([await register(code, '203.0.113.79')])).toBe(0)
    const other = await codeOf(await hub.person())
    expect(await gifted([await register(other, '203.0.113.79')])).toBe(1)
  })

  it('the auditor finds nothing', () => expectCleanAudit(hub))
})

const invite = async () => {
  const inviter = await hub.person()
  return { inviter, user: await register(await codeOf(inviter)) }
}

/** Spends points of the user, and lets the job look for rewards. */
const use = async (user: Awaited<ReturnType<typeof register>>, points: number) => {
  await hub.app.db
    .updateTable('accounts')
    .set(({ eb }) => ({ balance: eb('balance', '-', points), used: eb('used', '+', points) }))
    .where('user_id', '=', user.id)
    .execute()
  await rewardSpending(hub.app)
}

const timeTests = () => {
  it('the invited user has the gift at once, and the inviter the reward after the first payment', async () => {
    const { inviter, user } = await invite()
    expect([await balance(user), await balance(inviter)]).toEqual([gift, 0])
    expect((await inviter.get('/api/user/invitation')).body.data).toMatchObject({
      waiting: 1,
      reward: 0,
      reward_time: 'payment_or_spending',
    })
    await Promise.all([pay(user, 1), pay(user, 1)])
    expect(await balance(inviter)).toBe(reward)
    expect(await invitationOf(user)).toMatchObject({ state: 'given', reward_given: reward })
  })

  it('at once: the inviter has the reward at the registration', async () => {
    await set('InviterRewardTime', 'at_once')
    const { inviter, user } = await invite()
    expect(await balance(inviter)).toBe(reward)
    await dispute(await pay(user, 1), 'lost')
    expect(await balance(inviter)).toBe(reward)
  })

  it('spending: gifts that are spent bring nothing, points of a code do', async () => {
    const { inviter, user } = await invite()
    await redeem(user, 100)
    await use(user, gift)
    expect(await balance(inviter)).toBe(0)
    await use(user, 1)
    expect(await balance(inviter)).toBe(reward)
    await use(user, -gift - 1)
  })

  it('payment: a code brings nothing', async () => {
    await set('InviterRewardTime', 'payment')
    const { inviter, user } = await invite()
    await redeem(user, 100)
    await use(user, gift + 1)
    expect(await balance(inviter)).toBe(0)
    await use(user, -gift - 1)
  })

  it('spending alone: a payment brings nothing until its points are spent', async () => {
    await set('InviterRewardTime', 'spending')
    const { inviter, user } = await invite()
    await pay(user, 1)
    expect(await balance(inviter)).toBe(0)
    await use(user, gift + 1)
    expect(await balance(inviter)).toBe(reward)
    await use(user, -gift - 1)
  })
}

const decisionTests = () => {
  it('a returned payment takes the reward back up to the balance, and a dispute that is won returns it', async () => {
    const { inviter, user } = await invite()
    const tradeNo = await pay(user, 1)
    await hub.root.post(`/api/user/quota/${inviter.id}`, { quota: -200, remark: 'spent' })
    for (let n = 0; n < 2; n += 1) await dispute(tradeNo, 'needs_response')
    expect(await balance(inviter)).toBe(0)
    expect(await invitationOf(user)).toMatchObject({
      ...{ state: 'withheld', reason: 'returned', reward_given: 200 },
    })
    for (let n = 0; n < 2; n += 1) await dispute(tradeNo, 'won')
    expect(await balance(inviter)).toBe(reward - 200)
    expect((await inviter.get('/api/user/self')).body.data.aff_quota).toBe(reward)
  })

  it('an administrator gives what a cap withheld, and takes it back', async () => {
    await set('InvitationsPerInviterMax', 1)
    const inviter = await hub.person()
    const code = await codeOf(inviter)
    await register(code)
    const user = await register(code)
    const admin = await hub.person(10)
    expect((await admin.post('/api/user/proof', { current_password: admin.password })).status).toBe(
      200,
    )
    const decide = (what: string) =>
      admin.post(`/api/invitation/${user.id}/${what}`, { remark: 'seen' })
    const answers = await Promise.all([1, 2, 3].map(() => decide('give')))
    expect(answers.map(each => each.status).sort()).toEqual([200, 409, 409])
    expect([await balance(user), await balance(inviter)]).toEqual([gift, reward])
    expect((await decide('withhold')).body.data).toMatchObject({
      ...{ state: 'withheld', reason: 'hand', reward_given: 0, decided_by: admin.username },
    })
    expect(await balance(inviter)).toBe(0)
    await pay(user, 1)
    expect(await balance(inviter)).toBe(0)
    expect((await decide('give')).status).toBe(200)
    expect(await balance(inviter)).toBe(reward)
    const audit = (await hub.root.get('/api/audit/?size=100')).body.data.data
    expect(JSON.stringify(audit)).toContain('invitations.give')
  })

  it('a disabled user brings no reward', async () => {
    const { inviter, user } = await invite()
    const tradeNo = await pay(user, 1)
    expect(tradeNo).not.toBe('')
    expect(await balance(inviter)).toBe(reward)
    const other = await register(await codeOf(inviter))
    await hub.root.post('/api/user/manage', { username: other.username, action: 'disable' })
    const given = await hub.root.post(`/api/invitation/${other.id}/give`, { remark: 'seen' })
    expect(given.body.code).toBe('invitation.disabled')
  })

  it('deleting an account forgets the address of its registration', async () => {
    const { user } = await invite()
    expect((await invitationOf(user)).address).not.toBe('')
    await hub.root.delete(`/api/user/${user.id}`)
    expect((await invitationOf(user)).address).toBe('')
  })
}

onBothEngines('rewards of inviters', start => {
  beforeAll(() => open(start))
  beforeEach(reset)

  timeTests()
  decisionTests()
  it('the auditor finds nothing', () => expectCleanAudit(hub))
})
