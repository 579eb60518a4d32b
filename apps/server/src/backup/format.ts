import { Fault } from '@hub/contract'
import type { BackupRow, Cell, TableShape } from '../db/engines/backup.ts'
import { makeSealer } from '../lib/seal.ts'

/** The first line of a backup. `docs/operations.md` describes the file. */
export type BackupHeader = {
  format: typeof formatName
  version: number
  /** ISO 8601, when its state was fixed. */
  created_at: string
  release: string
  /** Tells whether the master key that opens its secrets is at hand. */
  master_key: string
  migrations: string[]
}

/** The line before the rows of a table. */
export type TableLine = { table: string; columns: readonly string[]; last_id: number | null }
/** The line after the rows of a table. */
export type TableEnd = { end: string; rows: number }
/** The last line. The hash covers every byte before it. */
export type BackupEnd = {
  tables: number
  rows: number
  sha256: string
  /** Shows that a holder of the master key wrote the file. Backups of releases before 0.2 have none. */
  signature?: string
}

/** The hash covers the content, so that the signature does too. */
export const signBackup = (masterKey: Buffer, { tables, rows, sha256 }: BackupEnd): string =>
  makeSealer(masterKey).fingerprint('backup', JSON.stringify([tables, rows, sha256]))

export const formatName = 'one-hub-backup'
export const formatVersion = 1

export const tableLine = ({ name, columns, lastId }: TableShape): TableLine => ({
  table: name,
  columns,
  last_id: lastId,
})

/** JSON has no bigint: it is written as a list of one text. */
export const encodeRow = (row: BackupRow): string =>
  JSON.stringify(row, (_key, cell) => (typeof cell === 'bigint' ? [String(cell)] : cell))

export const decodeRow = (cells: unknown[]): BackupRow =>
  cells.map(cell => (Array.isArray(cell) ? BigInt(String(cell[0])) : (cell as Cell)))

export const refuseBackup = (hint: string, cause?: unknown): never => {
  throw new Fault('backup.refused', { hint, cause })
}
