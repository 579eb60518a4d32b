import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { getAccount, insertAccount, insertToken, ledgerOf } from '../../test/ledger/fixtures.ts'
import { silentLog } from '../../test/silent-log.ts'
import { describeStores } from '../../test/stores.ts'
import { openPostgres } from './engines/postgres/index.ts'
import { openSqlite } from './engines/sqlite/index.ts'
import { migrate } from './migrate.ts'
import type { StoreOptions } from './open.ts'
import type { Tables } from './tables/index.ts'

type Location = Pick<StoreOptions, 'databaseUrl' | 'dataDir'>

/** Makes a database of the release before `0009-plain-column-names`, with rows in both renamed columns. */
const makeOldDatabase = async ({ databaseUrl, dataDir }: Location) => {
  const options = { log: silentLog, readOnly: false }
  const engine = databaseUrl
    ? await openPostgres({ ...options, databaseUrl })
    : await openSqlite({ ...options, dataDir, onThreadExit: () => {} })
  const db = new Kysely<Tables>({ dialect: engine.dialect })
  await migrate(db, engine.schema, '0008-kept')
  await sql`insert into reminders (user_id, told, crossing) values (1, 2, 5)`.execute(db)
  await sql`insert into background_calls (request_id, answer_id, user_id, token_id, channel_id,
      credential, price_id, told, attempts, run_at, created_at)
    values (7, 'resp_7', 1, 10, 3, 'fingerprint', 1, '{"model":"m"}', 2, 9, 8)`.execute(db)
  await insertAccount(db, 1, 1000)
  await insertToken(db, 10, 1)
  await db.destroy()
  await engine.close()
}

describeStores('migrations', stores => {
  it('a database with the columns `told` opens and keeps its rows under the new names', async () => {
    const location = await stores.location()
    await makeOldDatabase(location)
    const store = await stores.open(location)
    const { db } = store
    expect(await db.selectFrom('reminders').selectAll().execute()).toEqual([
      { user_id: 1, notified_level: 2, crossing: 5 },
    ])
    expect(await db.selectFrom('background_calls').selectAll().execute()).toMatchObject([
      { request_id: 7, answer_id: 'resp_7', receipt_draft: '{"model":"m"}', attempts: 2 },
    ])
    await expect(
      db.updateTable('reminders').set({ notified_level: 3 }).execute(),
      'the check constraint follows the column',
    ).rejects.toThrow()
    const { hold, settle } = ledgerOf(store)
    const { id } = await hold(100)
    await settle(id, 30)
    expect(await getAccount(store)).toMatchObject({ balance: 970, held: 0, used: 30 })
  })
})
