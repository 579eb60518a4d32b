/** Integers are bigint, so that none is rounded. */
export type SnapshotRow = Record<string, string | bigint | null>

/** One consistent state of the whole database, read while others write. It cannot write. */
export type Snapshot = {
  rows(sql: string): Promise<SnapshotRow[]>
  /** The tables on which a trigger refuses changes. */
  appendOnly(): Promise<{ table: string; verb: 'update' | 'delete' }[]>
}

/** Without `databaseUrl`: the embedded database in `dataDir`. */
export type SnapshotSource = { databaseUrl?: string | undefined; dataDir: string }
