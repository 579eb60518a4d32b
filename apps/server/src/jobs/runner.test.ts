import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { until } from '../../../../test/harness/runner/until.ts'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import type { App } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import * as queue from '../db/queries/queue.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { type Runner, startJobs } from './runner.ts'

let hub: TestApp
let runner: Runner

/** A job that may run twenty times a second, and does nothing. With a clock that stands it sleeps for ten seconds. */
const startCounting = (changes: Partial<App> = {}) => {
  const runs = { count: 0 }
  const run = async () => void runs.count++
  const job = { name: 'counted', everySeconds: 0.05, queue: workQueues.queued, run }
  runner = startJobs({ ...hub.app, monotonic: () => 0, ...changes }, [defineJob(job)])
  return runs
}

/** A job that runs at its interval has run ten times then; one that sleeps ran once or twice. */
const runsInHalfASecond = async (runs: { count: number }) => {
  const before = runs.count
  await sleep(500)
  return runs.count - before
}

/** Waits for it less than a job sleeps. */
const soon = async (what: string, isTrue: () => boolean) => {
  const startedMs = performance.now()
  await until(what, isTrue)
  expect(performance.now() - startedMs).toBeLessThan(8_000)
}

const addRow = (key: string, inSeconds: number) =>
  queue.add(hub.app.db, {
    ...{ job: 'notify', key, payload_sealed: '' },
    now: Math.floor(hub.clock.now / 1000) + inSeconds,
  })
const endRows = () => hub.app.db.updateTable('queued').set({ state: 'done' }).execute()

const runnerTests = () => {
  it('a job sleeps while no row is due, and runs at its interval while one is', async () => {
    const runs = startCounting()
    await until('the job has run', () => runs.count > 0)
    expect(await runsInHalfASecond(runs)).toBeLessThanOrEqual(2)
    await addRow('due', 0)
    const before = runs.count
    await soon('the job runs again and again', () => runs.count >= before + 5)
    await endRows()
    await until('the job sleeps', async () => (await runsInHalfASecond(runs)) <= 2)
  })

  it('a job sleeps no longer than until its next row is due', async () => {
    const runs = startCounting()
    await until('the job sleeps', async () => (await runsInHalfASecond(runs)) <= 2)
    await addRow('later', 3)
    await until('the job sleeps again', async () => (await runsInHalfASecond(runs)) === 0)
    const before = runs.count
    hub.clock.now += 3_000
    await soon('the row is due', () => runs.count >= before + 3)
    await endRows()
  })

  it('each queue names the time of its first row, and none without a row', async () => {
    const dueTimes = () =>
      Promise.all(Object.values(workQueues).map(({ findNextDue }) => findNextDue(hub.app.db)))
    expect(new Set(await dueTimes())).toEqual(new Set([undefined]))
    await addRow('in an hour', 3_600)
    await addRow('in a minute', 60)
    const inAMinute = Math.floor(hub.clock.now / 1000) + 60
    expect((await dueTimes()).filter(each => each !== undefined)).toEqual([inAMinute])
    await endRows()
  })

  it('a job does not sleep while another node could write a row', async () => {
    const nodes = { ...hub.app.nodes, isAlone: () => false }
    const runs = startCounting({ nodes })
    await soon('the job runs again and again', () => runs.count >= 5)
  })
}

onBothEngines('the runner of jobs', open => {
  beforeAll(async () => {
    hub = await open()
    await until('the node knows that it is alone', () => hub.app.nodes.isAlone())
  })
  afterEach(() => runner.stop())
  runnerTests()
})
