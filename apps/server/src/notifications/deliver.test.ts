import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type NotifierServices,
  type ServiceName,
  startNotifierServices,
} from '../../../../test/harness/notifiers/start.ts'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import { nowSeconds } from '../core/app.ts'
import { emitBackupFailed } from '../core/notifications/backup-failed.ts'
import { emit } from '../core/notifications/emit.ts'
import * as targets from '../db/queries/notification-targets.ts'
import * as outbox from '../db/queries/notifications.ts'
import { disable, enable } from '../relay/channels/status.ts'
import { deliverDue } from './deliver.ts'

/** The soak raises it to 1,000. */
const events = Number(process.env.HUB_NOTIFICATION_EVENTS ?? 12)
const path = '/api/notification/'

let hub: TestApp
let services: NotifierServices
let engine: string
let keys = 0

const addTarget = async (type: ServiceName, more: object = {}): Promise<number> => {
  const fields = { name: type, type, config: services.config(type), events: ['order.paid'] }
  const { status, body, text } = await hub.root.post(path, { ...fields, ...more })
  if (status !== 200) throw new TypeError(text)
  return body.data.id
}
const removeTargets = async () => {
  const { body } = await hub.root.get(`${path}?size=100`)
  for (const { id } of body.data.data) await hub.root.delete(`${path}${id}`)
}
const pay = (trade_no: string) => {
  keys += 1
  return emit(hub.app, hub.app.db, {
    event: 'order.paid',
    key: `order.paid:${keys}`,
    userIds: [0],
    facts: { trade_no, usd: 5, user: '<b>ann</b> & co' },
  })
}
const rowsOf = (state?: string) =>
  hub.app.db
    .selectFrom('notifications')
    .selectAll()
    .$if(state !== undefined, rows => rows.where('state', '=', state as 'sent'))
    .orderBy('id')
    .execute()
/** Runs the job until nothing waits. */
const drain = async (stepMs = 1000) => {
  for (let round = 0; round < 100 * events; round += 1) {
    await deliverDue(hub.app)
    const waiting = hub.app.db
      .selectFrom('notifications')
      .select('id')
      .where('state', '=', 'waiting')
    if (!(await waiting.limit(1).executeTakeFirst())) return
    hub.clock.now += stepMs
  }
  throw new TypeError('it never ends')
}

/** Mulberry32: the same faults in every run. */
const makeRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}
/** Their receivers know a repetition by its id, so that an answer may be lost after the message arrived. */
const withIds: readonly ServiceName[] = ['webhook', 'email']

const faultTests = () => {
  it(`${events} events with 30 % faults reach each of eleven services once, or are listed as failed`, async () => {
    const names = new Map<number, ServiceName>()
    for (const name of services.names) names.set(await addTarget(name), name)
    const random = makeRandom(Number(process.env.HUB_SEED ?? 7))
    services.meet(name => {
      if (random() >= 0.3) return undefined
      const kind = random()
      if (kind < 0.5) return 'fault'
      if (kind < 0.6) return 'refuse'
      return withIds.includes(name) && kind < 0.8 ? 'lose answer' : 'hang up'
    })
    for (let n = 0; n < events; n += 1) await pay(`T${n}.`)
    await drain()
    expect(services.violations).toEqual([])
    const failed = await rowsOf('failed')
    const rows = (await rowsOf('sent')).length + failed.length
    expect([rows, failed.length > 0]).toEqual([events * services.names.length, true])
    const numberOf = (text: string) => /T\d+\./.exec(text)![0]
    for (const [id, name] of names) {
      const arrived = services.accepted[name].map(numberOf)
      const listed = failed.filter(each => each.target_id === id).map(each => numberOf(each.facts))
      // A message whose answer was lost has arrived, and may be refused when it is repeated.
      const once = withIds.includes(name) ? listed.filter(each => !arrived.includes(each)) : listed
      expect([name, arrived.length, new Set([...arrived, ...once]).size]).toEqual([
        ...[name, events - once.length, events],
      ])
    }
    const sent = rows - failed.length
    console.log(`Notifications on ${engine}: ${sent} sent once, ${failed.length} listed as failed`)
  })

  it('a refusal is listed with the words of the service, and is sent again on request', async () => {
    const ids = new Map<number, ServiceName>()
    for (const name of services.names) ids.set(await addTarget(name), name)
    services.meet(() => 'refuse')
    await pay('T-refused')
    await drain()
    const { body } = await hub.root.get(`${path}delivery?state=failed&size=100`)
    expect(body.data.total_count).toBe(services.names.length)
    for (const row of body.data.data) {
      expect([row.attempts, row.title]).toEqual([1, 'Order T-refused was paid'])
      expect(row.failure).toMatch(/refused the message\. .+/)
      for (const value of Object.values(services.config(ids.get(row.target_id)!)))
        if (value.length > 8) expect(row.failure).not.toContain(value)
    }
    services.meet(() => undefined)
    for (const { id } of body.data.data)
      expect((await hub.root.post(`${path}delivery/${id}/resend`)).status).toBe(200)
    await drain()
    expect((await rowsOf('sent')).length).toBe(services.names.length)
  })

  it('a target that never answers is given up, and delays no other target', async () => {
    await addTarget('webhook')
    await addTarget('bark')
    services.meet(name => (name === 'webhook' ? 'hang up' : undefined))
    for (let n = 0; n < 3; n += 1) await pay(`T-slow-${n}`)
    for (let n = 0; n < 5; n += 1) {
      await deliverDue(hub.app)
      hub.clock.now += 1000
    }
    expect(services.accepted.bark.length).toBe(3)
    await drain(60_000)
    const failed = await rowsOf('failed')
    expect(failed.map(each => each.attempts)).toEqual([12, 12, 12])
  })
}

