import pg from 'pg'
import type { Snapshot, SnapshotRow } from '../snapshot-types.ts'

const int8 = 20
const numeric = 1700
const int4 = 23

export const postgresSnapshot = async <T>(
  databaseUrl: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    types: { getTypeParser: readerOf },
    connectionTimeoutMillis: 5000,
    application_name: 'hub audit',
  })
  // The next query reports the error.
  client.on('error', () => {})
  await client.connect()
  const rows = async (sql: string) => (await client.query<SnapshotRow>(sql)).rows
  try {
    await client.query('begin isolation level repeatable read read only')
    return await work({ rows, appendOnly: () => appendOnly(rows) })
  } finally {
    await client.end()
  }
}

const readerOf = (oid: number) => (text: string) =>
  oid === int8 || oid === int4 || oid === numeric ? BigInt(text) : text

/**
 * Reads the triggers that refuse changes. Bits of `tgtype` in pg_trigger: 2 before, 8 delete, 16 update. `tgenabled` is
 * O or A for triggers that fire in ordinary sessions.
 */
const appendOnly: (rows: Snapshot['rows']) => ReturnType<Snapshot['appendOnly']> = async rows => {
  const triggers = await rows(
    `select c.relname as name, t.tgtype::int as type from pg_trigger t
     join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and t.tgenabled in ('O', 'A') and t.tgqual is null
     and t.tgattr = ''::int2vector and c.relnamespace = current_schema()::regnamespace
     and p.prosrc ~* 'raise\\s+exception'`,
  )
  return triggers.flatMap(({ name, type }) =>
    [
      { verb: 'delete' as const, bit: 8n },
      { verb: 'update' as const, bit: 16n },
    ]
      .filter(({ bit }) => (BigInt(type ?? 0) & bit) !== 0n && (BigInt(type ?? 0) & 2n) !== 0n)
      .map(({ verb }) => ({ table: String(name), verb })),
  )
}
