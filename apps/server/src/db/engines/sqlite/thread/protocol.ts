import type { EncodedBatch } from './batch-codec.ts'

/** A request of the main thread to a worker thread, which performs them in order. */
export type ThreadRequest =
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  /** Operations and outcomes in the encoding of `batch-codec.ts`. */
  | { kind: 'batch'; epoch: number; operations: EncodedBatch; isReplay: boolean }
  /** Reads schema and statistics again. */
  | { kind: 'reopen' }
  /** Empties the cache of pages and shrinks the heap of the thread. */
  | { kind: 'release' }
  | { kind: 'close' }

export type QueryRows = { rows: unknown[]; changes: number; lastId: number }

export type ThreadResults = {
  query: QueryRows
  batch: string
  reopen: null
  release: null
  close: null
}

/** Carries the extended result code of SQLite, which distinguishes a unique violation from a full disk. */
export type SqliteFailure = { sqliteCode: number; message: string }

export type WorkerData = {
  file: string
  role: 'writer' | 'reader'
  failpoint: SharedArrayBuffer | undefined
}