const pauseTests = () => {
  const stepMs = 5000
  it('the pause that a service names is kept by each message to it', async () => {
    for (const name of services.limits.keys()) await addTarget(name)
    const times = new Map<ServiceName, number[]>()
    services.meet(name => {
      const earlier = times.get(name) ?? []
      times.set(name, [...earlier, hub.clock.now])
      return earlier.length === 0 ? 'limit' : undefined
    })
    for (const trade of ['T-first', 'T-second']) await pay(trade)
    await expect
      .poll(async () => {
        await deliverDue(hub.app)
        return (await rowsOf()).filter(each => each.failure !== '').length
      })
      .toBe(services.limits.size)
    const { body } = await hub.root.get(`${path}delivery?size=100`)
    for (const each of body.data.data.filter((one: { attempts: number }) => one.attempts > 0)) {
      const pause = Math.ceil(services.limits.get(each.target_name)!)
      expect([each.target_name, each.next_attempt_at - nowSeconds(hub.app)]).toEqual([
        each.target_name,
        pause,
      ])
    }
    await drain(stepMs)
    for (const [name, seconds] of services.limits) {
      const [first = 0, second = 0] = times.get(name) ?? []
      const paused = (second - first) / 1000
      expect(paused, name).toBeGreaterThanOrEqual(seconds)
      // A pause is whole seconds, and the job looks once per step.
      expect(paused, name).toBeLessThanOrEqual(seconds + 1 + stepMs / 1000)
      expect(services.accepted[name].length, name).toBe(2)
    }
  })

  it('a pause of years is cut to a day, so that nobody stops the queue by it', async () => {
    await addTarget('webhook')
    services.meet(() => ({ status: 429, body: '', headers: { 'retry-after': '1e300' } }))
    await pay('T-years')
    await deliverDue(hub.app)
    services.meet(() => undefined)
    hub.clock.now += 86_400_000
    await drain()
    expect(services.accepted.webhook.length).toBe(1)
  })
}

