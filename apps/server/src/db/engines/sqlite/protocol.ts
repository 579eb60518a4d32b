import type { Packed } from './wire.ts'

/** What the main thread asks a worker. Answers come in the order of the questions. */
export type Question =
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  /** Operations and outcomes as `wire.ts` writes them. */
  | { kind: 'batch'; epoch: number; operations: Packed; replay: boolean }
  | { kind: 'close' }

export type QueryAnswer = { rows: unknown[]; changes: number; lastId: number }

export type Answers = { query: QueryAnswer; batch: string; close: null }

/** SQLite's own extended code, so that a unique violation can be told from a full disk. */
export type SqliteFailure = { sqliteCode: number; message: string }

export type Answer =
  | { ok: true; value: Answers[Question['kind']] }
  | { ok: false; failure: SqliteFailure }

export type WorkerData = {
  file: string
  role: 'writer' | 'reader'
  failpoint: SharedArrayBuffer | undefined
}

/** The code for a batch under an epoch that is not live any more. SQLite's own codes are positive. */
export const fenced = -1
