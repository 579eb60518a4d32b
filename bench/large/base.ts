import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { maintainMonths } from '../../apps/server/src/db/engines/postgres/months.ts'
import type { Gateway } from '../../test/harness/gateway.ts'

/** A connection of our own to the database of a gateway that does not run. */
export type Base = {
  run(sql: string): Promise<void>
  rows(sql: string): Promise<Record<string, unknown>[]>
  columns(table: string): Promise<string[]>
  /** The numbers from one to another, both with, as a table `i` with the column `n`. */
  series(from: number, to: number): string
  /** Logs of past months lie where they would if the gateway had run then. */
  prepare(fromSeconds: number, nowSeconds: number): Promise<void>
  /** Maintenance that a gateway's database gets every night: statistics, and no dead rows. */
  finish(): Promise<void>
  close(): Promise<void>
}

const monthSeconds = 28 * 86_400

const postgresBase = async (databaseUrl: string): Promise<Base> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const rows: Base['rows'] = async sql => (await pool.query(sql)).rows
  const run: Base['run'] = async sql => void (await pool.query(sql))
  return {
    run,
    rows,
    columns: async table =>
      (
        await rows(`select column_name as name from information_schema.columns
          where table_schema = current_schema() and table_name = '${table}'`)
      ).map(each => String(each.name)),
    series: (from, to) => `generate_series(${from}::bigint, ${to}::bigint) as i(n)`,
    prepare: async (fromSeconds, nowSeconds) => {
      for (let at = fromSeconds; at < nowSeconds; at += monthSeconds) await maintainMonths(pool, at)
    },
    finish: async () => {
      for (const table of ['users', 'tokens'])
        await run(
          `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
        )
      await run('vacuum (analyze)')
      await run('checkpoint')
    },
    close: () => pool.end(),
  }
}

const sqliteBase = (dataDir: string): Base => {
  const database = new DatabaseSync(join(dataDir, 'hub.db'))
  // Nothing here must survive a power cut: it is made again.
  database.exec('pragma synchronous = off; pragma cache_size = -262144; pragma temp_store = memory')
  const rows: Base['rows'] = async sql => database.prepare(sql).all()
  return {
    run: async sql => database.exec(sql),
    rows,
    columns: async table =>
      (await rows(`select name from pragma_table_info('${table}')`)).map(each => String(each.name)),
    series: (from, to) =>
      `(with recursive s(n) as (select ${from} union all select n + 1 from s where n < ${to})
        select n from s) as i`,
    prepare: async () => {},
    finish: async () => {
      database.exec('pragma analysis_limit = 1000; analyze; pragma wal_checkpoint(truncate)')
    },
    close: async () => database.close(),
  }
}

export const openBase = ({ databaseUrl, dataDir }: Gateway): Promise<Base> | Base =>
  databaseUrl ? postgresBase(databaseUrl) : sqliteBase(dataDir)
