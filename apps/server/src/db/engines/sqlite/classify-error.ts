import type { LedgerErrorKind } from '../engine.ts'
import { fencedCode } from './ledger/fenced-code.ts'
import type { SqliteFailure } from './thread/protocol.ts'

/**
 * Result codes after which the next batch would fail as well: busy, locked, no memory, read-only, I/O error, corrupt,
 * full and others (https://www.sqlite.org/rescode.html). All other codes are caused by one operation.
 */
const unavailableCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 22, 23, 26])

export const classifySqliteError = (error: unknown): LedgerErrorKind => {
  const { sqliteCode } = ((error as { cause?: unknown }).cause ?? {}) as Partial<SqliteFailure>
  if (sqliteCode === fencedCode) return 'fenced'
  // A fault without a code comes from our own code, for example a closed thread.
  if (sqliteCode === undefined) return 'unavailable'
  return unavailableCodes.has(sqliteCode & 0xff) ? 'unavailable' : 'invalid'
}
