import type { SchemaKit } from './schema-kit.ts'

/** A value of a column. Integers beyond the safe range are bigint, so that none is rounded. */
export type Cell = string | number | bigint | null
export type BackupRow = readonly Cell[]

export type TableShape = {
  name: string
  columns: readonly string[]
  /** The highest id that the database ever generated for this table; null where it generates none. */
  lastId: number | null
}

/** One consistent state of the whole database, read row by row while others write. */
export type Dump = {
  tables(): Promise<TableShape[]>
  /** The executed migrations, in their order. */
  migrations(): Promise<string[]>
  option(key: string): Promise<string | undefined>
  /** The rows in batches, with their cells in the order of `columns`. */
  rows(table: TableShape): AsyncIterable<readonly BackupRow[]>
}

/** Writes tables in one transaction: a failure leaves nothing. */
export type TableWriter = {
  columnsOf(table: string): Promise<readonly string[]>
  /** Removes the rows that a migration has inserted. */
  clear(table: string): Promise<void>
  insert(table: TableShape, rows: readonly BackupRow[]): Promise<void>
  setLastId(table: string, lastId: number): Promise<void>
}

/** A database that is rebuilt from a backup. */
export type RestoreTarget = {
  readonly schema: SchemaKit
  /** True if nobody works with its data: no table, or no user. */
  isEmpty(): Promise<boolean>
  /** True while a server is connected to it. */
  isInUse(): Promise<boolean>
  /** Removes what is there, or puts it aside until `finish`. */
  clear(): Promise<void>
  /** The folder in which the engine is opened. */
  dataDir: string
  write(work: (writer: TableWriter) => Promise<void>): Promise<void>
  /** Puts the restored data in place. Returns where the earlier data lie, if they were kept. */
  finish(): Promise<string | undefined>
  close(): Promise<void>
}
