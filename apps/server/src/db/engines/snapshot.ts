import { postgresSnapshot } from './postgres/snapshot.ts'
import type { Snapshot } from './snapshot-types.ts'
import { sqliteSnapshot } from './sqlite/snapshot.ts'

export type { Snapshot } from './snapshot-types.ts'

/** Without `databaseUrl`: the embedded database in `dataDir`. */
export type SnapshotSource = { databaseUrl?: string | undefined; dataDir: string }

/** Reads the database from outside: without migration, lock or epoch, and without an effect on running gateways. */
export const withSnapshot = <T>(
  { databaseUrl, dataDir }: SnapshotSource,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => (databaseUrl ? postgresSnapshot(databaseUrl, work) : sqliteSnapshot(dataDir, work))
