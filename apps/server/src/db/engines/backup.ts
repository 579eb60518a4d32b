import type { Dump, RestoreTarget } from './backup-types.ts'
import { withExplainedFailures } from './open-failure.ts'
import { dumpPostgres } from './postgres/backup/dump.ts'
import { postgresTarget } from './postgres/backup/target.ts'
import type { SnapshotSource } from './snapshot.ts'
import { dumpSqlite } from './sqlite/backup/dump.ts'
import { sqliteTarget } from './sqlite/backup/target.ts'

export type { BackupRow, Cell, Dump, TableShape, TableWriter } from './backup-types.ts'

/** Reads the whole database from outside, and has no effect on running gateways. */
export const withDump = <T>(
  { databaseUrl, dataDir }: SnapshotSource,
  work: (dump: Dump) => Promise<T>,
): Promise<T> =>
  withExplainedFailures({ databaseUrl, dataDir }, () =>
    databaseUrl ? dumpPostgres(databaseUrl, work) : dumpSqlite(dataDir, work),
  )

export const openRestoreTarget = ({ databaseUrl, dataDir }: SnapshotSource): RestoreTarget =>
  databaseUrl ? postgresTarget(databaseUrl, dataDir) : sqliteTarget(dataDir)

/** True while a server is connected to the database. A lock of the data folder tells it of the embedded one. */
export const isServed = (source: SnapshotSource): Promise<boolean> =>
  withExplainedFailures(source, () => {
    const target = openRestoreTarget(source)
    return target.isInUse().finally(() => target.close())
  })
