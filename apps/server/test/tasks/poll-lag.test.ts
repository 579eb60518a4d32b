import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { mapConcurrently } from '../../../../test/harness/client.ts'
import { nowSeconds } from '../../src/core/app.ts'
import { oldestDuePoll, takePollTurn } from '../../src/db/queries/task-polls.ts'
import { accountConcurrency, leaseSeconds } from '../../src/tasks/polling/account.ts'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { onBothEngines, openTestApp, type TestApp } from '../harness.ts'
import { type RelayHub, useRelayHub } from '../relay-hub.ts'
import { type KlingVendor, startKlingVendor } from './kling-vendor.ts'

/** The largest interval between two polls of a task, in seconds. */
const interval = 30
const names = ['first', 'second', 'failing', 'silent'] as const
type Name = (typeof names)[number]
const tasksPerVendor = 35
/** Seconds by which the clocks move at a time. */
const step = 10
const masterKey = randomBytes(32).toString('base64')
const env = { FETCH_PRIVATE_RANGES: '127.0.0.0/8', MASTER_KEY: masterKey }
let hub: RelayHub
const vendors = {} as Record<Name, KlingVendor>
const channels = {} as Record<Name, number>
let nodes: TestApp[] = []
let release = () => {}

const channelOf = (name: Name) =>
  hub.app.app.db
    .selectFrom('channels')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
const moveClocks = (seconds: number) => {
  const now = hub.app.clock.now + seconds * 1_000
  for (const { clock } of nodes) clock.now = now
}
/** Submits tasks whose next polls spread over some seconds, one interval at most. */
const submit = async (name: Name, count: number, spread = interval) => {
  await mapConcurrently(count, 8, async () => {
    const made = await hub.post('/v1/videos', { model: name, prompt: 'A dog' })
    expect(made.status, await made.clone().text()).toBe(200)
  })
  const { db } = hub.app.app
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('channel_id', '=', channels[name])
    .where('settlement', '=', 'held')
    .execute()
  const now = nowSeconds(hub.app.app)
  for (const [index, { id }] of rows.entries())
    await db
      .updateTable('tasks')
      .set({ run_at: now + 1 + (index % spread), attempts: 5 })
      .where('id', '=', id)
      .execute()
}
const endAll = (name: Name) => {
  for (const task of vendors[name].tasks.values()) task.status = 'succeed'
}
const fallSilent = (name: Name) => {
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  vendors[name].delay = () => isReleased
}
const countOf = async (name: Name, state: string) => {
  const rows = await hub.app.app.db
    .selectFrom('tasks')
    .select('id')
    .where('channel_id', '=', channels[name])
    .where('state', '=', state)
    .execute()
  return rows.length
}
/** Counts tasks that are due, or leased: a lease ends later than the next poll of a task that waits. */
const countDue = async (which: readonly Name[]) => {
  const now = nowSeconds(hub.app.app)
  const rows = await hub.app.app.db
    .selectFrom('tasks')
    .select('id')
    .where(({ or, eb }) => or([eb('run_at', '<=', now), eb('run_at', '>', now + interval)]))
    .where('settlement', '!=', 'released')
    .where('settlement', '!=', 'charged')
    .where(
      'channel_id',
      'in',
      which.map(name => channels[name]),
    )
    .execute()
  return rows.length
}
/** Runs the job of each node as the timer does: never twice at a time. */
const runJobs = () => {
  const running: (Promise<void> | undefined)[] = [undefined, undefined]
  return {
    start: () =>
      nodes.forEach((node, index) => {
        running[index] ??= pollTasks(node.app).finally(() => {
          running[index] = undefined
        })
      }),
    ended: () => Promise.all(running),
  }
}

