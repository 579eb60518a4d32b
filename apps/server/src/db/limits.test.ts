import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import * as limits from './queries/limits.ts'

onBothEngines('what an owner has spent', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })
  const post = (id: number, at: number, amount: number, kind = 'request') =>
    hub.app.db
      .insertInto('transfers')
      .values({
        id,
        at,
        kind,
        source: String(id),
        debit: 900,
        credit: -1,
        amount,
        token_id: 70,
        channel_id: 0,
        price_id: 0,
        usage: '{}',
      })
      .execute()

  it('a mark is the spending before the window, whenever it is created, and never changes', async () => {
    const { db } = hub.app
    const spend = { token_id: 70, user_id: 900, status: 1, expires_at: -1, cap: null, held: 5 }
    await db
      .insertInto('token_spend')
      .values({ ...spend, used: 100, last_used_at: 150 })
      .execute()
    const account = { user_id: 900, balance: 1_000, held: 5, used: 100, requests: 3, frozen: 0 }
    await db.insertInto('accounts').values(account).execute()
    const token70 = {
      id: 70,
      user_id: 900,
      name: 'a key',
      key_hash: 'a hash',
      key_masked: '',
      key_sealed: '',
      group: '',
      setting: '{}',
      created_time: 0,
      deleted_at: 5,
    }
    await db.insertInto('tokens').values(token70).execute()
    await post(1, 90, 60)
    await post(2, 120, 30)
    await post(3, 150, 15)
    await post(-3, 151, -5, 'late')
    const token = { owner: { tokenId: 70 }, name: 'token:70', window: 'day' }
    expect(await limits.sumPostedSince(db, token.owner, 100)).toEqual({ amount: 40, calls: 2 })
    expect(await limits.findOrCreateMark(db, { ...token, since: 100 })).toBe(60)
    const user = { owner: { userId: 900 }, name: 'user:900', window: 'month' }
    expect(await limits.findOrCreateMark(db, { ...user, since: 130 })).toBe(90)
    expect(await limits.findSpending(db, token.owner)).toEqual({ used: 100, held: 5, lastAt: 150 })

    await db.updateTable('token_spend').set({ used: 400, last_used_at: 160 }).execute()
    expect(await limits.findOrCreateMark(db, { ...token, since: 100 })).toBe(60)
    // A later window of the same kind takes its place; where nothing was charged since, nothing is read.
    expect(await limits.findOrCreateMark(db, { ...token, since: 200 })).toBe(400)
    const rows = await db.selectFrom('limit_marks').selectAll().orderBy('owner').execute()
    expect(rows).toEqual([
      { owner: 'token:70', window: 'day:200', used: 400 },
      { owner: 'user:900', window: 'month:130', used: 90 },
    ])
  })

  it('an owner without postings has spent nothing', async () => {
    expect(await limits.findSpending(hub.app.db, { userId: 901 })).toEqual({
      used: 0,
      held: 0,
      lastAt: 0,
    })
  })
})
