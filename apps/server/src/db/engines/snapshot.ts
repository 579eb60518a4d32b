import { postgresSnapshot } from './postgres/snapshot.ts'
import { sqliteSnapshot } from './sqlite/snapshot.ts'

/** Whole numbers come as bigint, so that none is ever rounded. */
export type SnapshotRow = Record<string, string | bigint | null>

/** One state of the whole database, read while others write. Nothing can be written through it. */
export type Snapshot = {
  rows(sql: string): Promise<SnapshotRow[]>
  /** The tables where the database itself refuses to change or delete a row. */
  appendOnly(): Promise<{ table: string; verb: 'update' | 'delete' }[]>
}

/** `databaseUrl` absent: the embedded database in `dataDir`. */
export type SnapshotSource = { databaseUrl?: string | undefined; dataDir: string }

/** A consistent look from outside: needs no migration, no lock and no epoch, and disturbs no gateway. */
export const withSnapshot = <T>(
  { databaseUrl, dataDir }: SnapshotSource,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => (databaseUrl ? postgresSnapshot(databaseUrl, work) : sqliteSnapshot(dataDir, work))
