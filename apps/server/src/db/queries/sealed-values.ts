import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { Tables } from '../tables/index.ts'

/** A column of sealed texts, as `lib/seal.ts` makes them. */
export type SealedColumn = {
  table: keyof Tables
  column: string
  /** The column of the primary key. */
  key: string
  /** The columns whose values name a row where it is sealed; absent: the primary key. */
  context?: readonly string[]
}

export type SealedValue = { key: string | number; sealed: string; context: string }

/** The next values in the order of their keys. Empty ones and plain texts of earlier releases are left out. */
export const listAfter = async (
  db: Database,
  { table, column, key, context = [key] }: SealedColumn,
  after: string | number | undefined,
  limit: number,
): Promise<SealedValue[]> => {
  const [id, value] = [sql.ref(key), sql.ref(column)]
  const names = sql.join(context.map((each, at) => sql`${sql.ref(each)} as ${sql.ref(`c${at}`)}`))
  const later = after === undefined ? sql`` : sql`and ${id} > ${after}`
  const { rows } = await sql<Record<string, string | number>>`
    select ${id} as row_key, ${value} as sealed, ${names} from ${sql.table(table)}
    where ${value} like 'v1.%' ${later} order by ${id} limit ${sql.lit(limit)}`.execute(db)
  return rows.map(row => ({
    key: row.row_key!,
    sealed: String(row.sealed),
    context: `${table}.${column}:${context.map((_, at) => row[`c${at}`]).join(':')}`,
  }))
}

/** Replaces a value unless it has changed since it was read. */
export const replace = async (
  db: Database,
  { table, column, key }: SealedColumn,
  value: Pick<SealedValue, 'key' | 'sealed'>,
  sealed: string,
): Promise<void> => {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where ${sql.ref(key)} = ${value.key} and ${sql.ref(column)} = ${value.sealed}`.execute(db)
}
