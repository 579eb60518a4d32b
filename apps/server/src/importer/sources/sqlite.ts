import { DatabaseSync } from 'node:sqlite'
import { quoted, type SourceDatabase, type SourceRow } from './source-database.ts'

/** Opens the file read-only. An open transaction keeps one snapshot, while the other program may go on writing. */
export const openSqliteSource = (path: string): SourceDatabase => {
  const database = new DatabaseSync(path, { readOnly: true })
  const all = (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement.all() as SourceRow[]
  }
  database.exec('begin')
  return {
    tables: async () =>
      new Set(
        all("select name from sqlite_master where type = 'table'").map(row => String(row.name)),
      ),
    rows: async (table, orderBy) =>
      all(`select * from ${quoted(table)} order by ${quoted(orderBy)}`),
    page: async (table, { key, after, size }) =>
      all(
        `select * from ${quoted(table)} where ${quoted(key)} > ${BigInt(after)} order by ${quoted(key)} limit ${Math.trunc(size)}`,
      ),
    count: async table => Number(all(`select count(*) as n from ${quoted(table)}`)[0]!.n),
    days: async (table, column) =>
      all(`select distinct ${quoted(column)} / 86400 as day from ${quoted(table)}`).map(row =>
        Number(row.day),
      ),
    close: async () => database.close(),
  }
}
