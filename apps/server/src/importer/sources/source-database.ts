/** An id of the source: a number, or text where the source uses UUIDs or names. */
export type SourceId = number | string

/** A value as a driver reads it. JSON and times arrive as text. */
export type Value = string | number | bigint | boolean | Uint8Array | null

export type SourceRow = Readonly<Record<string, Value>>

/** The database of another gateway, opened for reading only, in one snapshot. */
export type SourceDatabase = {
  /** The names of its tables. */
  tables(): Promise<ReadonlySet<string>>
  /** All rows of a table in the order of a column. Names are those of the mapping, never of a user. */
  rows(table: string, orderBy: string): Promise<SourceRow[]>
  /** At most `size` rows whose key is above `after`, in the order of the key, which is a whole number. */
  page(table: string, page: { key: string; after: SourceId; size: number }): Promise<SourceRow[]>
  count(table: string): Promise<number>
  /** The days on which the times of a column in Unix seconds lie, counted from 1970, each once. */
  days(table: string, column: string): Promise<number[]>
  close(): Promise<void>
}

/** Quotes a name for SQLite and PostgreSQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
