import type { Warning } from '@hub/dialects'

/** Warnings as the log row shows them. */
export const warningTexts = (warnings: readonly Warning[]): string[] =>
  warnings.map(({ dropped, dialect }) => `${dialect}: ${dropped}`)
