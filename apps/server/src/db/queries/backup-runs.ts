import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { BackupRunsTable } from '../tables/backup-runs.ts'
import { changedOne } from './rows.ts'

export type BackupRunRow = Selectable<BackupRunsTable>

type Start = Pick<BackupRunRow, 'started_at' | 'due_minute' | 'epoch' | 'node' | 'actor'>
type BackupEnd = Pick<BackupRunRow, 'ended_at' | 'state' | 'file' | 'bytes' | 'rows' | 'error'>

const listed = 50

export const listNewest = (db: Database): Promise<BackupRunRow[]> =>
  db.selectFrom('backup_runs').selectAll().orderBy('id', 'desc').limit(listed).execute()

/** Starts a run. Undefined: another one runs, or this one was made already. */
export const claim = async (db: Database, start: Start): Promise<number | undefined> => {
  const none = { ended_at: null, file: '', bytes: 0, rows: 0, error: '' }
  const row = await db
    .insertInto('backup_runs')
    .values({ ...start, ...none, state: 'running' })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** False if the run was ended by another node, which took this one for dead. */
export const end = (db: Database, id: number, values: BackupEnd): Promise<boolean> =>
  changedOne(
    db.updateTable('backup_runs').set(values).where('id', '=', id).where('state', '=', 'running'),
  )

export const remove = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('backup_runs').where('id', '=', id).execute()
}

export const removeRunning = async (db: Database): Promise<void> => {
  await db.deleteFrom('backup_runs').where('state', '=', 'running').execute()
}

/** The minute at which the latest scheduled run was due. */
export const findLastDue = async (db: Database): Promise<number | undefined> => {
  const row = await db
    .selectFrom('backup_runs')
    .select('due_minute')
    .where('due_minute', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.due_minute ?? undefined
}

/** Runs of nodes that are dead. */
export const listAbandoned = (db: Database): Promise<BackupRunRow[]> =>
  db
    .selectFrom('backup_runs')
    .selectAll()
    .where('state', '=', 'running')
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('nodes')
            .select('epoch')
            .whereRef('nodes.epoch', '=', 'backup_runs.epoch')
            .where('nodes.state', '=', 'live'),
        ),
      ),
    )
    .execute()

/** Deletes all but the newest rows. */
export const prune = async (db: Database): Promise<void> => {
  const oldest = await db
    .selectFrom('backup_runs')
    .select('id')
    .orderBy('id', 'desc')
    .offset(listed)
    .limit(1)
    .executeTakeFirst()
  if (oldest) await db.deleteFrom('backup_runs').where('id', '<=', oldest.id).execute()
}
