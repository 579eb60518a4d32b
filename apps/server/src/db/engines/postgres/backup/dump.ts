import pg from 'pg'
import type { BackupRow, Cell, Dump, TableShape } from '../../backup-types.ts'
import { detachedPrefix } from '../months.ts'

const batchRows = 2000

/** Object ids of types: https://www.postgresql.org/docs/current/catalog-pg-type.html */
const integers = [20, 21, 23]
const reals = [700, 701]

const typeParser = (oid: number) => (text: string) => {
  if (integers.includes(oid)) return toInteger(text)
  return reals.includes(oid) ? Number(text) : text
}

const toInteger = (text: string): Cell => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

export const dumpPostgres = async <T>(
  databaseUrl: string,
  work: (dump: Dump) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    types: { getTypeParser: typeParser },
    connectionTimeoutMillis: 5000,
    application_name: 'hub backup',
  })
  // The next query reports the error.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // A large table takes longer than the time limit that a role may have.
    await client.query(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    )
    return await work(makeDump(client))
  } finally {
    await client.end()
  }
}

const makeDump = (client: pg.Client): Dump => ({
  tables: () => listTables(client),
  migrations: async () => {
    const { rows } = await client.query<{ name: string }>(
      'select name from kysely_migration order by timestamp, name',
    )
    return rows.map(each => each.name)
  },
  option: async key => {
    const { rows } = await client.query<{ value: string }>(
      'select value from options where key = $1',
      [key],
    )
    return rows[0]?.value
  },
  rows: table => rowsOf(client, table),
})

/**
 * The last value of a sequence is not part of the snapshot: it can only be higher, which does no harm. A detached
 * month is about to be dropped.
 */
const columnsQuery = `
  select c.relname as table, a.attname as column, case when a.attidentity <> '' then
    pg_sequence_last_value(pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname)::regclass)
  end as last_id
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not like 'kysely\\_%' and not starts_with(c.relname, '${detachedPrefix}')
    and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attnum`

const listTables = async (client: pg.Client): Promise<TableShape[]> => {
  type Column = { table: string; column: string; last_id: number | null }
  const { rows } = await client.query<Column>(columnsQuery)
  return [...Map.groupBy(rows, each => each.table)].map(([name, columns]) => ({
    name,
    columns: columns.map(each => each.column),
    lastId: columns.find(each => each.last_id !== null)?.last_id ?? null,
  }))
}

async function* rowsOf(
  client: pg.Client,
  { name, columns }: TableShape,
): AsyncGenerator<BackupRow[]> {
  const names = columns.map(each => `"${each}"`).join(', ')
  await client.query(`declare dumped no scroll cursor for select ${names} from "${name}"`)
  const text = `fetch ${batchRows} from dumped`
  for (;;) {
    const { rows } = await client.query<Cell[]>({ text, rowMode: 'array' })
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close dumped')
}