const testDelays = () => {
  it('sees the ends of 140 tasks within two intervals while one vendor fails and one is silent', async () => {
    // A node that gets no answer of an account asks it ever more rarely, so that failures begin early.
    for (const name of names)
      await submit(name, tasksPerVendor, name === 'failing' ? step : interval)
    for (const name of names) endAll(name)
    fallSilent('silent')
    const polls = new Map<string, number>()
    vendors.failing.override = (method, path) => {
      if (method !== 'GET') return undefined
      // Each second task fails, because a vendor that answers none is asked ever more rarely.
      const count = polls.get(path) ?? (polls.size % 2) * 2
      polls.set(path, count + 1)
      if (count >= 2) return undefined
      return count === 0 ? 'reset' : { status: 503, json: {} }
    }
    const answering = ['first', 'second', 'failing'] as const
    const jobs = runJobs()
    for (let seconds = 0; seconds < 2 * interval - step; seconds += step) {
      moveClocks(step)
      jobs.start()
      await expect.poll(() => countDue(answering), { interval: 20 }).toBe(0)
    }
    for (const name of answering)
      expect(await countOf(name, 'completed'), name).toBe(tasksPerVendor)
    expect(await countOf('silent', 'queued')).toBe(tasksPerVendor)
    // The silent vendor answers again: the polls that are under way end its tasks.
    release()
    moveClocks(step)
    await jobs.ended()
    moveClocks(interval)
    jobs.start()
    await jobs.ended()
    expect(await countOf('silent', 'completed')).toBe(tasksPerVendor)
  })

  it('polls the tasks of a node that died within two intervals', async () => {
    await submit('first', 3)
    endAll('first')
    moveClocks(interval)
    const before = await countOf('first', 'completed')
    const now = nowSeconds(hub.app.app)
    const { credential } = await hub.app.app.db
      .selectFrom('tasks')
      .select('credential')
      .where('channel_id', '=', channels.first)
      .executeTakeFirstOrThrow()
    // The node takes its turn as a poll does, and dies before it asks.
    const taken = await takePollTurn(
      hub.app.app.db,
      { channelId: channels.first, credential },
      {
        ...{ now, leaseEnds: now + leaseSeconds, limit: 10 },
        ...{ nowMs: hub.app.clock.now, waitMaxMs: 1_000 },
        ...{ intervalMs: 0, hasLeased: false },
      },
    )
    expect(taken?.tasks).toHaveLength(3)
    moveClocks(2 * interval - 1)
    await Promise.all(nodes.map(({ app }) => pollTasks(app)))
    expect(await countOf('first', 'completed')).toBe(before + 3)
  })
}

const testBounds = () => {
  it('asks a silent vendor for a bounded number of tasks at a time', async () => {
    await submit('silent', accountConcurrency + 20)
    moveClocks(interval)
    let received = 0
    fallSilent('silent')
    const { delay } = vendors.silent
    vendors.silent.delay = () => {
      received += 1
      return delay!()
    }
    const job = pollTasks(hub.app.app)
    await expect.poll(() => received).toBe(accountConcurrency)
    // The other accounts are looked at again meanwhile, several times.
    await submit('first', 1)
    endAll('first')
    const before = await countOf('first', 'completed')
    moveClocks(2)
    await expect.poll(() => countOf('first', 'completed')).toBe(before + 1)
    expect(received).toBe(accountConcurrency)
    release()
    await job
  })

  it('tells how long the oldest due poll waits', async () => {
    expect(await oldestDuePoll(hub.app.app.db, nowSeconds(hub.app.app))).toBeUndefined()
    await submit('first', 2)
    moveClocks(interval + 10)
    const now = nowSeconds(hub.app.app)
    expect(await oldestDuePoll(hub.app.app.db, now)).toBe(now - interval - 9)
  })
}

onBothEngines('the time until a finished task is seen', open => {
  const opened = useRelayHub(env, more => open(more))
  beforeAll(async () => {
    hub = opened
    for (const name of names) {
      const vendor = await startKlingVendor()
      vendor.now = () => hub.app.clock.now
      vendors[name] = vendor
      await hub.addChannel(53, name, { base_url: vendor.url, key: vendor.key })
      channels[name] = (await channelOf(name)).id
      const times = { model: name, type: 'times', input: 1, output: 1, locked: true }
      expect((await hub.app.root.put(`/api/prices/single/${name}`, times)).status).toBe(200)
    }
    const { databaseUrl } = hub.app.app.env
    // An embedded database belongs to one process, so that its second poller runs there.
    nodes = [hub.app, databaseUrl ? await openTestApp(databaseUrl, env) : hub.app]
  })
  afterAll(async () => {
    release()
    if (nodes[1] !== hub.app) await nodes[1]?.close(1)
    for (const each of Object.values(vendors)) await each.close()
  })
  beforeEach(async () => {
    await hub.app.app.db.deleteFrom('task_polls').execute()
    await hub.app.app.db
      .updateTable('tasks')
      .set({ run_at: null, state: 'failed', settlement: 'released' })
      .execute()
    for (const each of Object.values(vendors)) {
      each.override = undefined
      each.delay = undefined
    }
  })
  testDelays()
  testBounds()
})
