import pg from 'pg'
import type { BackupRow, Cell, RestoreTarget, TableShape, TableWriter } from '../../backup-types.ts'
import { createMonthsOf } from '../months.ts'
import { postgresSchema } from '../schema.ts'

/** Tables are emptied and filled in place: the server of the database may be asked by this name only. */
export const postgresTarget = (databaseUrl: string, dataDir: string): RestoreTarget => {
  const connected = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5000,
    application_name: 'hub restore',
  })
  connected.on('error', () => {})
  let connecting: Promise<unknown> | undefined
  const client = async () => {
    connecting ??= connected.connect()
    await connecting
    return connected
  }
  const has = async (sql: string) => ((await (await client()).query(sql)).rowCount ?? 0) > 0
  return {
    schema: postgresSchema,
    dataDir,
    isEmpty: async () =>
      !(await has("select 1 where to_regclass('users') is not null")) ||
      !(await has('select 1 from users limit 1')),
    isInUse: () =>
      has(`select 1 from pg_stat_activity where datname = current_database()
        and application_name in ('hub', 'hub ledger')`),
    clear: async () => void (await (await client()).query(dropAll)),
    write: async work => writeTables(await client(), work),
    finish: async () => undefined,
    close: async () => {
      if (connecting) await connected.end()
    },
  }
}

/** Drops the tables of the schema, and the functions of the migrations. */
const dropAll = `do $$ declare each record; begin
  for each in select tablename as name from pg_tables where schemaname = current_schema() loop
    execute format('drop table if exists %I cascade', each.name);
  end loop;
  for each in select oid::regprocedure as name from pg_proc where pronamespace = current_schema()::regnamespace
    and (proname like 'ledger\\_batch%' or proname = 'refuse_change') loop
    execute format('drop function %s', each.name);
  end loop;
end $$`

const writeTables = async (client: pg.Client, work: (writer: TableWriter) => Promise<void>) => {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0')
    await work(makeWriter(client))
    await client.query('commit')
    await client.query('analyze')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const makeWriter = (client: pg.Client): TableWriter => {
  return {
    columnsOf: async table => {
      const { rows } = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name = $1`,
        [table],
      )
      return rows.map(each => each.name)
    },
    clear: async table => {
      const { rowCount } = await client.query(`select 1 from "${table}" limit 1`)
      if (rowCount) await client.query(`delete from "${table}"`)
    },
    insert: async (table, rows) => {
      if (table.name === 'logs')
        await createMonthsOf(client, timesOf(table, rows), Math.floor(Date.now() / 1000))
      const names = table.columns.map(each => `"${each}"`).join(', ')
      await client.query(
        `insert into "${table.name}" (${names})
         select ${names} from json_populate_recordset(null::"${table.name}", $1::json)`,
        [`[${rows.map(row => objectOf(table.columns, row)).join(',')}]`],
      )
    },
    setLastId: async (table, lastId) => {
      const { rows } = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name = $1 and is_identity = 'YES'`,
        [table],
      )
      for (const { name } of rows)
        await client.query('select setval(pg_get_serial_sequence($1, $2)::regclass, $3)', [
          `"${table}"`,
          name,
          lastId,
        ])
    },
  }
}

/** The JSON text of a row: a bigint has no form of its own there, and is written as a number. */
const objectOf = (columns: readonly string[], row: BackupRow): string =>
  `{${columns.map((name, at) => `${JSON.stringify(name)}:${jsonOf(row[at] ?? null)}`).join(',')}}`

const jsonOf = (cell: Cell) => (typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell))

const timesOf = ({ columns }: TableShape, rows: readonly BackupRow[]): number[] => {
  const at = columns.indexOf('created_at')
  return rows.map(row => Number(row[at]))
}
