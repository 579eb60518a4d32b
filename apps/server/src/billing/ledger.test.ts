import { expect, it } from 'vitest'
import { type BillingApp, onEachEngine } from '../../test/billing-app.ts'
import { audit } from '../auditor/audit.ts'
import * as accountRows from '../db/queries/accounts.ts'
import * as tokenSpend from '../db/queries/token-spend.ts'
import { accounts } from './accounts.ts'
import { freezeAccount, post, type Transfer, thawAccount } from './ledger.ts'
import { remainingQuota, tokenStatus } from './token-limits.ts'

type OpenBillingApp = () => Promise<BillingApp>

const give = (credit: number, amount: number, source: string): Transfer => ({
  kind: 'admin',
  source,
  debit: accounts.grants,
  credit,
  amount,
})
const posting = ({ app }: BillingApp, ...transfers: Transfer[]) =>
  app.db.transaction().execute(tx => post(app, tx, transfers))
const balance = async ({ app }: BillingApp, userId: number) =>
  (await accountRows.find(app.db, userId))?.balance

const testTransfers = (open: OpenBillingApp) => {
  it('a transfer with the same kind and source is posted once, also under concurrency', async () => {
    const money = await open()
    const { userId } = (await money.call(0)).caller
    const posted = await Promise.all(
      Array.from({ length: 20 }, () => posting(money, give(userId, 500, `gift:${userId}`))),
    )
    expect(posted.reduce((sum, each) => sum + each, 0)).toBe(1)
    expect(await balance(money, userId)).toBe(500)
  })

  it('concurrent debits never exceed the free balance', async () => {
    const money = await open()
    const { userId } = (await money.call(1000)).caller
    const take = (n: number): Transfer => ({
      ...give(accounts.grants, 30, `take:${userId}:${n}`),
      debit: userId,
    })
    const taken = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => posting(money, take(n))),
    )
    expect(taken.filter(each => each.status === 'fulfilled')).toHaveLength(33)
    const refused = taken.find(each => each.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'quota.below_zero' })
    expect(await balance(money, userId)).toBe(10)
  })

  it('a debit cannot take held quota', async () => {
    const money = await open()
    const call = await money.call(1000)
    const { userId, tokenId } = call.caller
    const at = money.clock.seconds
    const hold = {
      kind: 'hold' as const,
      id: call.id,
      userId,
      tokenId,
      amount: 900,
      priceId: 1,
      at,
    }
    await money.app.ledger.submit(hold)
    const take = { ...give(accounts.grants, 101, `take:${userId}`), debit: userId }
    await expect(posting(money, take)).rejects.toMatchObject({ code: 'quota.below_zero' })
    await money.app.ledger.submit({ kind: 'void', id: call.id })
    await posting(money, take)
    expect(await balance(money, userId)).toBe(899)
  })

  it('transfers of one transaction are all posted or none', async () => {
    const money = await open()
    const [a, b] = [(await money.call(100)).caller.userId, (await money.call(0)).caller.userId]
    const take = (amount: number): Transfer => ({
      ...give(accounts.grants, amount, `take:${a}:${amount}`),
      debit: a,
    })
    const gift = give(b, 60, `gift:${b}`)
    await expect(posting(money, gift, take(60), take(70))).rejects.toMatchObject({
      code: 'quota.below_zero',
    })
    await expect(posting(money, gift, give(987_654, 1, 'nobody'))).rejects.toMatchObject({
      code: 'resource.missing',
    })
    expect([await balance(money, a), await balance(money, b)]).toEqual([100, 0])
    await posting(money, take(60), gift, give(a, 5, `gift:${a}`))
    expect([await balance(money, a), await balance(money, b)]).toEqual([45, 60])
    expect((await audit(money.source)).isClean).toBe(true)
  })
}

const testAccounts = (open: OpenBillingApp) => {
  it('invalid amounts are refused, and no balance exceeds a safe integer', async () => {
    const money = await open()
    const { userId } = (await money.call(10)).caller
    for (const amount of [0, -5, 1.5, Number.NaN, 2 ** 53, 1e308])
      await expect(posting(money, give(userId, amount, `bad:${userId}`))).rejects.toMatchObject({
        code: 'request.invalid',
      })
    const most = give(userId, Number.MAX_SAFE_INTEGER, `most:${userId}`)
    await expect(posting(money, most)).rejects.toBeDefined()
    expect(await balance(money, userId)).toBe(10)
  })

  it('a frozen account starts no call, and a thawed one does', async () => {
    const money = await open()
    const call = await money.call(1000)
    const { userId, tokenId } = call.caller
    const hold = () => {
      const at = money.clock.seconds
      const id = money.app.ledger.nextId()
      return money.app.ledger.submit({
        kind: 'hold',
        id,
        userId,
        tokenId,
        amount: 1,
        priceId: 1,
        at,
      })
    }
    await freezeAccount(money.app.db, userId)
    expect(await hold()).toMatchObject({ ok: false, why: 'frozen' })
    await thawAccount(money.app.db, userId)
    expect(await hold()).toMatchObject({ ok: true })
  })

  it('the remaining quota and status of a token follow its cap, also while a call runs', async () => {
    const money = await open()
    const call = await money.call(10_000, { cap: 1000 })
    const { userId, tokenId } = call.caller
    const at = money.clock.seconds
    const spend = async () => {
      const row = await tokenSpend.find(money.app.db, tokenId)
      return row && [remainingQuota(row), tokenStatus(row, at), row.used]
    }
    await money.app.ledger.submit({
      kind: 'hold',
      id: call.id,
      userId,
      tokenId,
      amount: 1000,
      priceId: 1,
      at,
    })
    expect(await spend()).toEqual([0, 1, 0])
    await tokenSpend.update(money.app.db, tokenId, { remaining: 300 })
    expect(await spend()).toEqual([300, 1, 0])
    await money.app.ledger.submit({ kind: 'void', id: call.id })
    expect(await spend()).toEqual([1300, 1, 0])
    await tokenSpend.update(money.app.db, tokenId, { remaining: 0 })
    expect(await spend()).toEqual([0, 4, 0])
    await tokenSpend.update(money.app.db, tokenId, { remaining: null, expiresAt: at })
    expect(await spend()).toEqual([0, 3, 0])
    await tokenSpend.update(money.app.db, tokenId, { status: 2, expiresAt: -1 })
    expect(await spend()).toEqual([0, 2, 0])
    expect(await tokenSpend.update(money.app.db, 987_654, { status: 2 })).toBe(false)
    expect(await tokenSpend.update(money.app.db, tokenId, {})).toBe(true)
  })
}

onEachEngine(open => {
  testTransfers(open)
  testAccounts(open)
})
