import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestUser } from '../../../test/harness.ts'
import { expectCleanAudit } from '../../../test/payments/hub.ts'
import {
  dispute,
  groupOf,
  hub,
  pay,
  payments,
  prepare,
  refund,
  spendAll,
} from '../../../test/payments/reversals.ts'

const groupTests = () => {
  it('a group that an administrator chose later stays, also the same one', async () => {
    const [other, same] = [await hub.person(), await hub.person()]
    const orders = [await pay(other, 60), await pay(same, 60)]
    const choose = (user: TestUser, group: string) =>
      hub.root.put('/api/user/', { id: user.id, group })
    await choose(other, 'partner')
    await choose(same, 'partner')
    await choose(same, 'gold')
    for (const each of orders) await refund(each, 1)
    expect([await groupOf(other), await groupOf(same)]).toEqual(['partner', 'gold'])
  })

  it('a user of another group returns to that group', async () => {
    const user = await hub.person(1, { group: 'silver' })
    const tradeNo = await pay(user, 60)
    expect(await groupOf(user)).toBe('gold')
    await refund(tradeNo, 1)
    expect(await groupOf(user)).toBe('silver')
  })

  it('a dispute that is won gives the promotion back, whatever the order of the notices', async () => {
    for (const states of [
      ['needs_response', 'won', 'needs_response'],
      ['won', 'needs_response', 'won'],
    ] as const) {
      const user = await hub.person()
      const tradeNo = await pay(user, 60)
      await spendAll(user)
      for (const state of states)
        await Promise.all([dispute(tradeNo, state), dispute(tradeNo, state)])
      expect(await groupOf(user)).toBe('gold')
      expect((await payments.order(tradeNo)).debt).toBe(0)
    }
  })

  it('the order page names the groups, and tokens use the group at once', async () => {
    const user = await hub.person()
    const tradeNo = await pay(user, 60)
    await user.post('/api/token/', { name: 'mine' })
    const version = async () =>
      (
        await hub.app.db
          .selectFrom('tokens')
          .select('version')
          .where('user_id', '=', user.id)
          .execute()
      )[0]!.version!
    const before = await version()
    await refund(tradeNo, 1)
    expect(await version()).toBeGreaterThan(before)
    const { events } = await payments.detail(tradeNo)
    const moves = events.filter(({ kind }) => kind === 'group').map(each => JSON.parse(each.detail))
    expect(moves).toEqual([
      { from: 'gold', to: 'default' },
      { from: 'default', to: 'gold' },
    ])
  })
}

onBothEngines('promotions that are taken back', open => {
  beforeAll(() => prepare(open))

  /** Paid dollars, what happens to the payment, and the group after it. */
  it.each<[string, number, (tradeNo: string) => Promise<unknown>, string]>([
    ['a whole refund', 60, each => refund(each, 1), 'default'],
    ['a whole refund by hand', 60, each => refund(each, 1, true), 'default'],
    ['a refund below the threshold', 60, each => refund(each, 0.5), 'silver'],
    ['a refund by hand below the threshold', 60, each => refund(each, 0.5, true), 'silver'],
    ['a refund down to the threshold', 100, each => refund(each, 0.5), 'gold'],
    ['an open dispute', 60, each => dispute(each, 'needs_response'), 'default'],
    ['a lost dispute', 60, each => dispute(each, 'lost'), 'default'],
    ['a won dispute', 60, each => dispute(each, 'won'), 'gold'],
  ])('after %s of %i dollars the user has the group that the rest reaches', async (...test) => {
    const [, dollars, reverse, group] = test
    const user = await hub.person()
    const tradeNo = await pay(user, dollars)
    expect(await groupOf(user)).toBe('gold')
    await spendAll(user)
    await reverse(tradeNo)
    expect(await groupOf(user)).toBe(group)
  })

  it('a promotion lasts while other orders justify it, also if two are refunded at once', async () => {
    const user = await hub.person()
    const orders = [await pay(user, 30), await pay(user, 30), await pay(user, 30)]
    await refund(orders[0]!, 1)
    expect(await groupOf(user)).toBe('gold')
    await Promise.all([refund(orders[1]!, 1), refund(orders[2]!, 1)])
    expect(await groupOf(user)).toBe('default')
  })

  groupTests()
  it('the auditor finds nothing', () => expectCleanAudit(hub))
})
