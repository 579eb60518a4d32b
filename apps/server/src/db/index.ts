import type { Kysely } from 'kysely'
import type { Operation, OutcomeOf } from './operations.ts'
import type { Tables } from './tables/index.ts'

/** Kysely over either engine. A transaction is just another one of these. */
export type Database = Kysely<Tables>

/** An open database: queries through `db`, money through `ledger`, both over one writer. */
export type Store = {
  db: Database
  ledger: LedgerWriter
  /** What the engine does now and then: log months ahead, pages given back. Safe to run at any time. */
  maintain(nowSeconds: number): Promise<void>
  /** Resolves when every queued write is durable; then nothing more is accepted. */
  close(): Promise<void>
}

export type LedgerWriter = {
  /** This process's epoch. Changes when another node declared it dead. */
  readonly epoch: number
  /** A new id: ordered by admission, never used twice by any node. */
  nextId(): number
  /** Durable when it resolves, except a hold: a lost hold settles as late. Rejects when the writer cannot write. */
  submit<O extends Operation>(operation: O): Promise<OutcomeOf<O>>
  /** Milliseconds that the oldest unanswered operation waits; 0 when there is none. */
  lag(): number
}
