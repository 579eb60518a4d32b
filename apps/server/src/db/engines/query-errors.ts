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

/** SQLITE_READONLY: https://www.sqlite.org/rescode.html#readonly */
const sqliteReadOnly = 8
/** read_only_sql_transaction: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresReadOnly = '25006'

/** True for the error of a write where only reads are allowed, such as on a standby. */
export const isReadOnly = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: Partial<SqliteFailure> }
  return code === postgresReadOnly || ((cause?.sqliteCode ?? 0) & 0xff) === sqliteReadOnly
}

/** character_not_in_repertoire: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresNul = '22021'

/** True for the error of a query that looks for a text with NUL. SQLite finds nothing. */
export const hasNul = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === postgresNul

/** query_canceled: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresCanceled = '57014'

/** SQLITE_INTERRUPT: https://www.sqlite.org/rescode.html#interrupt */
const sqliteInterrupted = 9

/** True for the error of a query that was ended at its time limit. */
export const isQueryCanceled = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: Partial<SqliteFailure> }
  return code === postgresCanceled || cause?.sqliteCode === sqliteInterrupted
}

/** SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
/** lock_not_available, too_many_connections: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresBusy: readonly unknown[] = ['55P03', '53300']
/** pg-pool gives this error no code. */
const noConnection = 'timeout exceeded when trying to connect'

/** True for a query that never began, or changed nothing, because others held the database for too long. */
export const isDatabaseBusy = (error: unknown): boolean => {
  const { code, cause, message } = (error ?? {}) as {
    code?: unknown
    cause?: Partial<SqliteFailure>
    message?: unknown
  }
  return (
    postgresBusy.includes(code) ||
    message === noConnection ||
    ((cause?.sqliteCode ?? 0) & 0xff) === sqliteBusy
  )
}

/** https://www.sqlite.org/rescode.html#constraint_unique and its sibling of primary keys */
const sqliteUnique: readonly unknown[] = [2067, 1555]
/** unique_violation: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresUnique = '23505'

/** Tells whether a write failed because a row with this key exists. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: Partial<SqliteFailure> }
  return code === postgresUnique || sqliteUnique.includes(cause?.sqliteCode)
}
