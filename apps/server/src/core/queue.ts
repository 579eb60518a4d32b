import type { Database } from '../db/index.ts'
import * as queue from '../db/queries/queue.ts'
import { type App, nowSeconds } from './app.ts'
import type { QueueHandlers, QueuePayloads } from './define-job.ts'

/** Longer than one attempt may last. When the lease ends, another worker may take the entry. */
const leaseSeconds = 30
const attemptsMax = 20
const firstWaitSeconds = 5
const waitSecondsMax = 3600

const sealContext = (job: string, key: string) => `queued.payload_sealed:${job}:${key}`

/**
 * Queues work in the caller's transaction, so that both are committed or neither. The payload is stored encrypted.
 * Returns false when the same job and key is already queued or ended less than 30 days ago.
 */
export const enqueue = <J extends keyof QueuePayloads>(
  app: App,
  tx: Database,
  job: J,
  key: string,
  payload: QueuePayloads[J],
): Promise<boolean> => {
  const payload_sealed = app.seal.seal('queued', sealContext(job, key), JSON.stringify(payload))
  return queue.add(tx, { job, key, payload_sealed, now: nowSeconds(app) })
}

/**
 * Runs due entries until none is left or one fails. A failure may affect all, so the rest waits for the next run. A
 * failed entry is retried with exponential backoff, and abandoned after 20 attempts.
 */
export const processQueue = async (app: App, jobs: QueueHandlers): Promise<void> => {
  while (!app.stopping()) {
    const now = nowSeconds(app)
    if (!(await queue.isDue(app.db, now))) return
    const entry = await queue.lease(app.db, now, now + leaseSeconds)
    if (!entry || !(await runEntry(app, jobs, entry))) return
  }
}

const runEntry = async (
  app: App,
  jobs: QueueHandlers,
  entry: queue.LeasedJob,
): Promise<boolean> => {
  const job = entry.job as keyof QueuePayloads
  try {
    const payload = app.seal.open('queued', sealContext(job, entry.key), entry.payload_sealed)
    await jobs[job](app, JSON.parse(payload), entry.key)
    await queue.end(app.db, entry, { state: 'done', failure: '', now: nowSeconds(app) })
    app.metrics.jobRuns.inc({ job, outcome: 'ok' })
    return true
  } catch (error) {
    await retryOrFail(app, entry, error)
    return false
  }
}

const retryOrFail = async (app: App, entry: queue.LeasedJob, error: unknown): Promise<void> => {
  const { job, attempts } = entry
  const failure = String((error as { message?: unknown } | null)?.message ?? error).slice(0, 500)
  app.metrics.jobRuns.inc({ job, outcome: 'failed' })
  const now = nowSeconds(app)
  if (attempts >= attemptsMax) {
    app.log.error({ job, failure, attempts }, 'queued work failed too often and is abandoned')
    return queue.end(app.db, entry, { state: 'failed', failure, now })
  }
  app.log.warn({ job, failure, attempts }, 'queued work failed and will be tried again')
  const delaySeconds = Math.min(waitSecondsMax, firstWaitSeconds * 2 ** (attempts - 1))
  return queue.putBack(app.db, entry, now + delaySeconds, failure)
}
