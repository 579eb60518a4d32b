import { type RawBuilder, sql } from 'kysely'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const like = (column: string, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`

/** Case-insensitive on both engines; wildcards in the text are escaped. */
export const startsWith = (column: string, text: string) => like(column, `${escaped(text)}%`)
export const contains = (column: string, text: string) => like(column, `%${escaped(text)}%`)

/** True when a column begins with the keyword, or when the keyword is a number and equals the id. */
export const matchesKeyword = (keyword: string, columns: string[], idColumn: string) => {
  const matches = columns.map(column => startsWith(column, keyword))
  if (/^\d{1,15}$/.test(keyword)) matches.push(sql`${sql.ref(idColumn)} = ${Number(keyword)}`)
  return sql<boolean>`(${sql.join(matches, sql` or `)})`
}

/** Tests whether a comma-separated column contains exactly this name. */
export const commaListIncludes = (column: string, name: string): RawBuilder<boolean> =>
  sql<boolean>`(',' || ${sql.ref(column)} || ',') like ${`%,${escaped(name)},%`} escape '\\'`
