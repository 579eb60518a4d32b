import type { Dialect } from 'kysely'
import type { LedgerOperation, Outcome } from '../operations.ts'
import type { SchemaKit } from './schema-kit.ts'

/**
 * The reaction that an engine error requires from the writer:
 * `invalid`: one operation can never be written; find it by bisection and fail it alone.
 * `fenced`: another node has expired this epoch; admit nothing under it.
 * `unavailable`: the batch is not known to be written; retry, and after the timeout admit nothing.
 */
export type LedgerErrorKind = 'invalid' | 'fenced' | 'unavailable'

/** Connections of one pool that work, and queries that wait for one. */
export type PoolStats = { pool: 'console' | 'calls'; inUse: number; waiting: number }

export type Engine = {
  readonly dialect: Dialect
  /** Reads on connections of its own, so that it never waits for a query of `dialect`. */
  readonly callDialect: Dialect
  /** Its queries have no time limit. Absent: those of `dialect` have none. */
  readonly migrationDialect?: Dialect
  readonly schema: SchemaKit
  /**
   * Runs one transaction, which is durable when the promise resolves (except a batch of holds alone). Executes the
   * operations in their order. `isReplay` tells that the batch may have been committed before.
   */
  runBatch(
    epoch: number,
    operations: readonly LedgerOperation[],
    isReplay: boolean,
  ): Promise<Outcome[]>
  classifyError(error: unknown): LedgerErrorKind
  /** Creates partitions ahead of time and returns free pages. Safe to run at any time. */
  maintain(nowSeconds: number): Promise<void>
  /**
   * Prepares the storage of the months of these times, if the engine stores them apart, so that rows that are written to
   * them later can be dropped by month. Returns the names of months that could not be prepared. Safe to run twice.
   */
  createLogMonths(times: Iterable<number>, nowSeconds: number): Promise<string[]>
  /**
   * Drops whole months of logs before the time, if the engine stores them apart. Returns about how many rows they had; the
   * caller deletes the rest.
   */
  dropLogMonths(beforeSeconds: number): Promise<number>
  /** Updates the statistics of the query planner. Safe to run at any time. */
  optimize(): Promise<void>
  /** Empties caches and shrinks the heaps of threads. Safe to run at any time. */
  releaseMemory(): Promise<void>
  /**
   * Tells other nodes at once that this one has come, and calls the listener when another one comes. Absent: the database
   * has one node only. Where the connection for it is broken, nodes find each other by their heartbeats.
   */
  readonly joining?: { announce(): Promise<void>; onJoined(listener: () => void): void }
  /** Empty for an engine without pools. */
  poolStats(): PoolStats[]
  close(): Promise<void>
}

/** Parts of the errors of Node, of SQLite in this thread and in another one, and of PostgreSQL. */
export type ErrorParts = {
  code?: unknown
  syscall?: unknown
  path?: unknown
  errcode?: unknown
  sqliteCode?: unknown
  message?: unknown
  routine?: unknown
}
