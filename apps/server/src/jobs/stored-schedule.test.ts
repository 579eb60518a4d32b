import { setTimeout as sleep } from 'node:timers/promises'
import { jobNames } from '@hub/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import { defineJob, isStoredJob, type Job } from '../core/define-job.ts'
import { list } from '../db/queries/job-runs.ts'
import { expire, openEpoch } from '../db/queries/nodes.ts'
import { jobs } from './index.ts'
import { makeStoredSchedule } from './stored-schedule.ts'

const minute = 60_000
const hourly = 3_600

let hub: TestApp

/** A process of its own: an epoch, and a memory that knows no run. */
const startNode = async (work: readonly Job[]) => {
  const epoch = await openEpoch(hub.app.db)
  const ledger = { ...hub.app.ledger, epoch }
  const schedule = makeStoredSchedule({ ...hub.app, ledger }, work)
  const runDue = async () => {
    for (const _ of work) await schedule.startNext()
    await schedule.settled()
  }
  const die = async () => {
    await expire(hub.app.db, epoch, 0)
  }
  return { ...schedule, runDue, die }
}

const counting = (name: string, everySeconds: number) => {
  const times: number[] = []
  const run = async () => void times.push(hub.clock.now)
  return { times, job: defineJob({ name, everySeconds, run }) }
}

const dueTests = () => {
  it('a server that lives ten minutes runs each job as often as one that never stops', async () => {
    const each = [
      counting('hourly', hourly),
      counting('rare', 4 * hourly),
      counting('minutely', 60),
    ]
    for (let life = 0; life < 6 * 5; life += 1) {
      const node = await startNode(each.map(({ job }) => job))
      for (let passed = 0; passed < 10; passed += 1) {
        await node.runDue()
        hub.clock.now += minute
      }
      await node.die()
    }
    expect(each.map(({ times }) => times.length)).toEqual([5, 2, 300])
  })

  it('a node learns when the next job is due, so that it need not look before', async () => {
    const each = [counting('first', 600), counting('second', hourly)]
    const node = await startNode(each.map(({ job }) => job))
    expect(await node.startNext()).toEqual({ nextDueMs: 0 })
    await node.runDue()
    const { nextDueMs } = await node.startNext()
    expect([nextDueMs > 599_000, nextDueMs <= 600_000]).toEqual([true, true])
    hub.clock.now += 5 * minute
    expect((await node.startNext()).nextDueMs).toBe(nextDueMs - 5 * minute)
    await node.die()
  })

  it('one node of two runs a job that is due, and each job starts at a time of its own', async () => {
    const each = Array.from({ length: 5 }, (_, at) => counting(`job-${at}`, hourly))
    const work = each.map(({ job }) => job)
    const nodes = [await startNode(work), await startNode(work)]
    await nodes[0]!.startNext()
    await nodes[0]!.settled()
    expect(each.flatMap(({ times }) => times)).toHaveLength(1)
    for (let hour = 0; hour < 3; hour += 1) {
      await Promise.all(nodes.map(({ runDue }) => runDue()))
      hub.clock.now += hourly * 1000
    }
    expect(each.map(({ times }) => times.length)).toEqual([3, 3, 3, 3, 3])
  })

  it('a job whose node is killed runs again after a minute, and not while its node lives', async () => {
    const begun = Promise.withResolvers<void>()
    const endless = defineJob({
      name: 'endless',
      everySeconds: hourly,
      run: () => {
        begun.resolve()
        return new Promise(() => {})
      },
    })
    const killed = await startNode([endless])
    void killed.startNext()
    await begun.promise
    await killed.startNext()
    const { times, job } = counting('endless', hourly)
    const other = await startNode([job])
    hub.clock.now += 90 * minute
    await other.runDue()
    expect(times, 'its node lives').toHaveLength(0)
    await killed.die()
    await other.runDue()
    expect(times).toHaveLength(1)
    const dies = await startNode([endless])
    hub.clock.now += hourly * 1000
    void dies.startNext()
    await expect.poll(async () => (await list(hub.app.db))[0]?.epoch).not.toBeNull()
    await dies.die()
    await other.runDue()
    expect(times, 'a job that kills its node does not run at once again').toHaveLength(1)
    hub.clock.now += minute
    await other.runDue()
    expect(times).toHaveLength(2)
  })
}

const endTests = () => {
  it('a clock that goes back delays no job by more than two intervals', async () => {
    const { times, job } = counting('hourly', hourly)
    const node = await startNode([job])
    await node.runDue()
    hub.clock.now -= 30 * minute
    await node.runDue()
    expect(times).toHaveLength(1)
    hub.clock.now -= 365 * 24 * 60 * minute
    await node.runDue()
    await node.runDue()
    expect(times).toHaveLength(2)
    hub.clock.now += hourly * 1000
    await node.runDue()
    expect(times).toHaveLength(3)
  })

  it('a job that fails is due again after five minutes, and its error is kept until it succeeds', async () => {
    let isFailing = true
    const run = async () => {
      await sleep(1)
      if (isFailing) throw new TypeError('the disk is full')
    }
    const node = await startNode([defineJob({ name: 'daily', everySeconds: 86_400, run })])
    await node.runDue()
    const started = Math.floor(hub.clock.now / 1000)
    const [failed] = await list(hub.app.db)
    expect(failed).toMatchObject({ error: 'the disk is full', epoch: null, succeeded_at: null })
    expect(failed).toMatchObject({ started_at: started, ended_at: started, due_at: started + 300 })
    isFailing = false
    hub.clock.now += 5 * minute
    await node.runDue()
    const [succeeded] = await list(hub.app.db)
    expect(succeeded).toMatchObject({ error: '', succeeded_at: started + 300 })
    expect(succeeded!.due_at).toBe(started + 300 + 86_400)
    expect(succeeded!.duration_ms).toBeGreaterThan(0)
  })

  it('a job that fails twice in a row is notified once for each time without a success', async () => {
    const rings = await hub.root.post('/api/notification/', {
      ...{ name: 'rings', type: 'webhook', events: ['job.failed'] },
      config: { url: 'http://127.0.0.1:9/', secret: 'a-secret-of-the-test' },
    })
    const notified = async () =>
      (
        await hub.app.db
          .selectFrom('notifications')
          .select('facts')
          .where('event', '=', 'job.failed')
          .execute()
      ).map(({ facts }) => facts)
    let isFailing = true
    const run = async () => {
      if (isFailing) throw new Error('postgres://hub:secret@db is away')
    }
    const node = await startNode([defineJob({ name: 'daily', everySeconds: 86_400, run })])
    const runAgain = async () => {
      hub.clock.now += 86_400_000
      await node.runDue()
    }
    await runAgain()
    expect(await notified()).toEqual([])
    for (let time = 0; time < 3; time += 1) await runAgain()
    expect(await notified()).toEqual(['{"name":"daily"}'])
    isFailing = false
    await runAgain()
    isFailing = true
    for (let time = 0; time < 2; time += 1) await runAgain()
    expect(await notified()).toHaveLength(2)
    await hub.root.delete(`/api/notification/${rings.body.data.id}`)
  })
}

onBothEngines('the due times of jobs', open => {
  beforeAll(async () => {
    hub = await open()
  })
  beforeEach(async () => {
    await hub.app.db.deleteFrom('job_runs').execute()
  })
  dueTests()
  endTests()
})

it('the names in the contract are those of the jobs', () => {
  const stored = jobs.filter(isStoredJob).map(({ name }) => name)
  expect([...jobNames]).toEqual(stored.toSorted())
})
