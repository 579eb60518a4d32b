import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { JobRunsTable } from '../tables/job-runs.ts'
import { changedOne } from './rows.ts'

export type JobRun = Selectable<JobRunsTable>

type Claim = { name: string; everySeconds: number; now: number; epoch: number }

/** A new job is due at once. */
export const addMissing = async (db: Database, names: readonly string[], now: number) => {
  if (names.length === 0) return
  const neverRun = { epoch: null, started_at: null, ended_at: null, succeeded_at: null }
  await db
    .insertInto('job_runs')
    .values(names.map(name => ({ name, due_at: now, duration_ms: 0, error: '', ...neverRun })))
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
}

/** All jobs, with whether their node is alive. */
export const list = (db: Database) =>
  db
    .selectFrom('job_runs')
    .leftJoin('nodes', join =>
      join.onRef('nodes.epoch', '=', 'job_runs.epoch').on('nodes.state', '=', 'live'),
    )
    .selectAll('job_runs')
    .select('nodes.epoch as live_epoch')
    .execute()

export const find = (db: Database, name: string): Promise<JobRun | undefined> =>
  db.selectFrom('job_runs').selectAll().where('name', '=', name).executeTakeFirst()

/** No job is due later than this, unless the clock has gone back. Allows for nodes whose clocks differ. */
export const latestDue = ({ everySeconds, now }: Pick<Claim, 'everySeconds' | 'now'>): number =>
  now + 2 * everySeconds

/** A job that brings its node down waits for this before it runs again. */
const abandonedWaitSeconds = 60

/** Its node died a while ago. A start in the future means that the clock has gone back. */
export const isAbandoned = (
  run: Pick<JobRun, 'epoch' | 'started_at'> & { live_epoch: number | null },
  now: number,
) =>
  run.epoch !== null &&
  run.live_epoch === null &&
  (run.started_at! <= now - abandonedWaitSeconds || run.started_at! > now)

/**
 * Takes a job that is due, or that a dead node has left unfinished. False: another node has it. A node may take its own
 * job again, because it knows whether that still runs.
 */
export const claim = (db: Database, job: Claim): Promise<boolean> =>
  changedOne(
    db
      .updateTable('job_runs')
      .set({ epoch: job.epoch, started_at: job.now, due_at: job.now + job.everySeconds })
      .where('name', '=', job.name)
      .where(eb => {
        const isDue = eb.or([eb('due_at', '<=', job.now), eb('due_at', '>', latestDue(job))])
        const isFree = eb.or([eb('epoch', 'is', null), eb('epoch', '=', job.epoch)])
        const liveNode = eb
          .selectFrom('nodes')
          .select('nodes.epoch')
          .whereRef('nodes.epoch', '=', 'job_runs.epoch')
          .where('nodes.state', '=', 'live')
        const isOver = eb.or([
          eb('started_at', '<=', job.now - abandonedWaitSeconds),
          eb('started_at', '>', job.now),
        ])
        const isLeft = eb.and([eb('epoch', 'is not', null), eb.not(eb.exists(liveNode)), isOver])
        return eb.or([eb.and([isDue, isFree]), isLeft])
      }),
  )

type RunEnd = { name: string; epoch: number; now: number; durationMs: number }

export const succeed = async (db: Database, run: RunEnd): Promise<void> => {
  await endOf(db, run).set({ succeeded_at: run.now, error: '' }).execute()
}

/** The job is due again at `dueAt`. False: the run belongs to another node now. */
export const fail = (
  db: Database,
  { error, dueAt, ...run }: RunEnd & { error: string; dueAt: number },
): Promise<boolean> => changedOne(endOf(db, run).set({ error, due_at: dueAt }))

/** Matches the run only while it belongs to the node. */
const endOf = (db: Database, { name, epoch, now, durationMs }: RunEnd) =>
  db
    .updateTable('job_runs')
    .set({ epoch: null, ended_at: now, duration_ms: durationMs })
    .where('name', '=', name)
    .where('epoch', '=', epoch)
