import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { startUpstream } from '../../../../../test/upstream/start.ts'
import { onBothEngines, type TestUser } from '../../../test/harness.ts'
import { perDollar } from '../../../test/payments/describe-vendors.ts'
import { expectCleanAudit } from '../../../test/payments/hub.ts'
import { dispute, hub, pay, payments, prepare, spendAll } from '../../../test/payments/reversals.ts'
import { freezeAccount } from '../../billing/ledger.ts'
import { alignDebtFreezes } from '../../billing/orders/debts.ts'

const redeem = async (user: TestUser, points: number) => {
  const made = await hub.root.post('/api/redemption/', { name: 'c', quota: points, count: 1 })
  expect((await user.post('/api/user/topup', { key: made.body.data[0] })).status).toBe(200)
}
const owing = async (dollars = 10): Promise<{ user: TestUser; tradeNo: string }> => {
  const user = await hub.person()
  const tradeNo = await pay(user, dollars)
  await spendAll(user)
  await dispute(tradeNo, 'lost')
  expect((await payments.order(tradeNo)).debt).toBe(dollars * perDollar)
  return { user, tradeNo }
}
const frozen = async ({ id }: TestUser): Promise<number> =>
  (
    await hub.app.db
      .selectFrom('accounts')
      .select('frozen')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
  ).frozen

const debtTests = () => {
  it('R35 a payment pays the debt first, with a posting that the order page shows', async () => {
    const { user, tradeNo } = await owing()
    const next = await pay(user, 4)
    expect(await payments.balance(user)).toBe(0)
    expect((await payments.order(tradeNo)).debt).toBe(6 * perDollar)
    await Promise.all([pay(user, 4), pay(user, 4)])
    expect(await payments.balance(user)).toBe(2 * perDollar)
    expect((await payments.order(tradeNo)).debt).toBe(0)
    const { postings, events } = await payments.detail(tradeNo)
    expect(postings.map(({ kind, points }) => [kind, points])).toEqual([
      ['order', 10 * perDollar],
      ['debt', -4 * perDollar],
      ['debt', -4 * perDollar],
      ['debt', -2 * perDollar],
    ])
    expect(postings[1]!.by).toBe(`order:${(await payments.order(next)).id}`)
    expect(events.filter(({ kind }) => kind === 'debt')).toHaveLength(3)
  })

  it('R35 a redemption code pays the debt first, and a change of the balance by hand does not', async () => {
    const { user, tradeNo } = await owing()
    await redeem(user, 4 * perDollar)
    expect(await payments.balance(user)).toBe(0)
    await hub.root.post(`/api/user/quota/${user.id}`, { quota: perDollar, remark: 'sorry' })
    expect(await payments.balance(user)).toBe(perDollar)
    expect((await payments.order(tradeNo)).debt).toBe(6 * perDollar)
  })

  it('R35 ten top-ups at once pay debts of two orders once', async () => {
    const user = await hub.person()
    const [one, other] = [await pay(user, 5), await pay(user, 15)]
    await spendAll(user)
    for (const each of [one, other]) await dispute(each, 'lost')
    const codes = await hub.root.post('/api/redemption/', {
      name: 'c',
      quota: 3 * perDollar,
      count: 10,
    })
    await Promise.all(codes.body.data.map((key: string) => user.post('/api/user/topup', { key })))
    expect(await payments.balance(user)).toBe((30 - 20) * perDollar)
    for (const each of [one, other]) expect((await payments.order(each)).debt).toBe(0)
  })

  it('R35 a dispute that is won after the debt was paid gives all points back', async () => {
    const user = await hub.person()
    const tradeNo = await pay(user, 10)
    await spendAll(user)
    await dispute(tradeNo, 'needs_response')
    await pay(user, 4)
    for (let n = 0; n < 2; n += 1) await dispute(tradeNo, 'won')
    expect(await payments.balance(user)).toBe(4 * perDollar)
    expect((await payments.order(tradeNo)).debt).toBe(0)
  })
}

const set = (value: boolean) =>
  hub.root.put('/api/option/', { key: 'FreezeForDebtEnabled', value: String(value) })

const freezeTests = () => {
  it('a debt freezes its account while the setting is on, until it is paid', async () => {
    const before = await owing()
    expect(await frozen(before.user)).toBe(0)
    await set(true)
    await alignDebtFreezes(hub.app)
    const { user } = await owing()
    expect([await frozen(before.user), await frozen(user)]).toEqual([1, 1])
    await redeem(user, 9 * perDollar)
    expect(await frozen(user)).toBe(1)
    await pay(user, 1)
    expect(await frozen(user)).toBe(0)
    await set(false)
    await alignDebtFreezes(hub.app)
    expect(await frozen(before.user)).toBe(0)
  })

  it('a dispute that is won thaws the account', async () => {
    await set(true)
    const user = await hub.person()
    const tradeNo = await pay(user, 10)
    await spendAll(user)
    await dispute(tradeNo, 'needs_response')
    expect(await frozen(user)).toBe(1)
    await dispute(tradeNo, 'won')
    expect(await frozen(user)).toBe(0)
    await set(false)
  })

  it('an account that an administrator froze or deleted stays frozen when the debt is paid', async () => {
    await set(true)
    const { user } = await owing()
    await freezeAccount(hub.app.db, user.id)
    const disabled = await owing()
    await hub.root.post('/api/user/manage', { username: disabled.user.username, action: 'disable' })
    const made = await hub.root.post('/api/redemption/', {
      name: 'c',
      quota: 10 * perDollar,
      count: 1,
    })
    await user.post('/api/user/topup', { key: made.body.data[0] })
    expect(await frozen(user)).toBe(1)
    const earlier = await hub.person()
    const tradeNo = await pay(earlier, 10)
    await spendAll(earlier)
    await freezeAccount(hub.app.db, earlier.id)
    await dispute(tradeNo, 'lost')
    await redeem(earlier, 10 * perDollar)
    expect(await frozen(earlier)).toBe(1)
    await set(false)
    await alignDebtFreezes(hub.app)
    expect(await frozen(user)).toBe(1)
    expect((await hub.root.get(`/api/user/${disabled.user.id}`)).body.data.status).toBe(2)
  })
}

const callTests = () => {
  it('a call of an account that a debt froze is refused with the debt, and served once it is paid', async () => {
    await set(true)
    const { user } = await owing()
    const upstream = await startUpstream()
    onTestFinished(() => upstream.close())
    const model = 'owed:in=7;out=3'
    const channel = { type: 1, name: 'm', models: model, key: 'k', group: 'default' }
    await hub.root.post('/api/channel/', { ...channel, base_url: `${upstream.url}/a` })
    await hub.root.post('/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
    const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
    const address = `http://127.0.0.1:${await hub.listen()}/v1/chat/completions`
    const call = async () => {
      const answer = await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer sk-${data.key.replace(/^sk-/, '')}`,
        },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const refused = await call()
    expect(refused.text).toContain(`Points owed: ${10 * perDollar}.`)
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([403, 'account_debt'])
    await pay(user, 4)
    expect((await call()).text).toContain(`Points owed: ${6 * perDollar}.`)
    expect(upstream.served).toEqual([])
    await pay(user, 7)
    expect((await call()).status).toBe(200)
    expect(await payments.balance(user)).toBe(perDollar - 10)
    await set(false)
  })
}

onBothEngines('debts of refunds and disputes', open => {
  beforeAll(() => prepare(open))
  debtTests()
  freezeTests()
  callTests()
  it('the auditor finds nothing', () => expectCleanAudit(hub))
})
