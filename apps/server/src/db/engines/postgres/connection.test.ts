import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type DatabaseProxy,
  startProxy,
} from '../../../../../../test/harness/process/database-proxy.ts'
import {
  openPostgres,
  type PostgresDatabases,
  postgresSkipReason,
} from '../../../../test/postgres.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { forKysely, openPool, queryLimits } from './connection.ts'

const skipReason = postgresSkipReason()

// A machine without PostgreSQL leaves it out and names the reason; CI fails on such a machine.
describe.skipIf(skipReason)(`connections of the pool ${skipReason ?? ''}`, () => {
  let databases: PostgresDatabases
  let proxy: DatabaseProxy
  let databaseUrl: string
  beforeAll(async () => {
    databases = await openPostgres()
    const url = new URL(await databases.database('pool'))
    proxy = await startProxy(join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432'))
    databaseUrl = `postgres://hub@127.0.0.1:${proxy.port}${url.pathname}`
  })
  afterAll(async () => {
    await proxy?.close()
    await databases?.stop()
  })

  it('one whose server is gone without a word is closed, and the next query has a new one', async () => {
    const limitsMs = { ...queryLimits, answer: 500 }
    const options = { databaseUrl, types: pg.types, log: silentLog, max: 1, readOnly: false }
    const db = new Kysely<unknown>({
      dialect: new PostgresDialect({ pool: forKysely(openPool({ ...options, limitsMs })) }),
    })
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
    const before = await pid()
    await expect(sql`select no_such_column`.execute(db)).rejects.toThrow('no_such_column')
    expect(await pid(), 'an error of the server closes nothing').toBe(before)

    // Longer than anything waits here: what is on its way never arrives.
    proxy.delay(600_000)
    const lost = db.transaction().execute(tx => sql`select 1`.execute(tx))
    await expect(lost).rejects.toThrow('timeout')
    proxy.delay(0)
    expect(await pid()).not.toBe(before)
    await db.destroy()
  })
})
