import { type App, nowSeconds } from '../core/app.ts'
import type { Job } from '../core/define-job.ts'
import { emit } from '../core/notifications/emit.ts'
import * as runs from '../db/queries/job-runs.ts'
import { administrators } from '../db/queries/notification-targets.ts'

export type StoredSchedule = {
  /**
   * Starts the job that is due longest, if this node gets it. `nextDueMs`: milliseconds until the next one is due. Never
   * rejects.
   */
  startNext(): Promise<{ nextDueMs: number }>
  /** Resolves when the running jobs have ended. */
  settled(): Promise<unknown>
}

/** A job that failed is tried again after this, or after its interval if that is shorter. */
const retrySeconds = 300
const errorLengthMax = 500

/**
 * Runs jobs by the due times in the database, so that a start forgets none and each runs on one node. One job starts at
 * a time, so that many that are due after a pause are spread.
 */
export const makeStoredSchedule = (app: App, jobs: readonly Job[]): StoredSchedule => {
  const running = new Map<string, Promise<void>>()
  let isKnown = false
  let isUnavailable = false

  /** Returns the milliseconds until the next job is due. */
  const startDue = async (): Promise<number> => {
    const now = nowSeconds(app)
    if (!isKnown) {
      const names = jobs.map(({ name }) => name)
      await runs.addMissing(app.db, names, now)
      isKnown = true
    }
    const { due, nextDueMs } = await listDue(app, jobs, now)
    for (const job of due) {
      if (running.has(job.name)) continue
      const { epoch } = app.ledger
      const isOurs = await runs.claim(app.db, { ...job, now, epoch })
      if (!isOurs) continue
      const run = runClaimed(app, job, epoch).finally(() => running.delete(job.name))
      running.set(job.name, run)
      return 0
    }
    return nextDueMs
  }

  const startNext = async () => {
    if (app.stopping()) return { nextDueMs: 0 }
    try {
      const nextDueMs = await startDue()
      isUnavailable = false
      return { nextDueMs }
    } catch (error) {
      if (!isUnavailable) app.log.error({ err: error }, 'the due jobs could not be read')
      isUnavailable = true
      return { nextDueMs: 0 }
    }
  }
  return { startNext, settled: () => Promise.allSettled(running.values()) }
}

/** The jobs that this node may take, the longest due first, and the milliseconds until the next one is due. */
const listDue = async (
  app: App,
  jobs: readonly Job[],
  now: number,
): Promise<{ due: Job[]; nextDueMs: number }> => {
  const byName = new Map(jobs.map(job => [job.name, job]))
  const rows = (await runs.list(app.db)).toSorted((a, b) => a.due_at - b.due_at)
  const next = rows.find(row => byName.has(row.name) && row.due_at > now)
  const due = rows.flatMap(row => {
    const job = byName.get(row.name)
    if (!job) return []
    const isDue = row.due_at <= now || row.due_at > runs.latestDue({ ...job, now })
    return isDue || runs.isAbandoned(row, now) ? [job] : []
  })
  return { due, nextDueMs: next ? next.due_at * 1000 - app.now() : Number.POSITIVE_INFINITY }
}

/** Never rejects. If the end cannot be recorded, the job is due after its interval. */
const runClaimed = async (app: App, job: Job, epoch: number): Promise<void> => {
  const { name, everySeconds } = job
  const startedMs = app.monotonic()
  const end = () => ({
    name,
    epoch,
    now: nowSeconds(app),
    durationMs: Math.round(app.monotonic() - startedMs),
  })
  try {
    const failure = await failureOf(app, job)
    if (failure === undefined) return await runs.succeed(app.db, end())
    const dueAt = nowSeconds(app) + Math.min(everySeconds, retrySeconds)
    await recordFailure(app, { ...end(), error: failure, dueAt })
  } catch (error) {
    app.log.error({ err: error, job: name }, 'the end of a job could not be recorded')
  }
}

/** Administrators get one notification for each time without a success. A single failure may pass by itself. */
const recordFailure = (app: App, failed: Parameters<typeof runs.fail>[1]): Promise<void> =>
  app.db.transaction().execute(async tx => {
    const { name } = failed
    const before = await runs.find(tx, name)
    if (!(await runs.fail(tx, failed)) || !before?.error) return
    await emit(app, tx, {
      event: 'job.failed',
      key: `job.failed:${name}:${before.succeeded_at ?? 0}`,
      userIds: [administrators],
      facts: { name },
    })
  })

/** Runs the job. Undefined: it succeeded. */
const failureOf = async (app: App, job: Job): Promise<string | undefined> => {
  try {
    await job.run(app)
    app.metrics.jobRuns.inc({ job: job.name, outcome: 'ok' })
    return undefined
  } catch (error) {
    app.metrics.jobRuns.inc({ job: job.name, outcome: 'failed' })
    app.log.error({ err: error, job: job.name }, 'a job failed')
    const text = error instanceof Error ? error.message : String(error)
    return text.replaceAll('\0', '').slice(0, errorLengthMax) || 'unknown'
  }
}
