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
/** No job sleeps longer, so that one is found whose time came by a change of the clock or of another program. */
const sleepMaxMs = 10_000

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
  let isStopped = false
  let starting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const lookAfter = (ms: number) => {
    if (!isStopped) timer = setTimeout(startNext, ms).unref()
  }
  const startNext = () => {
    starting = schedule.startNext().then(({ nextDueMs }) => {
      lookAfter(Math.min(sleepMaxMs, Math.max(dueIntervalMs, nextDueMs)))
    })
  }
  lookAfter(firstDueMs)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await starting
      await schedule.settled()
    },
  }
}

const startFrequent = (app: App, jobs: readonly Job[]): Runner => {
  const running = new Set<Promise<unknown>>()
  const stops = jobs.map(job => {
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
    return startTurns(app, { ...job, run })
  })
  return {
    stop: async () => {
      for (const stop of stops) stop()
      await Promise.allSettled(running)
    },
  }
}

/** Runs the job at its interval, or sleeps until its next row is due. Returns the function that ends this. */
const startTurns = (app: App, job: Job): (() => void) => {
  const intervalMs = job.everySeconds * 1000
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isRunning = false
  let isSleeping = false
  /** A row was written while the job ran, which it may not have seen. */
  let isWoken = false

  const turn = async () => {
    isRunning = true
    isWoken = false
    const startedMs = app.monotonic()
    const hasRun = !app.stopping() && (await runOnce(app, job))
    const sleepMs = hasRun ? await sleepMsOf(app, job) : 0
    isRunning = false
    const untilIntervalMs = intervalMs - ((app.monotonic() - startedMs) % intervalMs)
    startTurn(isWoken ? untilIntervalMs : Math.max(untilIntervalMs, sleepMs))
  }
  const startTurn = (ms: number) => {
    clearTimeout(timer)
    if (isStopped) return
    isSleeping = ms > intervalMs
    timer = setTimeout(turn, ms).unref()
  }
  const wake = () => {
    isWoken = true
    if (!isRunning && isSleeping) startTurn(intervalMs)
  }
  startTurn(intervalMs)
  if (job.queue) {
    app.onWrite([job.queue.table], wake)
    app.nodes.onJoined(wake)
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Milliseconds that the job may sleep: none if a row is due or another node can write one. */
const sleepMsOf = async (app: App, { queue, everySeconds }: Job): Promise<number> => {
  if (!queue || !app.nodes.isAlone()) return 0
  const dueSeconds = await queue.findNextDue(app.db).catch(() => 0)
  const leftMs = dueSeconds === undefined ? Number.POSITIVE_INFINITY : dueSeconds * 1000 - app.now()
  return Math.min(leftMs, longestSleepMs(app.monotonic(), everySeconds * 1000))
}

/** Jobs that sleep for the longest time wake the process together. */
const longestSleepMs = (nowMs: number, intervalMs: number): number => {
  const sleepMs = sleepMaxMs - (nowMs % sleepMaxMs)
  return sleepMs < intervalMs ? sleepMs + sleepMaxMs : sleepMs
}

/** Runs the job unless another node runs it; true if this one did. Never rejects. */
const runOnce = async (app: App, job: Job): Promise<boolean> => {
  const seconds = Math.max(lockSecondsMin, job.everySeconds * lockIntervals)
  try {
    const place = job.everyNode ? `:${app.ledger.epoch}` : ''
    return await app.state.lock(`job:${job.name}${place}`, seconds, async () => {
      await job.run(app)
      app.metrics.jobRuns.inc({ job: job.name, outcome: 'ok' })
    })
  } catch (error) {
    app.metrics.jobRuns.inc({ job: job.name, outcome: 'failed' })
    app.log.error({ err: error, job: job.name }, 'a job failed')
    return false
  }
}
