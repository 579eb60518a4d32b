import type { Kysely } from 'kysely'
import type { PoolStats } from './engines/engine.ts'
import type { LedgerOperation, OutcomeOf } from './operations.ts'
import type { OnWrite } from './table-writes.ts'
import type { Tables } from './tables/index.ts'

/** Kysely on either engine. A transaction has the same type. */
export type Database = Kysely<Tables>

/** An open database: `db` for queries, `ledger` for money. */
export type Store = {
  db: Database
  /** Never waits for a query of `db`. */
  callDb: Database
  ledger: LedgerWriter
  nodes: OtherNodes
  onWrite: OnWrite
  /** Periodic work of the engine: creates log partitions, returns free pages. Safe to run at any time. */
  maintain(nowSeconds: number): Promise<void>
  /** Prepares whole months of logs before rows of the past are written. Returns the names of those that could not be prepared. */
  createLogMonths(times: Iterable<number>, nowSeconds: number): Promise<string[]>
  /** Drops whole months of logs before the time where that is possible at once, and returns about how many rows. */
  dropLogMonths(beforeSeconds: number): Promise<number>
  /** Updates the statistics of the query planner. Safe to run at any time. */
  optimize(): Promise<void>
  /** Empties the caches of the engine and shrinks the heaps of its threads. */
  releaseMemory(): Promise<void>
  /** Figures for the metrics; costs no query. */
  stats(): StoreStats
  /** Resolves when every queued write is durable. Later writes are refused. */
  close(): Promise<void>
}

export type OtherNodes = {
  /** True while this node knows of no other one. It is false until the first look. */
  isAlone(): boolean
  /** Calls the listener each time another node is seen and none was known before. */
  onJoined(listener: () => void): void
}

export type StoreStats = {
  /** Bytes of the outage journal that are not in the database yet. */
  journalBytes: number
  pools: PoolStats[]
}

export type LedgerWriter = {
  /** The epoch of this process. It changes after another node has expired it. */
  readonly epoch: number
  /** Returns a new id: ordered by admission and unique across nodes. */
  nextId(): number
  /** Durable when it resolves, except a hold: a lost hold settles as late. Rejects while nothing can be written. */
  submit<O extends LedgerOperation>(operation: O): Promise<OutcomeOf<O>>
  /** Age of the oldest unanswered operation in milliseconds, beyond what a slow database usually takes; 0 without one. */
  lag(): number
}
