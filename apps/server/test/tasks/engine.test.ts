import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { takePollTurn } from '../../src/db/queries/task-polls.ts'
import removeOldTasks from '../../src/jobs/remove-old-tasks.ts'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { onBothEngines } from '../harness.ts'
import { noticesOf, subscribe } from '../notices.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type KlingVendor, startKlingVendor } from './kling-vendor.ts'

const minute = 60_000
const price = 10

type Opener = NonNullable<Parameters<typeof useRelayHub>[1]>

/** A gateway with a channel to each of two vendors, and no task that is running. */
const useTwoVendors = (open: Opener) => {
  const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8' }, open)
  const vendors = {} as Record<'first' | 'second', KlingVendor>
  beforeAll(async () => {
    for (const model of ['first', 'second'] as const) {
      const vendor = await startKlingVendor()
      vendor.now = () => hub.app.clock.now
      vendors[model] = vendor
      await hub.addChannel(53, model, { base_url: vendor.url, key: vendor.key })
      const times = { model, type: 'times', input: price, output: price, locked: true }
      expect((await hub.app.root.put(`/api/prices/single/${model}`, times)).status).toBe(200)
    }
  })
  afterAll(async () => {
    for (const each of Object.values(vendors)) await each.close()
  })
  beforeEach(async () => {
    await hub.app.app.db.deleteFrom('task_polls').execute()
    for (const each of Object.values(vendors)) {
      each.override = undefined
      for (const task of each.tasks.values()) task.status = 'failed'
    }
    await poll()
  })

  const setOption = async (key: string, value: string) =>
    expect((await hub.app.root.put('/api/option/', { key, value })).status).toBe(200)
  const makeDue = () =>
    hub.app.app.db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
  const poll = async () => {
    await makeDue()
    await pollTasks(hub.app.app)
  }
  const submit = async (model: keyof typeof vendors = 'first'): Promise<string> => {
    const made = await hub.post('/v1/videos', { model, prompt: 'A dog' })
    expect(made.status).toBe(200)
    return ((await made.json()) as Json).id
  }
  const rowOf = (publicId: string) =>
    hub.app.app.db
      .selectFrom('tasks')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst()
  const upstreamOf = async (publicId: string, at: keyof typeof vendors = 'first') =>
    vendors[at].tasks.get((await rowOf(publicId))!.upstream_id)!
  const endsOf = async (publicId: string) => {
    const { id, state, settlement } = (await rowOf(publicId))!
    const charges = await hub.app.app.db
      .selectFrom('transfers')
      .select('amount')
      .where('id', '=', id)
      .execute()
    return [state, settlement, charges.map(each => each.amount)]
  }
  return { hub, vendors, setOption, makeDue, poll, submit, rowOf, upstreamOf, endsOf }
}

onBothEngines('the end of a task', open => {
  const { hub, setOption, poll, submit, rowOf, upstreamOf, endsOf } = useTwoVendors(open)

  it('charges a task that completed once, and releases one that failed', async () => {
    const [done, broken] = [await submit(), await submit()]
    ;(await upstreamOf(done)).status = 'succeed'
    ;(await upstreamOf(broken)).status = 'failed'
    await Promise.all([poll(), poll()])
    await poll()
    expect(await endsOf(done)).toEqual(['completed', 'charged', [price * 1_000]])
    expect(await endsOf(broken)).toEqual(['failed', 'released', []])
    expect(await hub.app.app.db.selectFrom('holds').select('id').execute()).toEqual([])
  })

  it('notifies of the tasks that failed in ten minutes at most twice, with their number', async () => {
    const { root } = hub.app
    await subscribe(root, 'site', ['task.failed'])
    await subscribe(root, 'account', ['task.failed'])
    for (let n = 0; n < 3; n += 1) (await upstreamOf(await submit())).status = 'failed'
    await Promise.all([poll(), poll()])
    await poll()
    for (const owner of ['site', 'account'] as const) {
      const notices = await noticesOf(root, owner, 'task.failed')
      // The hub's own job may send the first failure at once; the others wait for the end of the window.
      expect(notices.length).toBeLessThanOrEqual(2)
      expect(notices.reduce((sum, [count]) => sum + count, 0)).toBe(3)
      const [count, title] = notices.at(-1)!
      expect(title).toContain(count === 1 ? 'A task of' : `${count} tasks failed`)
    }
  })

  it('gives a task up at the deadline of the settings, and delivers it free of charge later', async () => {
    await setOption('TaskDeadlineMinutes', '5')
    const id = await submit()
    hub.app.clock.now += 4 * minute
    await poll()
    expect(await endsOf(id)).toEqual(['queued', 'held', []])
    hub.app.clock.now += 2 * minute
    await poll()
    expect(await endsOf(id)).toEqual(['expired', 'released', []])
    ;(await upstreamOf(id)).status = 'succeed'
    await poll()
    expect(await endsOf(id)).toEqual(['completed', 'released', []])
    await setOption('TaskDeadlineMinutes', '60')
  })

  it('deletes ended tasks after the retention, and no running one', async () => {
    const [ended, running] = [await submit(), await submit()]
    ;(await upstreamOf(ended)).status = 'succeed'
    await poll()
    hub.app.clock.now += 3 * 24 * 60 * minute
    await removeOldTasks.run(hub.app.app)
    expect(await rowOf(ended)).toBeDefined()
    await setOption('TaskRetentionDays', '4')
    await removeOldTasks.run(hub.app.app)
    expect(await rowOf(ended)).toBeDefined()
    hub.app.clock.now += 2 * 24 * 60 * minute
    await removeOldTasks.run(hub.app.app)
    expect(await rowOf(ended)).toBeUndefined()
    expect(await rowOf(running)).toBeDefined()
    await setOption('TaskRetentionDays', '0')
  })
})

