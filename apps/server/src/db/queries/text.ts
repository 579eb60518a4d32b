import { type RawBuilder, sql } from 'kysely'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const like = (column: string, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`

/** Case-insensitive on both engines; wildcards in the text are escaped. */
export const startsWith = (column: string, text: string) => like(column, `${escaped(text)}%`)
export const contains = (column: string, text: string) => like(column, `%${escaped(text)}%`)

/** Tests whether a comma-separated column contains exactly this name. */
export const commaListIncludes = (column: string, name: string): RawBuilder<boolean> =>
  sql<boolean>`(',' || ${sql.ref(column)} || ',') like ${`%,${escaped(name)},%`} escape '\\'`