const windowTests = () => {
  it('a channel that flaps 100 times a minute causes one notice per 10 minutes with the count', async () => {
    await addTarget('webhook', { events: ['channel.status'] })
    const { body } = await hub.root.post('/api/channel/', {
      ...{ name: 'flapping', type: 1, key: 'k', models: 'm', base_url: 'http://127.0.0.1:1' },
    })
    expect(body.success).toBe(true)
    const { id, name } = await hub.app.db
      .selectFrom('channels')
      .select(['id', 'name'])
      .executeTakeFirstOrThrow()
    const flapping = { cause: 'test', reason: 'flapping' } as const
    const times: number[] = []
    let changes = 0
    const stepMs = 1200
    for (let atMs = 0; atMs < 1_300_000; atMs += stepMs) {
      for (const change of [disable, enable].slice(0, atMs < 620_000 ? 2 : 0))
        if (await change(hub.app, { id, name }, flapping)) changes += 1
      const before = services.accepted.webhook.length
      await deliverDue(hub.app)
      if (services.accepted.webhook.length > before) times.push(hub.clock.now)
      hub.clock.now += stepMs
    }
    await drain()
    expect(changes).toBeGreaterThan(1000)
    const gaps = times.slice(1).map((at, n) => at - times[n]!)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600_000)
    const rows = await rowsOf('sent')
    expect([times.length, rows.length]).toEqual([3, 3])
    // No change is lost: the counts add up.
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(changes)
    expect(services.accepted.webhook[1]).toMatch(/state changed \d+ times/)
  })

  it('a digest is one message an hour; quiet hours hold it back, but no test message', async () => {
    const id = await addTarget('webhook', { digest: 'hourly' })
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    hub.clock.now = Math.ceil(hub.clock.now / 86_400_000) * 86_400_000 + 60_000
    for (let n = 0; n < 5; n += 1) await pay(`T-digest-${n}`)
    await deliverDue(hub.app)
    expect(services.accepted.webhook).toEqual([])
    hub.clock.now += 3_600_000
    await deliverDue(hub.app)
    expect(services.accepted.webhook.length).toBe(1)
    for (let n = 0; n < 5; n += 1)
      expect(services.accepted.webhook[0]).toContain(`Order T-digest-${n} was paid`)
    await hub.root.put(path, { id, digest: 'none', quiet_from: '00:00', quiet_to: '05:30' })
    await pay('T-quiet')
    await deliverDue(hub.app)
    const { body } = await hub.root.post(`${path}${id}/test`)
    expect(body.data).toMatchObject({ state: 'sent', title: 'Test message' })
    expect(services.accepted.webhook.length).toBe(2)
    hub.clock.now += 5 * 3_600_000
    await deliverDue(hub.app)
    expect(services.accepted.webhook.at(-1)).toContain('T-quiet')
  })
}

const raceTests = () => {
  it('five senders at once send each event once', async () => {
    await addTarget('webhook')
    await addTarget('bark')
    for (let n = 0; n < 20; n += 1) await pay(`T-race-${n}`)
    for (let n = 0; n < 30; n += 1) {
      await Promise.all(Array.from({ length: 5 }, () => deliverDue(hub.app)))
      hub.clock.now += 1000
    }
    expect(services.requests()).toBe(40)
    expect(services.accepted.bark.length).toBe(20)
  })

  /** The reserved target keeps the job of the app from sending the message. */
  const payReserved = async () => {
    const id = await addTarget('webhook')
    const untilMs = hub.clock.now + 40_000
    expect(await targets.reserve(hub.app.db, id, hub.clock.now, untilMs)).toBe(true)
    await pay('T-reserved')
    const [row] = await rowsOf()
    await outbox.startBatch(hub.app.db, { row_id: row!.id, id }, undefined)
    return { id, rowId: row!.id, untilMs }
  }

  it('a message that another node has sent since it was found is not leased again', async () => {
    const { id, rowId, untilMs } = await payReserved()
    await targets.release(hub.app.db, id, untilMs, hub.clock.now)
    await drain()
    expect(services.accepted.webhook.length).toBe(1)
    expect(await outbox.leaseBatch(hub.app.db, rowId, nowSeconds(hub.app) + 40)).toEqual([])
  })

  it('a node whose lease has ended changes neither the message nor the target of its successor', async () => {
    const { db } = hub.app
    const { id, rowId, untilMs } = await payReserved()
    const late = await outbox.leaseBatch(db, rowId, 0)
    expect(await targets.reserve(db, id, untilMs - 1, untilMs + 40_000)).toBe(false)
    expect(await targets.reserve(db, id, untilMs, untilMs + 40_000)).toBe(true)
    const current = await outbox.leaseBatch(db, rowId, 0)
    await outbox.end(db, late, { state: 'failed', failure: 'late', ended_at: 1 })
    await outbox.retryAt(db, late, 5, 'late')
    await targets.release(db, id, untilMs, 0)
    expect(await rowsOf()).toMatchObject([{ state: 'waiting', failure: '', run_at: 0 }])
    expect((await targets.find(db, 0, id))?.next_at_ms).toBe(untilMs + 40_000)
    await outbox.end(db, current, { state: 'sent', failure: '', ended_at: 1 })
    expect(await rowsOf()).toMatchObject([{ state: 'sent' }])
  })

  it('a target that is switched off fails what waits for it', async () => {
    const { id } = await payReserved()
    expect((await hub.root.put(path, { id, enabled: false })).status).toBe(200)
    const failure = 'The target is switched off.'
    expect(await rowsOf()).toMatchObject([{ state: 'failed', failure }])
  })
}

