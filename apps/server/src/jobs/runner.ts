import type { App } from '../core/app.ts'
import { isStoredJob, type Job } from '../core/define-job.ts'
import { makeStoredSchedule } from './stored-schedule.ts'

export type Runner = {
  /** Starts no further run; resolves when the running jobs have ended. Does not wait for locks that are not given. */
  stop(): Promise<void>
}

/** A lock lasts for this many intervals. When its node dies, another node takes over after that. */
const lockIntervals = 3
const lockSecondsMin = 60

/** Due jobs wait for this after the start, which first calls then have for themselves. */
const firstDueMs = 5_000
const dueIntervalMs = 2_000

/**
 * Runs every job on one node at a time unless it is for every node: rare ones at their due times in the database, the
 * others at their interval, first one interval after the start. A failure is logged, and the job runs again.
 */
export const startJobs = (app: App, jobs: readonly Job[]): Runner => {
  const frequent = startFrequent(
    app,
    jobs.filter(job => !isStoredJob(job)),
  )
  const stored = startStored(app, jobs.filter(isStoredJob))
  return {
    stop: async () => {
      await Promise.all([frequent.stop(), stored.stop()])
    },
  }
}

const startStored = (app: App, jobs: readonly Job[]): Runner => {
  const schedule = makeStoredSchedule(app, jobs)
  let starting: Promise<void> | undefined
  const startNext = () => {
    starting ??= schedule.startNext().finally(() => {
      starting = undefined
    })
  }
  let timer: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    startNext()
    timer = setInterval(startNext, dueIntervalMs)
    timer.unref()
  }, firstDueMs)
  first.unref()
  return {
    stop: async () => {
      clearTimeout(first)
      clearInterval(timer)
      await starting
      await schedule.settled()
    },
  }
}

const startFrequent = (app: App, jobs: readonly Job[]): Runner => {
  const running = new Set<Promise<unknown>>()
  const timers = jobs.map(job => {
    const run = async () => {
      // The lock may have come late.
      if (app.stopping()) return
      const work = job.run(app)
      running.add(work)
      try {
        await work
      } finally {
        running.delete(work)
      }
    }
    let isBusy = false
    const timer = setInterval(() => {
      if (isBusy || app.stopping()) return
      isBusy = true
      void runOnce(app, { ...job, run }).finally(() => {
        isBusy = false
      })
    }, job.everySeconds * 1000)
    timer.unref()
    return timer
  })
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}

/** Runs the job unless another node runs it. Never rejects. */
const runOnce = async (app: App, job: Job): Promise<void> => {
  const seconds = Math.max(lockSecondsMin, job.everySeconds * lockIntervals)
  try {
    const place = job.everyNode ? `:${app.ledger.epoch}` : ''
    await app.state.lock(`job:${job.name}${place}`, seconds, async () => {
      await job.run(app)
      app.metrics.jobRuns.inc({ job: job.name, outcome: 'ok' })
    })
  } catch (error) {
    app.metrics.jobRuns.inc({ job: job.name, outcome: 'failed' })
    app.log.error({ err: error, job: job.name }, 'a job failed')
  }
}
