import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeStores } from '../../../test/stores.ts'
import { isDatabaseBusy, isStorageFull } from './query-errors.ts'

it.each([
  [{ code: '53100' }, true],
  [{ code: '53200' }, false],
  [{ cause: { sqliteCode: 13 } }, true],
  [{ cause: { sqliteCode: 2067 } }, false],
  [new TypeError('other'), false],
  [undefined, false],
])('%j is an error of full storage: %j', (error, isFull) => {
  expect(isStorageFull(error)).toBe(isFull)
})

it.each([
  [{ code: '55P03' }, true],
  [{ code: '53300' }, true],
  [{ code: '40P01' }, false],
  [new Error('timeout exceeded when trying to connect'), true],
  [{ cause: { sqliteCode: 517 } }, true],
  [{ cause: { sqliteCode: 13 } }, false],
  [undefined, false],
])('%j is an error of a busy database: %j', (error, isBusy) => {
  expect(isDatabaseBusy(error)).toBe(isBusy)
})

describeStores('a database that others hold', stores => {
  it.runIf(stores.isPostgres)(
    'is busy for a query that waits too long for a lock (PostgreSQL only: SQLite has one writer)',
    async () => {
      const { db } = await stores.open()
      const error = await db.transaction().execute(async holder => {
        await sql`lock table users in access exclusive mode`.execute(holder)
        return db
          .transaction()
          .execute(async waiting => {
            await sql`set local lock_timeout = '50ms'`.execute(waiting)
            await sql`select id from users`.execute(waiting)
          })
          .catch((cause: unknown) => cause)
      })
      expect(isDatabaseBusy(error)).toBe(true)
    },
  )
})
