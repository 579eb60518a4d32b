import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type KlingVendor,
  startKlingVendor,
} from '../../../../apps/server/test/tasks/kling-vendor.ts'
import { mapConcurrently } from '../../../harness/client.ts'
import { engines } from '../../../harness/engines.ts'
import { change } from '../../../harness/ledger.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

// Two nodes without Redis share the limit of a channel by its row in the database. It measures times, so that only the
// soak runs it.

const count = Number(process.env.HUB_TASKS ?? 0)
/** The largest interval between two polls of a task. */
const intervalMs = 30_000
/** Polls of all tasks in one interval take a bit more than half of it. */
const perSecond = Math.ceil((count / intervalMs) * 1_000 * 2)
const observedMs = 2.5 * intervalMs

const engine = engines.find(each => each.name === 'PostgreSQL')!

describe.skipIf(!engine.available || count === 0)(`on ${engine.name}`, () => {
  let hub: TestHub
  let vendor: KlingVendor
  beforeAll(async () => {
    vendor = await startKlingVendor()
    hub = await startTestHub(engine, { instances: 2 })
    await hub.admin.addChannel(vendor.url, { type: 53, models: 'kling-v1', key: vendor.key })
    await hub.admin.setPrice('kling-v1', 'times', 1, 1)
    await hub.admin.setOption('TaskPollsPerSecond', String(perSecond))
  })
  afterAll(async () => {
    await hub?.close()
    await vendor?.close()
  })

  /** Takes every lease away, and waits until no poll is on its way: it would count as a double one. */
  const endPolls = async () => {
    const far = 9_999_999_999
    await change(
      hub.gateway,
      `update tasks set run_at = ${far}, attempts = attempts + 1000 where run_at is not null`,
    )
    let isQuiet = false
    vendor.onPoll = () => {
      isQuiet = false
    }
    while (!isQuiet) {
      isQuiet = true
      await sleep(5_000)
    }
  }

  it(
    'many running tasks: each is polled by one node per turn, and the vendor sees no more than its limit',
    retryTiming,
    async () => {
      const person = await hub.admin.addPerson(1_000_000_000)
      // A second try ends the tasks of the first one.
      const earlier = new Set(vendor.tasks.keys())
      for (const task of vendor.tasks.values()) task.status = 'failed'
      await mapConcurrently(count, 16, async () => {
        const made = await fetch(`${hub.gateway.url}/v1/videos`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${person.key}` },
          body: JSON.stringify({ model: 'kling-v1', prompt: 'A dog' }),
        })
        expect(made.status).toBe(200)
        await made.arrayBuffer()
      })
      await endPolls()
      const polls = new Map<string, number[]>()
      vendor.onPoll = ({ id }) => {
        if (!earlier.has(id)) polls.set(id, [...(polls.get(id) ?? []), performance.now()])
      }
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      // All are due at once, and have been polled so often that the interval has grown to its end.
      await change(
        hub.gateway,
        'update tasks set run_at = 0, attempts = 5 where run_at is not null',
      )
      await sleep(observedMs)
      vendor.onPoll = undefined
      delay.disable()
      const stallMs = Math.ceil(delay.max / 1e6)
      const figures = figuresOf([...polls.values()])
      console.log(
        `R2 on ${engine.name}, ${count} running tasks, ${hub.gateways.length} nodes, limit ${perSecond}/s: ${figures.polls} polls, ${figures.doubled} doubled, at most ${figures.most} in a second, lag p99 ${figures.lagMs} ms; the vendor stood still for at most ${stallMs} ms`,
      )
      expect(polls.size).toBe(count)
      expect(figures.doubled).toBeLessThanOrEqual(figures.polls / 100)
      // A fake that stands still sees requests of a longer time in one second.
      expect(figures.most).toBeLessThanOrEqual(perSecond * (1 + stallMs / 1_000))
      expect(figures.lagMs).toBeLessThan(2 * intervalMs)
    },
  )
})

const figuresOf = (tasks: readonly (readonly number[])[]) => {
  const gaps = tasks.flatMap(times => times.slice(1).map((time, at) => time - times[at]!))
  const all = tasks.flat().sort((a, b) => a - b)
  let from = 0
  let most = 0
  for (const [at, time] of all.entries()) {
    while (all[from]! <= time - 1_000) from += 1
    most = Math.max(most, at - from + 1)
  }
  const lags = gaps.map(each => Math.max(0, each - intervalMs)).sort((a, b) => a - b)
  return {
    polls: all.length,
    doubled: gaps.filter(each => each < intervalMs / 2).length,
    most,
    lagMs: Math.round(lags[Math.floor(lags.length * 0.99)] ?? 0),
  }
}