const orderTests = () => {
  it('the second message of a channel waits for the first, and for ten minutes after it', async () => {
    await addTarget('webhook', { events: ['channel.status'] })
    const change = (status: string) =>
      emit(hub.app, hub.app.db, {
        ...{ event: 'channel.status', key: 'channel:1', userIds: [0] },
        facts: { channel: 'A', channel_id: 1, status, reason: '' },
      })
    const runAt = (id: number, run_at: number) =>
      hub.app.db.updateTable('notifications').set({ run_at }).where('id', '=', id).execute()
    services.meet(() => 'fault')
    await change('disabled')
    await expect
      .poll(async () => {
        await deliverDue(hub.app)
        return (await rowsOf())[0]?.batch
      })
      .toBeTruthy()
    await change('enabled')
    const [first, second] = await rowsOf()
    await runAt(first!.id, nowSeconds(hub.app) + 3000)
    services.meet(() => undefined)
    hub.clock.now += 2_900_000
    await deliverDue(hub.app)
    expect(services.accepted.webhook).toEqual([])
    hub.clock.now += 100_000
    await expect
      .poll(async () => {
        await deliverDue(hub.app)
        return (await rowsOf('sent')).length
      })
      .toBe(1)
    expect(services.accepted.webhook).toEqual([expect.stringContaining('disabled')])
    const [later] = await rowsOf('waiting')
    expect([later?.id, later?.run_at]).toEqual([second?.id, nowSeconds(hub.app) + 600])
  })

  it('a failed backup is notified once per run, with its reason', async () => {
    await addTarget('webhook', { events: ['backup.failed'] })
    for (const run of [1, 1, 2])
      await emitBackupFailed(hub.app, hub.app.db, { run, reason: 'The disk is full.\0' })
    await drain()
    expect(services.accepted.webhook).toEqual(
      Array.from({ length: 2 }, () =>
        expect.stringMatching(/A backup failed[\s\S]*disk is full\./),
      ),
    )
  })

  it('an event that is emitted twice is one row', async () => {
    await addTarget('webhook')
    await pay('T-once')
    keys -= 1
    await pay('T-once')
    expect((await rowsOf()).length).toBe(1)
  })
}

/** Reads plans of SQLite. PostgreSQL chooses one by the figures of its tables. */
const planTests = () => {
  it('a long queue is not read whole to find what is due', async () => {
    const plan = await outbox.dueTargets(hub.app.db, 1, 1).explain(undefined, sql`query plan`)
    const steps = plan.map(each => String(each.detail)).filter(each => each.startsWith('SEARCH'))
    expect(steps).toEqual([
      expect.stringMatching(
        /^SEARCH due USING INDEX notifications_due \(target_id=\? AND run_at<\?\)/,
      ),
      expect.stringContaining('(event_key=? AND target_id=? AND window_at<?)'),
    ])
  })
}

onBothEngines('the delivery of notifications', (open, engineName) => {
  beforeAll(async () => {
    engine = engineName
    hub = await open({ LANGUAGE: 'en_US' })
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: 'https://hub.example' })
  })
  beforeEach(async () => {
    await services?.close()
    services = await startNotifierServices(() => hub.clock.now)
    for (const [key, value] of Object.entries(services.mailSettings))
      await hub.root.put('/api/option/', { key, value })
    await removeTargets()
  })
  afterAll(() => services?.close())
  faultTests()
  pauseTests()
  windowTests()
  raceTests()
  orderTests()
  if (engineName === 'SQLite') planTests()
})
