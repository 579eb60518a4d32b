import type { LedgerErrorKind } from '../../engine.ts'

/** SQLSTATE raised by `ledger_batch_v1` when the epoch is not live. */
export const fencedState = 'HB001'

/** SQLSTATE classes caused by the data: 22 data exception, 23 constraint, P0 and HB raised by our functions. */
const invalidDataState = /^(22|23|P0|HB)/

export const classifyPostgresError = (error: unknown): LedgerErrorKind => {
  const { code } = error as { code?: unknown }
  if (code === fencedState) return 'fenced'
  return typeof code === 'string' && invalidDataState.test(code) ? 'invalid' : 'unavailable'
}
