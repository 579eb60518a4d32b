import type { SqliteFailure } from './sqlite/thread/protocol.ts'

const sqliteUnique = new Set([2067, 1555])

/** Tells whether a write failed because a row with this key exists. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (code === '23505') return true
  return sqliteUnique.has(((cause ?? {}) as Partial<SqliteFailure>).sqliteCode ?? 0)
}
