import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { getAccount, insertAccount, insertToken, ledgerOf } from '../../test/ledger/fixtures.ts'
import { silentLog } from '../../test/silent-log.ts'
import { describeStores } from '../../test/stores.ts'
import { isUniqueViolation } from './engines/query-errors.ts'
import { openStore } from './open.ts'

describeStores('the store', stores => {
  it('starts with three groups, of which only the first is open to everybody', async () => {
    const { db } = await stores.open()
    const groups = await db.selectFrom('user_groups').selectAll().orderBy('id').execute()
    expect(groups.map(each => [each.symbol, each.public, each.enable, each.ratio])).toEqual([
      ['default', 1, 1, '1'],
      ['vip', 0, 1, '1'],
      ['svip', 0, 1, '1'],
    ])
  })

  it('reopens a database with its rows', async () => {
    const location = await stores.location()
    const first = await openStore({ ...location, log: silentLog })
    await first.db.insertInto('options').values({ key: 'a', value: '{"b": "漢字"}' }).execute()
    await first.close()
    const { db } = await stores.open(location)
    expect(await db.selectFrom('options').selectAll().execute()).toEqual([
      { key: 'a', value: '{"b": "漢字"}' },
    ])
  })

  it('maps nothing of the file after it has given back memory, and reads and writes as before', async () => {
    const { dataDir, databaseUrl } = await stores.location()
    const { db, releaseMemory } = await stores.open({ dataDir, databaseUrl })
    const add = (key: string) => db.insertInto('options').values({ key, value: '1' }).execute()
    await add('before')
    await releaseMemory()
    if (process.platform === 'linux')
      expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain(`${dataDir}/hub.db\n`)
    await add('after')
    expect(await db.selectFrom('options').select('key').orderBy('key').execute()).toEqual([
      { key: 'after' },
      { key: 'before' },
    ])
  })

  it('distinguishes a unique violation from other errors', async () => {
    const { db } = await stores.open()
    const add = () => db.insertInto('options').values({ key: 'a', value: '' }).execute()
    await add()
    const twice = await add().catch(error => error)
    expect(isUniqueViolation(twice)).toBe(true)
    const group = { name: 'x', ratio: '1', api_rate: 1, public: 0, enable: 1 }
    const symbol = await db
      .insertInto('user_groups')
      .values({ ...group, symbol: 'vip' })
      .execute()
      .catch(error => error)
    expect(isUniqueViolation(symbol)).toBe(true)
    const check = await db
      .insertInto('user_groups')
      .values({ ...group, symbol: 'y', public: 2 })
      .execute()
      .catch(error => error)
    expect(check).toBeInstanceOf(Error)
    expect(isUniqueViolation(check)).toBe(false)
    expect(isUniqueViolation(await sql`select nothing`.execute(db).catch(error => error))).toBe(
      false,
    )
  })

  it('usernames and email addresses are unique, except empty addresses', async () => {
    const { db } = await stores.open()
    let n = 0
    const add = (username: string, email: string) =>
      db
        .insertInto('users')
        .values({
          username,
          email,
          password_hash: '',
          display_name: '',
          role: 1,
          status: 1,
          avatar_url: '',
          group: 'default',
          aff_code: `aff-${n++}`,
          inviter_id: 0,
          created_time: 1,
          last_login_time: 0,
          last_login_ip: '',
          access_token_hash: null,
          must_change_password: 0,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const { id } = await add('ann', 'ann@example.com')
    expect(typeof id).toBe('number')
    await add('bob', '')
    await add('cat', '')
    expect(isUniqueViolation(await add('ann', '').catch(error => error))).toBe(true)
    expect(isUniqueViolation(await add('dan', 'ann@example.com').catch(error => error))).toBe(true)
  })

  it('numbers, sums and counts are returned as numbers', async () => {
    const { db } = await stores.open()
    await insertAccount(db, 1, 9_007_199_254_740_991)
    await insertAccount(db, 2, 3)
    const row = await db
      .selectFrom('accounts')
      .select(eb => [
        eb.fn.sum('held').as('held'),
        eb.fn.countAll().as('n'),
        eb.fn.max('balance').as('most'),
      ])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ held: 0, n: 2, most: 9_007_199_254_740_991 })
  })

  it('a write returns the number of changed rows', async () => {
    const { db } = await stores.open()
    await insertAccount(db, 1, 5)
    const take = () =>
      db
        .updateTable('accounts')
        .set(eb => ({ balance: eb('balance', '-', 5) }))
        .where('balance', '>=', 5)
    expect(await take().executeTakeFirst()).toMatchObject({ numUpdatedRows: 1n })
    expect(await take().executeTakeFirst()).toMatchObject({ numUpdatedRows: 0n })
  })

  it('a failed transaction leaves nothing, and is invisible before its commit', async () => {
    const { db } = await stores.open()
    const keys = async () =>
      (await db.selectFrom('options').select('key').execute()).map(each => each.key)
    const failing = db.transaction().execute(async tx => {
      await tx.insertInto('options').values({ key: 'lost', value: '' }).execute()
      expect(await keys()).toEqual([])
      throw new RangeError('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await db.transaction().execute(async tx => {
      await tx.insertInto('options').values({ key: 'kept', value: '' }).execute()
      const inside = await tx.selectFrom('options').select('key').execute()
      expect(inside.map(each => each.key)).toEqual(['kept'])
    })
    expect(await keys()).toEqual(['kept'])
  })

  it('concurrent transactions, single writes and ledger operations lose nothing', async () => {
    const store = await stores.open()
    await insertAccount(store.db, 1, 10_000)
    await insertToken(store.db, 10, 1)
    const { hold, settle } = ledgerOf(store)
    const paid = Array.from({ length: 50 }, async () => settle((await hold(10)).id, 10))
    const credited = Array.from({ length: 20 }, () =>
      store.db.transaction().execute(async tx => {
        await sleep(1)
        await tx
          .updateTable('accounts')
          .set(eb => ({ balance: eb('balance', '+', 100) }))
          .where('user_id', '=', 1)
          .execute()
      }),
    )
    await Promise.all([...paid, ...credited])
    expect(await getAccount(store)).toMatchObject({
      balance: 11_500,
      held: 0,
      used: 500,
      requests: 50,
    })
  })

  it('a reader can read while the gateway runs, and cannot write', async () => {
    const location = await stores.location()
    const store = await stores.open(location)
    await insertAccount(store.db, 1, 5)
    const reader = await openStore({ ...location, log: silentLog, role: 'reader' })
    expect(await getAccount(reader)).toMatchObject({ balance: 5 })
    await expect(insertAccount(reader.db, 2, 5)).rejects.toThrow()
    await reader.close()
  })

  it('maintenance can run at any time', async () => {
    const store = await stores.open()
    await store.maintain(1_900_000_000)
    await store.maintain(1_900_000_000)
    await insertAccount(store.db, 1, 100)
    await insertToken(store.db, 10, 1)
    const { hold, settle } = ledgerOf(store)
    expect(await settle((await hold(10)).id, 10)).toMatchObject({ charged: 10 })
    expect(await store.db.selectFrom('logs').select('quota').execute()).toEqual([{ quota: 10 }])
  })
})
