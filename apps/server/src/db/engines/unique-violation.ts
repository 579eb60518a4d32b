import type { SqliteFailure } from './sqlite/protocol.ts'

const sqliteUnique = new Set([2067, 1555])

/** Whether a write was refused because something with this key exists already. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (code === '23505') return true
  return sqliteUnique.has(((cause ?? {}) as Partial<SqliteFailure>).sqliteCode ?? 0)
}
