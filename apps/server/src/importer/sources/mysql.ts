import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { SourceDatabase, SourceRow } from './source-database.ts'

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Opens a MySQL or MariaDB database in one read-only snapshot. A user with SELECT alone is enough. */
export const openMysqlSource = async (url: string): Promise<SourceDatabase> => {
  const connection = await mysql.createConnection({
    uri: url,
    charset: 'utf8mb4',
    // By default large numbers lose digits, and times become dates of the local zone.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
  })
  await connection.query('set transaction isolation level repeatable read')
  await connection.query('start transaction with consistent snapshot, read only')
  const all = async (sql: string) => {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows as SourceRow[]
  }
  return {
    tables: async () => {
      const rows = await all(
        'select table_name as name from information_schema.tables where table_schema = database()',
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
      (await all(`select distinct ${quoted(column)} div 86400 as day from ${quoted(table)}`)).map(
        row => Number(row.day),
      ),
    close: () => connection.end(),
  }
}
