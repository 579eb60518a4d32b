import pg from 'pg'
import { quoted, type SourceDatabase, type SourceRow } from './source-database.ts'

/** Every type arrives as the server's text, so that no digit is lost and JSON stays as it was stored. */
const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** Opens the database in one read-only snapshot. */
export const openPostgresSource = async (url: string): Promise<SourceDatabase> => {
  const client = new pg.Client({ connectionString: url, types: asText })
  await client.connect()
  await client.query('begin isolation level repeatable read, read only')
  const all = async (sql: string) => (await client.query<SourceRow>(sql)).rows
  return {
    tables: async () => {
      const rows = await all(
        `select table_name as name from information_schema.tables where table_schema = current_schema()`,
      )
      return new Set(rows.map(row => String(row.name)))
    },
    rows: (table, orderBy) => all(`select * from ${quoted(table)} order by ${quoted(orderBy)}`),
    page: (table, { key, after, size }) =>
      all(
        `select * from ${quoted(table)} where ${quoted(key)} > ${BigInt(after)} order by ${quoted(key)} limit ${Math.trunc(size)}`,
      ),
    count: async table => Number((await all(`select count(*) as n from ${quoted(table)}`))[0]!.n),
    days: async (table, column) =>
      (await all(`select distinct ${quoted(column)} / 86400 as day from ${quoted(table)}`)).map(
        row => Number(row.day),
      ),
    close: () => client.end(),
  }
}
