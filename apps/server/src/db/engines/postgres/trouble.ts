import type { Trouble } from '../engine.ts'

/** Raised by `ledger_batch_v1` when the epoch is not live. */
export const fencedState = 'HB001'

/** SQLSTATE classes that blame the data: 22 data exception, 23 constraint, P0 and HB raised by our own functions. */
const bad = /^(22|23|P0|HB)/

export const troubleOf = (error: unknown): Trouble => {
  const { code } = error as { code?: unknown }
  if (code === fencedState) return 'fenced'
  return typeof code === 'string' && bad.test(code) ? 'bad' : 'away'
}
