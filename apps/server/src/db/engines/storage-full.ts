import type { SqliteFailure } from './sqlite/thread/protocol.ts'

/** SQLITE_FULL: https://www.sqlite.org/rescode.html#full */
const sqliteFull = 13
/** disk_full: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresDiskFull = '53100'

/** True for the error of a query that found no space to write. */
export const isStorageFull = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: Partial<SqliteFailure> }
  return code === postgresDiskFull || ((cause?.sqliteCode ?? 0) & 0xff) === sqliteFull
}
