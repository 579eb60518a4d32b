import { withExplainedFailures } from './open-failure.ts'
import { postgresSnapshot } from './postgres/snapshot.ts'
import type { Snapshot, SnapshotSource } from './snapshot-types.ts'
import { sqliteSnapshot } from './sqlite/snapshot.ts'

export type { Snapshot, SnapshotSource } from './snapshot-types.ts'

/** Reads the database from outside: without migration, lock or epoch, and without an effect on running gateways. */
export const withSnapshot = <T>(
  { databaseUrl, dataDir }: SnapshotSource,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> =>
  withExplainedFailures({ databaseUrl, dataDir }, () =>
    databaseUrl ? postgresSnapshot(databaseUrl, work) : sqliteSnapshot(dataDir, work),
  )