onBothEngines('polls', open => {
  const { hub, vendors, makeDue, submit, upstreamOf } = useTwoVendors(open)

  it('polls each task once, however many pollers run', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => submit()))
    await makeDue()
    await Promise.all(Array.from({ length: 4 }, () => pollTasks(hub.app.app)))
    const tasks = await Promise.all(ids.map(each => upstreamOf(each)))
    expect(tasks.map(each => each.polls)).toEqual(ids.map(() => 1))
  })

  it.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)(
    'polls the tasks of one vendor while another does not answer: %s',
    async (silent, other) => {
      const [stuck, quick] = [await submit(silent), await submit(other)]
      const pollsOf = async (...of: Parameters<typeof upstreamOf>) =>
        (await upstreamOf(...of)).polls
      let release = () => {}
      const isReleased = new Promise<void>(resolve => {
        release = resolve
      })
      vendors[silent].delay = () => isReleased
      await makeDue()
      const polled = pollTasks(hub.app.app)
      await expect.poll(() => pollsOf(quick, other)).toBe(1)
      expect(await pollsOf(stuck, silent)).toBe(0)
      vendors[silent].delay = undefined
      release()
      await polled
      expect(await pollsOf(stuck, silent)).toBe(1)
    },
  )
})

onBothEngines('the pace of polls', open => {
  const { hub, vendors, setOption, makeDue, poll, submit, upstreamOf } = useTwoVendors(open)

  it('lets a vendor rest that answered 429', async () => {
    const id = await submit()
    vendors.first.override = () => ({ status: 429, json: { code: 1302, message: 'slow down' } })
    await poll()
    vendors.first.override = undefined
    await poll()
    expect((await upstreamOf(id)).polls).toBe(0)
    hub.app.clock.now += 10_000
    await poll()
    expect((await upstreamOf(id)).polls).toBe(1)
  })

  it('sends no poll whose place in the pace is over, and polls its task at a later place', async () => {
    await setOption('TaskPollsPerSecond', '50')
    const ids = await Promise.all([1, 2, 3].map(() => submit()))
    await makeDue()
    const { clock } = hub.app
    const start = clock.now
    let readings = 0
    const stalled = 100
    // A node that stands still between any two of its steps.
    const now = () => {
      readings += 1
      return start + Math.min(readings, stalled) * 400
    }
    Object.defineProperty(clock, 'now', { configurable: true, get: now })
    const early: string[] = []
    vendors.first.onPoll = ({ id }) => void (readings < stalled && early.push(id))
    try {
      await pollTasks(hub.app.app)
    } finally {
      vendors.first.onPoll = undefined
      Object.defineProperty(clock, 'now', { value: start + 60_000, writable: true })
      await setOption('TaskPollsPerSecond', '0')
    }
    await pollTasks(hub.app.app)
    expect(early).toEqual([])
    // A task whose place came late in the first round is due again in the second.
    for (const id of ids) expect((await upstreamOf(id)).polls).toBeGreaterThanOrEqual(1)
  })

  it('takes the turns of a channel at one pace for all nodes: they follow each other at its interval', async () => {
    for (let made = 0; made < 6; made += 1) await submit()
    await makeDue()
    const { channel_id: channelId, credential } = await hub.app.app.db
      .selectFrom('tasks')
      .selectAll()
      .where('run_at', '=', 0)
      .executeTakeFirstOrThrow()
    await hub.app.app.db.deleteFrom('task_polls').execute()
    const take = () =>
      takePollTurn(
        hub.app.app.db,
        { channelId, credential },
        {
          now: 10,
          leaseEnds: 20,
          limit: 1,
          nowMs: 10_000,
          intervalMs: 250,
          waitMaxMs: 700,
          hasLeased: false,
        },
      )
    const turns = await Promise.all([take(), take(), take(), take()])
    const found = turns.filter(each => each !== undefined)
    expect(found.map(each => each.at).sort()).toEqual([10_000, 10_250, 10_500])
    expect(new Set(found.flatMap(each => each.tasks.map(({ id }) => id))).size).toBe(3)
  })
})
