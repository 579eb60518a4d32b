import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  getAccount,
  getTokenSpend,
  insertAccount,
  insertToken,
  ledgerOf,
  testTime,
} from '../../test/ledger/fixtures.ts'
import { describeStores } from '../../test/stores.ts'
import { idsPerEpoch, unboundedHolds } from './operations.ts'
import * as nodes from './queries/nodes.ts'

describeStores('the ledger', stores => {
  const opened = async (balance = 1000, spend: Parameters<typeof insertToken>[3] = {}) => {
    const store = await stores.open()
    await insertAccount(store.db, 1, balance)
    await insertToken(store.db, 10, 1, spend)
    const rows = (table: 'transfers' | 'holds' | 'shortfalls' | 'logs' | 'idempotency') =>
      store.db.selectFrom(table).selectAll().execute() as Promise<Record<string, unknown>[]>
    return { store, rows, ...ledgerOf(store) }
  }

  it('a hold is reserved on account and token, and settling posts the charge once', async () => {
    const { store, rows, hold, settle } = await opened()
    const { id, outcome } = await hold(300)
    expect(outcome).toEqual({ ok: true })
    expect(await getAccount(store)).toMatchObject({
      balance: 1000,
      held: 300,
      used: 0,
      requests: 0,
    })
    expect(await getTokenSpend(store)).toMatchObject({ held: 300, used: 0 })

    expect(await settle(id, 120)).toEqual({ ok: true, charged: 120, shortfall: 0, late: false })
    expect(await getAccount(store)).toMatchObject({ balance: 880, held: 0, used: 120, requests: 1 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 0, used: 120, last_used_at: testTime })
    expect(await rows('holds')).toEqual([])
    expect(await rows('transfers')).toEqual([
      {
        id,
        at: testTime,
        kind: 'request',
        source: String(id),
        debit: 1,
        credit: -1,
        amount: 120,
        token_id: 10,
        channel_id: 3,
        price_id: 1,
        usage: '{"usage":{"input":10}}',
      },
    ])
    expect(await rows('logs')).toMatchObject([
      {
        id,
        quota: 120,
        content: 'a "quoted" \\ line\nand {braces}, 漢字',
        metadata: '{"first_response":12}',
      },
    ])
    expect(await store.db.selectFrom('channel_used').selectAll().execute()).toEqual([
      { channel_id: 3, epoch: store.ledger.epoch, used: 120, n: 1 },
    ])
  })

  it('settling twice charges once', async () => {
    const { store, rows, hold, settle } = await opened()
    const { id } = await hold(300)
    await Promise.all([settle(id, 120), settle(id, 120), settle(id, 120)])
    expect(await settle(id, 200)).toEqual({ ok: true, charged: 120, shortfall: 0, late: false })
    expect(await getAccount(store)).toMatchObject({ balance: 880, held: 0, used: 120, requests: 1 })
    expect(await rows('transfers')).toHaveLength(1)
    expect(await rows('logs')).toHaveLength(1)
  })

  it('a voided hold leaves no trace, also when voided twice', async () => {
    const { store, rows, hold, giveBack } = await opened()
    const { id } = await hold(300)
    await Promise.all([giveBack(id), giveBack(id)])
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 0, used: 0, requests: 0 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 0, used: 0, last_used_at: 0 })
    expect(await rows('transfers')).toEqual([])
  })

  it('voiding a settled request changes nothing', async () => {
    const { store, rows, hold, settle, giveBack } = await opened()
    const { id } = await hold(300, { idempotency: { keyHash: 'k', bodyHash: 'b' } })
    await settle(id, 100)
    await giveBack(id)
    expect(await getAccount(store)).toMatchObject({ balance: 900, held: 0 })
    expect(await rows('idempotency')).toHaveLength(1)
  })

  it('an operation submitted before the outcome of its hold runs after the hold', async () => {
    const { store, rows, hold, giveBack } = await opened()
    const id = store.ledger.nextId()
    await Promise.all([hold(300, { id }), giveBack(id)])
    expect(await getAccount(store)).toMatchObject({ held: 0 })
    expect(await rows('holds')).toEqual([])
  })

  it('a repeated hold is one hold', async () => {
    const { store, hold } = await opened()
    const { id } = await hold(300)
    expect((await hold(300, { id })).outcome).toEqual({ ok: true })
    expect(await getAccount(store)).toMatchObject({ held: 300 })
  })

  it('a hold beyond balance minus holds is refused and leaves the token alone', async () => {
    const { store, rows, hold } = await opened(1000, { cap: 5000 })
    await hold(700)
    expect((await hold(301)).outcome).toEqual({ ok: false, why: 'held', held: 700 })
    expect((await hold(1001)).outcome).toEqual({ ok: false, why: 'balance' })
    expect((await hold(300)).outcome).toEqual({ ok: true })
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 1000 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 1000 })
    expect(await rows('holds')).toHaveLength(2)
  })

  it('many holds at once: exactly as many pass as the balance covers', async () => {
    const { store, hold } = await opened(1000)
    const all = await Promise.all(Array.from({ length: 200 }, () => hold(10)))
    expect(all.filter(each => each.outcome.ok)).toHaveLength(100)
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 1000 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 1000 })
  })

  it('concurrent holds that do not fit together are decided one by one, in order', async () => {
    const { store } = await opened(1000, { cap: 250 })
    await insertToken(store.db, 11, 1)
    await insertToken(store.db, 12, 1, { expires_at: testTime + 5 })
    await insertAccount(store.db, 2, 400)
    await insertToken(store.db, 20, 2)
    const [mine, other, ending, hers] = [
      ledgerOf(store),
      ledgerOf(store, 1, 11),
      ledgerOf(store, 1, 12),
      ledgerOf(store, 2, 20),
    ]
    const results = await Promise.all([
      mine.hold(200),
      hers.hold(Number.MAX_SAFE_INTEGER),
      mine.hold(100),
      hers.hold(Number.MAX_SAFE_INTEGER),
      other.hold(300),
      hers.hold(150),
      other.hold(600),
      hers.hold(250),
      ending.hold(20),
      ending.hold(30, { at: testTime + 5 }),
      other.hold(50),
      other.hold(0),
    ])
    expect(results.map(({ outcome }) => (outcome.ok ? 'ok' : outcome.why))).toEqual([
      'ok',
      'balance',
      'held',
      'balance',
      'ok',
      'ok',
      'held',
      'ok',
      'ok',
      'token-expired',
      'ok',
      'ok',
    ])
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 570 })
    expect(await getAccount(store, 2)).toMatchObject({ balance: 400, held: 400 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 200 })
    expect(await getTokenSpend(store, 11)).toMatchObject({ held: 350 })
    expect(await getTokenSpend(store, 12)).toMatchObject({ held: 20 })
  })

  it('concurrent charges all count on the rows that they share', async () => {
    const { store, rows, hold, settle, giveBack } = await opened()
    await insertToken(store.db, 11, 1)
    const other = ledgerOf(store, 1, 11)
    const held = await Promise.all([hold(100), hold(100), hold(100), other.hold(100), hold(100)])
    const [first, second, third, fourth, fifth] = held.map(({ id }) => id) as [number, ...number[]]
    const outcomes = await Promise.all([
      settle(first, 30),
      settle(second!, 150),
      giveBack(third!),
      other.settle(fourth!, 7, { channelId: 4, at: testTime + 9 }),
      settle(fifth!, 0),
    ])
    expect(outcomes.map(each => ('charged' in each ? each.charged : 'void'))).toEqual([
      30,
      150,
      'void',
      7,
      0,
    ])
    expect(await getAccount(store)).toMatchObject({ balance: 813, held: 0, used: 187, requests: 4 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 0, used: 180, last_used_at: testTime })
    expect(await getTokenSpend(store, 11)).toMatchObject({
      held: 0,
      used: 7,
      last_used_at: testTime + 9,
    })
    expect(await rows('transfers')).toHaveLength(4)
    const { epoch } = store.ledger
    const used = store.db.selectFrom('channel_used').selectAll().orderBy('channel_id').execute()
    expect(await used).toEqual([
      { channel_id: 3, epoch, used: 180, n: 3 },
      { channel_id: 4, epoch, used: 7, n: 1 },
    ])
  })

  it('a token is refused for its status, expiry and cap, and if it does not exist', async () => {
    const { store, hold } = await opened(1000, { cap: 100 })
    await insertToken(store.db, 11, 1, { status: 2 })
    await insertToken(store.db, 12, 1, { expires_at: testTime })
    await insertToken(store.db, 13, 1, { expires_at: testTime + 1 })
    await insertToken(store.db, 14, 2)
    const why = async (tokenId: number, amount = 10) => (await hold(amount, { tokenId })).outcome
    expect(await why(10, 101)).toEqual({ ok: false, why: 'token-exhausted' })
    expect(await why(10, 100)).toEqual({ ok: true })
    expect(await why(10, 1)).toEqual({ ok: false, why: 'held', held: 100 })
    expect(await why(11)).toEqual({ ok: false, why: 'token-disabled' })
    expect(await why(12)).toEqual({ ok: false, why: 'token-expired' })
    expect(await why(13)).toEqual({ ok: true })
    expect(await why(14)).toEqual({ ok: false, why: 'token-disabled' })
    expect(await why(99)).toEqual({ ok: false, why: 'token-disabled' })
    expect(await getAccount(store)).toMatchObject({ held: 110 })
  })

  it('a frozen account refuses holds and still settles', async () => {
    const { store, hold, settle } = await opened()
    const { id } = await hold(100)
    await store.db.updateTable('accounts').set({ frozen: 1 }).execute()
    expect((await hold(1)).outcome).toEqual({ ok: false, why: 'frozen' })
    expect(await settle(id, 100)).toMatchObject({ charged: 100, shortfall: 0 })
    expect(await getAccount(store)).toMatchObject({ balance: 900, held: 0 })
  })

  it('a repeated Idempotency-Key is refused with its first request, until that is voided', async () => {
    const { store, rows, hold, giveBack } = await opened()
    const idempotency = { keyHash: 'key', bodyHash: 'body' }
    const first = await hold(10, { idempotency })
    const second = await hold(10, { idempotency: { keyHash: 'key', bodyHash: 'other' } })
    const refusal = { ok: false, why: 'duplicate', requestId: first.id, bodyHash: 'body' }
    expect(second.outcome).toEqual(refusal)
    await giveBack(first.id)
    expect((await hold(10, { idempotency })).outcome).toEqual({ ok: true })
    // A refusal for another reason keeps no key.
    const dear = { idempotency: { keyHash: 'dear', bodyHash: 'body' } }
    expect((await hold(100_000, dear)).outcome).toEqual({ ok: false, why: 'balance' })
    expect(await rows('idempotency')).toHaveLength(1)
    expect(await getAccount(store)).toMatchObject({ held: 10 })
  })

  it('a hundred concurrent holds with one key are one request', async () => {
    const { rows, hold } = await opened()
    const idempotency = { keyHash: 'key', bodyHash: 'body' }
    const all = await Promise.all(Array.from({ length: 100 }, () => hold(1, { idempotency })))
    expect(all.filter(each => each.outcome.ok)).toHaveLength(1)
    expect(await rows('holds')).toHaveLength(1)
    // Also beside a hold of the same user that has no key.
    const mixed = await Promise.all([hold(1), hold(1, { idempotency }), hold(1, { idempotency })])
    expect(mixed.map(({ outcome }) => outcome.ok)).toEqual([true, false, false])
  })

  it('a checkpoint extends the hold by the points that account and token cover', async () => {
    const { store, rows, hold, checkpoint } = await opened(1000, { cap: 600 })
    const { id } = await hold(500)
    expect(await checkpoint(id, 40, 80)).toEqual({ ok: true, granted: 80 })
    expect(await checkpoint(id, 50, 80)).toEqual({ ok: true, granted: 20 })
    expect(await checkpoint(id, 60, 80)).toEqual({ ok: true, granted: 0 })
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 600 })
    expect(await getTokenSpend(store)).toMatchObject({ held: 600 })
    expect(await rows('holds')).toMatchObject([{ amount: 600, accrued: 60, usage: '{"so":"far"}' }])
    expect(await checkpoint(id + 1, 1)).toEqual({ ok: false, why: 'gone' })
    await store.db.updateTable('token_spend').set({ status: 2, cap: null }).execute()
    expect(await checkpoint(id, 61, 80)).toEqual({ ok: true, granted: 0 })
    // Here the balance is the smaller of the two.
    await insertAccount(store.db, 2, 550)
    await insertToken(store.db, 20, 2, { cap: 5000 })
    const other = await hold(500, { tokenId: 20, userId: 2 })
    expect(await checkpoint(other.id, 40, 80)).toEqual({ ok: true, granted: 50 })
  })

  it('a checkpoint changes no hold of another epoch, whether that node lives or not', async () => {
    const { store, rows, hold, checkpoint } = await opened(1000)
    const { id } = await hold(100)
    await checkpoint(id, 10)
    const before = await rows('holds')
    const { epoch } = store.ledger
    // Declared dead, the process goes on under another epoch, while another node may own the old one.
    await nodes.retire(store.db, epoch)
    await expect(hold(1)).rejects.toMatchObject({ code: 'server.ledger' })
    expect(store.ledger.epoch).toBeGreaterThan(epoch)
    expect(await checkpoint(id, 60, 80)).toEqual({ ok: false, why: 'gone' })
    expect(await rows('holds')).toEqual(before)
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 100 })
  })

  it('a node that was declared dead writes nothing, and goes on under a new epoch', async () => {
    const { store, rows, hold, settle } = await opened(1000)
    const open = await hold(100)
    const dead = store.ledger.epoch
    await nodes.retire(store.db, dead)
    await expect(hold(1)).rejects.toMatchObject({ code: 'server.ledger' })
    expect(await rows('holds')).toHaveLength(1)
    expect(store.ledger.epoch).toBeGreaterThan(dead)
    expect((await hold(1)).outcome).toEqual({ ok: true })
    expect(await settle(open.id, 40)).toMatchObject({ ok: true, charged: 40 })
    // An operation that ends a hold is refused too, and sent again under the next epoch.
    const last = await hold(100)
    const second = store.ledger.epoch
    await nodes.retire(store.db, second)
    expect(await settle(last.id, 40)).toMatchObject({ ok: true, charged: 40 })
    expect(store.ledger.epoch).toBeGreaterThan(second)
  })

  it('a charge above the hold takes the available balance, and the rest is a shortfall', async () => {
    const { store, rows, hold, settle } = await opened(1000)
    const one = await hold(400)
    await hold(500)
    expect(await settle(one.id, 450)).toEqual({ ok: true, charged: 450, shortfall: 0, late: false })
    const two = await hold(50)
    expect(await settle(two.id, 70)).toEqual({ ok: true, charged: 50, shortfall: 20, late: false })
    expect(await getAccount(store)).toMatchObject({ balance: 500, held: 500, used: 500 })
    expect(await rows('shortfalls')).toEqual([
      { id: two.id, user_id: 1, amount: 20, at: testTime, kind: null },
    ])
    expect(await rows('logs')).toMatchObject([{ quota: 450 }, { quota: 50 }])
    // Said again: still once.
    expect(await settle(two.id, 70)).toMatchObject({ charged: 50, shortfall: 20 })
    expect(await rows('shortfalls')).toHaveLength(1)
  })

  it('a settle never charges more than the cap of its token covers', async () => {
    const { store, rows, hold, settle } = await opened(10_000, { cap: 1000 })
    const [one, two] = [await hold(300), await hold(300)]
    // 600 of the cap are held, so 400 are left for both.
    const settled = await Promise.all([settle(one.id, 5000), settle(two.id, 5000)])
    expect(settled).toEqual([
      { ok: true, charged: 700, shortfall: 4300, late: false },
      { ok: true, charged: 300, shortfall: 4700, late: false },
    ])
    expect(await getTokenSpend(store)).toMatchObject({ used: 1000, held: 0 })
    expect(await settle(store.ledger.nextId(), 10)).toMatchObject({ charged: 0, shortfall: 10 })
    expect(await getAccount(store)).toMatchObject({ balance: 9000, held: 0, used: 1000 })
    expect(await rows('shortfalls')).toHaveLength(3)
  })

  it('a refusal names other holds only where nothing else is in the way', async () => {
    const { store, hold } = await opened(1000)
    await insertToken(store.db, 11, 1, { cap: 500 })
    await insertToken(store.db, 12, 1, { cap: 5000 })
    await hold(400, { tokenId: 11 })
    const why = async (tokenId: number, amount: number) => (await hold(amount, { tokenId })).outcome
    expect(await why(11, 200)).toEqual({ ok: false, why: 'held', held: 400 })
    expect(await why(11, 501)).toEqual({ ok: false, why: 'token-exhausted' })
    expect(await why(12, 700)).toEqual({ ok: false, why: 'held', held: 400 })
    expect(await why(12, 1001)).toEqual({ ok: false, why: 'balance' })
    expect(await getAccount(store)).toMatchObject({ held: 400 })
    await store.db.updateTable('accounts').set({ frozen: 1 }).execute()
    expect(await why(11, 200)).toEqual({ ok: false, why: 'frozen' })
  })

  it('a user has one hold at a time that must be alone, on all tokens and in all batches', async () => {
    const { store, rows, hold, settle } = await opened(1000)
    await insertToken(store.db, 11, 1)
    await insertAccount(store.db, 2, 1000)
    await insertToken(store.db, 20, 2)
    const { alone, assumed } = unboundedHolds
    const held = await Promise.all([
      hold(10, { unbounded: alone }),
      hold(10, { unbounded: alone }),
      hold(10, { unbounded: alone, tokenId: 11 }),
      hold(10, { unbounded: assumed }),
      hold(10),
      hold(10, { unbounded: alone, tokenId: 20, userId: 2 }),
    ])
    expect(held.map(({ outcome }) => outcome.ok || outcome.why)).toEqual([
      true,
      'held',
      'held',
      true,
      true,
      true,
    ])
    // Another hold is named only where nothing else is in the way.
    const why = async (tokenId: number, amount = 10) =>
      (await hold(amount, { tokenId, unbounded: alone })).outcome
    expect(await why(10)).toEqual({ ok: false, why: 'held', held: 30 })
    expect(await why(11)).toEqual({ ok: false, why: 'held', held: 30 })
    expect(await why(10, 1001)).toEqual({ ok: false, why: 'balance' })
    expect(await why(99)).toEqual({ ok: false, why: 'token-disabled' })
    const first = held[0]!.id
    expect((await hold(10, { id: first, unbounded: alone })).outcome).toEqual({ ok: true })
    expect((await hold(10, { unbounded: alone })).outcome).toMatchObject({ why: 'held' })
    expect(await settle(first, 5000)).toEqual({
      ...{ ok: true, charged: 980, shortfall: 4020, late: false, isUnbounded: true },
    })
    expect(await rows('shortfalls')).toMatchObject([{ id: first, kind: 'unbounded' }])
    expect((await hold(0, { unbounded: alone })).outcome).toEqual({ ok: true })
  })

  it('a charge within its hold is taken whole after the cap was lowered', async () => {
    const { store, hold, settle } = await opened(10_000, { cap: 1000 })
    const { id } = await hold(300)
    await store.db.updateTable('token_spend').set({ cap: 100 }).execute()
    expect(await settle(id, 350)).toMatchObject({ charged: 300, shortfall: 50 })
    expect(await getAccount(store)).toMatchObject({ balance: 9700, held: 0 })
  })

  it('a settle whose hold was lost is posted late, once, bounded by the balance', async () => {
    const { store, rows, settle } = await opened(100)
    const id = store.ledger.nextId()
    expect(await settle(id, 30)).toEqual({ ok: true, charged: 30, shortfall: 0, late: true })
    await settle(id, 30)
    expect(await settle(store.ledger.nextId(), 90)).toMatchObject({ charged: 70, shortfall: 20 })
    expect(await getAccount(store)).toMatchObject({ balance: 0, held: 0, used: 100, requests: 2 })
    expect(await rows('transfers')).toHaveLength(2)
  })

  it('a takeover charges what was accrued, and the late settle the difference, up or down', async () => {
    const { store, rows, hold, checkpoint, recover, settle } = await opened(1000)
    const [up, down, none] = [await hold(100), await hold(100), await hold(100)]
    await checkpoint(up.id, 40)
    await checkpoint(down.id, 60)
    for (const { id } of [up, down, none, up]) await recover(id)
    expect(await getAccount(store)).toMatchObject({ balance: 900, held: 0, used: 100, requests: 2 })

    const before = store.ledger.epoch
    await nodes.retire(store.db, before)
    await expect(hold(1)).rejects.toMatchObject({ code: 'server.ledger' })
    expect(store.ledger.epoch).toBeGreaterThan(before)
    for (const repeat of [1, 2]) {
      const late = { ok: true, shortfall: 0, late: true }
      // The first late posting is the last, whatever a repetition asks for.
      expect(await settle(up.id, repeat === 1 ? 70 : 90)).toEqual({ ...late, charged: 70 })
      expect(await settle(down.id, 25)).toEqual({ ...late, charged: 25 })
      expect(await settle(none.id, 10)).toEqual({ ...late, charged: 10 })
    }
    expect(await getAccount(store)).toMatchObject({ balance: 895, held: 0, used: 105, requests: 3 })
    const posted = (await rows('transfers')).map(({ id, kind, source, amount }) => [
      id,
      kind,
      source,
      amount,
    ])
    expect(posted.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [-down.id, 'late', String(down.id), -35],
      [-up.id, 'late', String(up.id), 30],
      [up.id, 'request', String(up.id), 40],
      [down.id, 'request', String(down.id), 60],
      [none.id, 'request', String(none.id), 10],
    ])
    const used = await store.db.selectFrom('channel_used').selectAll().execute()
    expect(used.reduce((sum, each) => sum + each.used, 0)).toBe(105)
    expect(await rows('logs')).toHaveLength(3)
  })

  it('a takeover charges no more than the hold, whatever was accrued', async () => {
    const { store, hold, checkpoint, recover } = await opened(1000)
    const { id } = await hold(100)
    await checkpoint(id, 150)
    await recover(id)
    expect(await getAccount(store)).toMatchObject({ balance: 900, held: 0, used: 100 })
  })

  it('a late settle that found no balance is a shortfall once, and takes nothing later', async () => {
    const { store, rows, hold, checkpoint, recover, settle } = await opened(100)
    const { id } = await hold(100)
    await checkpoint(id, 100)
    await recover(id)
    await nodes.retire(store.db, store.ledger.epoch)
    await expect(hold(1)).rejects.toMatchObject({ code: 'server.ledger' })
    const short = { ok: true, charged: 100, shortfall: 50, late: true }
    expect(await settle(id, 150)).toEqual(short)
    await store.db.updateTable('accounts').set({ balance: 1000 }).execute()
    expect(await settle(id, 150)).toEqual(short)
    expect(await getAccount(store)).toMatchObject({ balance: 1000, used: 100 })
    expect(await rows('shortfalls')).toHaveLength(1)
  })

  it('an invalid operation fails alone', async () => {
    const { store, hold, settle } = await opened()
    const held = await Promise.all(Array.from({ length: 8 }, () => hold(10)))
    const withoutAccount = store.ledger.nextId()
    const settled = await Promise.allSettled([
      ...held.map(({ id }) => settle(id, 10)),
      settle(withoutAccount, 10, { userId: 404 }),
    ])
    expect(settled.map(each => each.status)).toEqual([...Array(8).fill('fulfilled'), 'rejected'])
    expect(await getAccount(store)).toMatchObject({ balance: 920, held: 0, requests: 8 })
  })

  it('an amount that is no non-negative safe integer never reaches the database', async () => {
    const { store, hold, settle } = await opened()
    const { id } = await hold(10)
    for (const charge of [Number.NaN, -1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY]) {
      await expect(settle(id, charge)).rejects.toMatchObject({ code: 'server.failed' })
      await expect(hold(charge)).rejects.toMatchObject({ code: 'server.failed' })
    }
    expect(await getAccount(store)).toMatchObject({ balance: 1000, held: 10 })
  })

  it('the database refuses to change postings and audit rows', async () => {
    const { store, hold, settle } = await opened()
    await settle((await hold(10)).id, 10)
    const { db } = store
    await expect(db.updateTable('transfers').set({ amount: 1 }).execute()).rejects.toThrow()
    await expect(db.deleteFrom('transfers').execute()).rejects.toThrow()
    if (stores.isPostgres) await expect(sql`truncate transfers`.execute(db)).rejects.toThrow()
    await db
      .insertInto('audit')
      .values({
        at: testTime,
        actor_id: 1,
        actor_name: 'root',
        action: 'a',
        target: 't',
        input: '{}',
        outcome: 'ok',
        source_ip: '',
        request_id: '1',
        hash: 'h',
      })
      .execute()
    await expect(db.updateTable('audit').set({ at: 1 }).execute()).rejects.toThrow()
    await expect(db.deleteFrom('audit').execute()).rejects.toThrow()
  })

  it('no statement can set a balance below its holds', async () => {
    const { store, hold } = await opened()
    await hold(600)
    const below = store.db.updateTable('accounts').set({ balance: 599 }).execute()
    await expect(below).rejects.toThrow()
    for (const table of ['accounts', 'token_spend'] as const) {
      const negative = store.db.updateTable(table).set({ held: -1 }).execute()
      await expect(negative).rejects.toThrow()
    }
  })

  it('ids are safe integers, ordered and unique', async () => {
    const { store } = await opened()
    const [a, b] = [store.ledger.nextId(), store.ledger.nextId()]
    expect(Math.floor(a / idsPerEpoch)).toBe(store.ledger.epoch)
    expect(b).toBeGreaterThan(a)
    expect(Number.isSafeInteger(b)).toBe(true)
  })
})
