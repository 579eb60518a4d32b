import type { Dialect } from 'kysely'
import type { Operation, Outcome } from '../operations.ts'
import type { SchemaKit } from './schema-kit.ts'

/**
 * What an error of an engine means for the writer:
 * `bad` one operation cannot be written, ever: find it and let it fail alone;
 * `fenced` another node has declared this epoch dead: nothing may be admitted under it;
 * `away` nothing is known to be written, or nothing is known at all: try again, and sooner or later stop admitting.
 */
export type Trouble = 'bad' | 'fenced' | 'away'

export type Engine = {
  readonly dialect: Dialect
  readonly schema: SchemaKit
  /**
   * One transaction, durable when it resolves (a batch of holds alone need not be). Operations come in the order in
   * which they are to be done; `replay` says that the same batch may have been committed before.
   */
  batch(epoch: number, operations: readonly Operation[], replay: boolean): Promise<Outcome[]>
  troubleOf(error: unknown): Trouble
  /** What the engine needs before a month begins, or to give back: safe to run at any time. */
  maintain(nowSeconds: number): Promise<void>
  close(): Promise<void>
}
