import { type RawBuilder, sql } from 'kysely'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const like = (column: string, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`

/** Wildcards in what people type stand for themselves. Upper and lower case are the same, on both engines. */
export const startsWith = (column: string, text: string) => like(column, `${escaped(text)}%`)
export const contains = (column: string, text: string) => like(column, `%${escaped(text)}%`)

/** Whether a comma list in a column names exactly this. */
export const listNames = (column: string, name: string): RawBuilder<boolean> =>
  sql<boolean>`(',' || ${sql.ref(column)} || ',') like ${`%,${escaped(name)},%`} escape '\\'`
