import type { Database } from '../db/index.ts'
import * as queue from '../db/queries/queue.ts'
import type { App } from './app.ts'
import type { Queueable, QueuedJobs } from './define-job.ts'

/** Longer than one attempt may last. After it an attempt counts as dead, and somebody else makes the next. */
const leaseSeconds = 30
const attemptsMax = 20
const firstWaitSeconds = 5
const waitSecondsMax = 3600

const seconds = (app: App) => Math.floor(app.now() / 1000)
const sealedAt = (job: string, key: string) => `queued.payload_sealed:${job}:${key}`

/**
 * Promises work inside the transaction that makes it necessary: both are there, or neither. `key` says what it is for;
 * the same job and key again is nothing new, for as long as the first is remembered (30 days after it ended).
 */
export const enqueue = <J extends keyof Queueable>(
  app: App,
  tx: Database,
  job: J,
  key: string,
  payload: Queueable[J],
): Promise<boolean> => {
  const payload_sealed = app.seal.seal('queued', sealedAt(job, key), JSON.stringify(payload))
  return queue.add(tx, { job, key, payload_sealed, now: seconds(app) })
}

/** Does what is due. After a failure the rest waits for the next turn: whatever failed may be away for all of them. */
export const workOff = async (app: App, jobs: QueuedJobs): Promise<void> => {
  while (!app.stopping()) {
    const now = seconds(app)
    if (!(await queue.isDue(app.db, now))) return
    const entry = await queue.take(app.db, now, now + leaseSeconds)
    if (!entry || !(await attempt(app, jobs, entry))) return
  }
}

const attempt = async (app: App, jobs: QueuedJobs, entry: queue.Taken): Promise<boolean> => {
  const job = entry.job as keyof Queueable
  try {
    const payload = app.seal.open('queued', sealedAt(job, entry.key), entry.payload_sealed)
    await jobs[job](app, JSON.parse(payload), entry.key)
    await queue.end(app.db, entry, { state: 'done', failure: '', now: seconds(app) })
    app.metrics.jobRuns.inc({ job, outcome: 'ok' })
    return true
  } catch (error) {
    await giveBack(app, entry, error)
    return false
  }
}

const giveBack = async (app: App, entry: queue.Taken, error: unknown): Promise<void> => {
  const { job, attempts } = entry
  const failure = String((error as { message?: unknown } | null)?.message ?? error).slice(0, 500)
  app.metrics.jobRuns.inc({ job, outcome: 'failed' })
  const now = seconds(app)
  if (attempts >= attemptsMax) {
    app.log.error({ job, failure, attempts }, 'queued work was given up')
    return queue.end(app.db, entry, { state: 'failed', failure, now })
  }
  app.log.warn({ job, failure, attempts }, 'queued work failed and will be tried again')
  const wait = Math.min(waitSecondsMax, firstWaitSeconds * 2 ** (attempts - 1))
  return queue.putBack(app.db, entry, now + wait, failure)
}
