import {
  type OperationsOverview,
  type OperationsSeries,
  SeriesAttribute,
  SeriesFigure,
} from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import sumUsage from '../../jobs/sum-usage.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'
import { countFailure, countRefusedKey } from '../../relay/routing/cooldown.ts'
import { median } from './overview.ts'

let hub: TestApp
let user: TestUser
let written: LogsTable[] = []

const at = (iso: string) => Date.parse(iso) / 1000
const setTime = (iso: string) => {
  hub.clock.now = Date.parse(iso)
}
const now = () => Math.floor(hub.clock.now / 1000)

const write = async (rows: Partial<LogsTable>[]) => {
  const all = rows.map(row => ({
    ...{ id: hub.app.ledger.nextId(), user_id: user.id, created_at: now(), type: 2, content: '' },
    ...{ username: 'u', token_name: 't', model_name: 'gpt', quota: 10, prompt_tokens: 3 },
    ...{ completion_tokens: 4, channel_id: 5, request_time: 100, is_stream: 1, source_ip: '' },
    metadata: '{"first_response":40}',
    ...row,
  }))
  for (let from = 0; from < all.length; from += 500)
    await hub.app.db
      .insertInto('logs')
      .values(all.slice(from, from + 500))
      .execute()
  written.push(...all)
}

const failure = (row: Partial<LogsTable>, metadata: object = {}): Partial<LogsTable> => ({
  ...{ type: 5, quota: 0, prompt_tokens: 0, completion_tokens: 0, content: 'upstream.timeout' },
  metadata: JSON.stringify({ charged: false, count: 1, ...metadata }),
  ...row,
})

const overview = async (period = 'today'): Promise<OperationsOverview> =>
  (await hub.root.get(`/api/operations/overview?period=${period}`)).body.data

const attention = async () => (await hub.root.get('/api/operations/attention')).body.data

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** Adds up what the test wrote, without any query of the feature. */
const expected = ({ begin, end }: { begin: number; end: number }) => {
  const rows = written.filter(row => row.created_at >= begin && row.created_at < end)
  const charged = rows.filter(({ type }) => type === 2)
  const failed = rows.filter(({ type }) => type === 5).map(({ metadata }) => JSON.parse(metadata))
  return {
    charged: sum(charged.map(({ quota }) => quota)),
    requests: charged.length,
    failed: sum(failed.map(({ count }) => count)),
    charged_failures: sum(failed.map(({ count, charged: part }) => (part ? count : 0))),
    prompt_tokens: sum(charged.map(row => row.prompt_tokens)),
    completion_tokens: sum(charged.map(row => row.completion_tokens)),
  }
}

/** Undefined: the row counts for no key. */
type KeyOf = (row: LogsTable) => string | number | undefined
const groupOf: KeyOf = ({ metadata }) => {
  const { billing_tag, group_name } = JSON.parse(metadata)
  return billing_tag ?? group_name
}

const expectedBy = (keyOf: KeyOf, begin: number) => {
  const sums = new Map<string | number, number>()
  for (const row of written) {
    const key = keyOf(row)
    if (key !== undefined && row.type === 2 && row.created_at >= begin && row.created_at <= now())
      sums.set(key, (sums.get(key) ?? 0) + row.quota)
  }
  return [...sums.values()].toSorted((a, b) => b - a).slice(0, 8)
}

/** A repeatable sequence, so that a failure can be seen again. */
const makeRandom = (seed: number) => (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * below)
}

/** Every third call has a billing tag, which names one of the groups. */
const groupsOfLog = (at: number, third: number) => ({
  ...(third === 0 && { billing_tag: `group-${(at + 5) % 12}` }),
  ...{ group_name: `group-${at}`, group_ratio: at, first_response: 40 },
})

const randomRows = (count: number, oldest: number): Partial<LogsTable>[] => {
  const random = makeRandom(7)
  return Array.from({ length: count }, () => {
    const common = {
      created_at: oldest + random(now() - oldest + 1),
      user_id: user.id + random(40),
      model_name: `model ${random(30)}`,
      channel_id: random(12),
    }
    return random(10) === 0
      ? failure(common, {
          ...groupsOfLog(random(12), random(3)),
          ...{ count: 1 + random(5), charged: random(3) === 0 },
        })
      : {
          ...{ ...common, quota: random(5_000), prompt_tokens: random(900), completion_tokens: 5 },
          metadata: JSON.stringify(groupsOfLog(random(12), random(3))),
        }
  })
}

const seriesOf = async (query: string): Promise<OperationsSeries> =>
  (await hub.root.get(`/api/operations/series?${query}`)).body.data

const keyOfSeries: Record<SeriesAttribute, KeyOf> = {
  model: row => row.model_name,
  channel: row => row.channel_id || undefined,
  user: row => row.user_id,
  group: row => groupOf(row),
}

/** One figure of rows that the test wrote. */
const figureOf = (figure: SeriesFigure, rows: readonly LogsTable[]): number | null => {
  const charged = rows.filter(({ type }) => type === 2)
  const failed = rows.filter(({ type }) => type === 5)
  const duration = sum(charged.map(row => row.request_time))
  const values: Record<SeriesFigure, number | null> = {
    charged: sum(charged.map(row => row.quota)),
    requests: charged.length,
    tokens: sum(charged.map(row => row.prompt_tokens + row.completion_tokens)),
    latency: duration > 0 ? duration / charged.length : null,
    errors: sum(failed.map(({ metadata }) => JSON.parse(metadata).count)),
  }
  return values[figure]
}

/** The eight largest series, and the others; averages are ordered by the number of calls. */
const expectedSeries = (figure: SeriesFigure, keyOf: KeyOf, rows: readonly LogsTable[]) => {
  const byKey = new Map<string | number | undefined, LogsTable[]>()
  for (const row of rows) byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), row])
  const weight = figure === 'latency' ? 'requests' : figure
  const weightOf = (each: readonly LogsTable[]) => figureOf(weight, each) ?? 0
  return [...byKey]
    .filter(([key, each]) => key !== undefined && weightOf(each) > 0)
    .map(([, each]) => weightOf(each))
    .toSorted((a, b) => b - a)
    .slice(0, 8)
}

const checkSeries = async (period: string, by: SeriesAttribute, figure: SeriesFigure) => {
  const found = await seriesOf(`period=${period}&by=${by}&figure=${figure}`)
  const { begin } = found.buckets[0]!
  const inRange = (from: number, to: number) =>
    written.filter(({ type, created_at: at }) => type !== 1 && at >= from && at < to)
  const rows = inRange(begin, now() + 1)
  const name = `${period} ${by} ${figure}`
  expect([name, found.total]).toEqual([name, figureOf(figure, rows)])
  const weight = figure === 'latency' ? 'requests' : figure
  const { series: weights } = await seriesOf(`period=${period}&by=${by}&figure=${weight}`)
  const named = weights.filter(each => each.name !== '').map(({ total }) => total)
  expect([name, named]).toEqual([name, expectedSeries(figure, keyOfSeries[by], rows)])
  const requests = figure === 'latency' ? weights : []
  for (const [at, bucket] of found.buckets.entries()) {
    const ofBucket = figureOf(figure, inRange(bucket.begin, bucket.end))
    // An average is the sum of durations by the number of calls, series by series.
    const values = found.series.map(({ data }, index) =>
      figure === 'latency' ? (data[at] ?? 0) * (requests[index]?.data[at] ?? 0) : (data[at] ?? 0),
    )
    const calls = sum(requests.map(({ data }) => data[at] ?? 0))
    if (figure !== 'latency') expect([name, at, sum(values)]).toEqual([name, at, ofBucket])
    else if (calls > 0) expect(sum(values) / calls).toBeCloseTo(ofBucket ?? 0, 6)
  }
}

const everySeries = async (periods: readonly string[]) => {
  for (const period of periods)
    for (const by of SeriesAttribute.options)
      for (const figure of SeriesFigure.options) await checkSeries(period, by, figure)
}

const checkAll = async () => {
  for (const period of ['day', 'today', 'week', 'month']) {
    const found = await overview(period)
    const { current, previous } = found
    expect(found).toMatchObject({ complete: true, logging: true })
    expect([period, found.totals]).toEqual([period, expected(current)])
    expect([period, found.previous_totals]).toEqual([period, expected(previous)])
    expect(sum(found.points.map(({ charged }) => charged))).toBe(found.totals.charged)
    expect(sum(found.points.map(({ failed }) => failed))).toBe(found.totals.failed)
    await checkSeries(period, 'user', 'charged')
    for (const [index, { begin, charged, requests }] of found.points.entries()) {
      const end = found.points[index + 1]?.begin ?? current.end
      expect({ charged, requests }).toEqual(
        (({ charged: c, requests: r }) => ({ charged: c, requests: r }))(expected({ begin, end })),
      )
    }
    const charges = (rows: { charged: number }[]) => rows.map(row => row.charged)
    expect(charges(found.models)).toEqual(expectedBy(row => row.model_name, current.begin))
    expect(charges(found.users)).toEqual(expectedBy(row => row.user_id, current.begin))
    expect(charges(found.channels)).toEqual(expectedBy(row => row.channel_id, current.begin))
    expect(charges(found.groups)).toEqual(expectedBy(groupOf, current.begin))
    const active = written.filter(
      row => row.created_at >= current.begin && row.created_at <= now() && row.type !== 1,
    )
    expect(found.active_users).toBe(new Set(active.map(row => row.user_id)).size)
  }
}

const periodTests = () => {
  it('S9 a user without the role of an administrator gets no figure of the site', async () => {
    for (const path of ['overview', 'attention', 'series', 'calls']) {
      const answer = await user.get(`/api/operations/${path}`)
      expect(answer.status).toBe(403)
      expect(answer.body.data).toBeUndefined()
    }
    const admin = await hub.person(10)
    expect((await admin.get('/api/operations/overview')).status).toBe(200)
    expect((await admin.get('/api/operations/attention')).status).toBe(200)
  })

  it('a site without calls shows zeros, and 24 hours, 7 or 30 days', async () => {
    setTime('2026-03-20T10:07:30Z')
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    for (const [period, points] of [
      ['hour', 30],
      ['day', 24],
      ['today', 24],
      ['week', 7],
      ['month', 30],
    ] as const) {
      const found = await overview(period)
      expect(found.points).toHaveLength(points)
      const series = await seriesOf(`period=${period}`)
      expect(series).toMatchObject({ complete: true, total: 0, series: [] })
      expect(series.buckets.map(({ begin }) => begin)).toEqual(found.points.map(each => each.begin))
      expect(found).toMatchObject({ complete: true, active_users: 0, models: [], users: [] })
      expect(found.latency).toEqual({ calls: 0, first_byte: null, duration: null })
    }
    const { current, previous } = await overview('week')
    expect(current.begin).toBe(at('2026-03-14T00:00:00Z'))
    expect(previous).toEqual({ begin: at('2026-03-07T00:00:00Z'), end: at('2026-03-13T10:00:00Z') })
  })
}

const sumTests = () => {
  it('figures are the sums of the logs, before and after the job stores them', async () => {
    setTime('2026-03-20T10:07:30Z')
    await write(randomRows(400, now() - 5 * 3_600))
    await checkAll()
    await write(randomRows(3_000, now() - 70 * 86_400))
    expect((await overview()).complete).toBe(false)
    await sumUsage.run(hub.app)
    await checkAll()
    await sumUsage.run(hub.app)
    await checkAll()
  })

  it('each figure of a chart, by each attribute, is the sum of the logs of its bucket', () =>
    everySeries(['hour', 'day', 'week', 'month']))

  it('the last hour counts from its two minutes on, and compares with the hour before', async () => {
    const { current, previous, totals, previous_totals, points } = await overview('hour')
    expect([current.begin, current.end]).toEqual([at('2026-03-20T09:08:00Z'), now() + 1])
    expect(previous).toEqual({ begin: at('2026-03-20T08:00:00Z'), end: at('2026-03-20T09:00:00Z') })
    expect([totals, previous_totals]).toEqual([expected(current), expected(previous)])
    expect(sum(points.map(each => each.requests))).toBe(totals.requests)
  })

  it('days are summed anew in another time zone, also one that is ahead by a quarter of an hour', async () => {
    for (const TimeZone of ['America/New_York', 'Pacific/Chatham', 'UTC']) {
      await hub.root.put('/api/option/', { key: 'TimeZone', value: TimeZone })
      expect((await overview()).complete).toBe(false)
      await sumUsage.run(hub.app)
      await checkAll()
    }
  })

  it('a row that is written late counts, within the hour at once, and of a day when it is complete', async () => {
    setTime('2026-03-20T12:31:30Z')
    await sumUsage.run(hub.app)
    await write([{ created_at: now() - 2_400, quota: 77 }, failure({ created_at: now() - 2_400 })])
    setTime('2026-03-20T12:46:10Z')
    await sumUsage.run(hub.app)
    await checkAll()
    await write([{ created_at: at('2026-03-20T02:00:00Z'), quota: 99 }])
    setTime('2026-03-21T01:20:00Z')
    await write([{ quota: 5 }])
    await sumUsage.run(hub.app)
    await checkAll()
  })

  it('deleted logs stay counted, also where others of the same quarter hour are counted again', async () => {
    await write([
      { created_at: at('2026-03-21T00:40:00Z'), quota: 40 },
      { created_at: at('2026-03-21T00:44:00Z'), quota: 4 },
    ])
    setTime('2026-03-21T01:36:00Z')
    await sumUsage.run(hub.app)
    await hub.root.delete(`/api/log/?target_timestamp=${at('2026-03-21T00:42:00Z')}`)
    hub.clock.now += 900_000
    await sumUsage.run(hub.app)
    await checkAll()
    setTime('2026-03-22T01:20:00Z')
    await sumUsage.run(hub.app)
    await checkAll()
  })
}

const postingTests = () => {
  it('charges equal the postings, also of calls whose process died before it wrote a log', async () => {
    setTime('2026-04-20T08:07:00Z')
    written = []
    const { ledger, db } = hub.app
    const token = (await user.post('/api/token/', { name: 'k', unlimited_quota: true })).body.data
    await hub.root.post(`/api/user/quota/${user.id}`, { quota: 1_000_000, remark: 'test' })
    const ids = { userId: user.id, tokenId: token.id, priceId: 1 }
    const hold = async () => {
      const id = ledger.nextId()
      const held = await ledger.submit({ kind: 'hold', id, ...ids, amount: 1_000, at: now() })
      expect(held).toMatchObject({ ok: true })
      return id
    }
    const lost = await hold()
    await ledger.submit({ kind: 'checkpoint', id: lost, accrued: 300, usage: '{}', want: 0 })
    await ledger.submit({ kind: 'recover', id: lost, at: now() })
    const settled = await hold()
    const log = { ...logRow(), id: settled }
    const settle = { ...ids, id: settled, channelId: 5, charge: 420, usage: '{}', at: now(), log }
    await ledger.submit({ kind: 'settle', ...settle })
    const posted = async () => {
      const rows = await db
        .selectFrom('transfers')
        .select('amount')
        .where('kind', 'in', ['request', 'late'])
        .where('at', '>=', now() - 86_400)
        .execute()
      return sum(rows.map(({ amount }) => amount))
    }
    expect(await posted()).toBe(720)
    for (const period of ['hour', 'day', 'week', 'month'])
      for (const by of SeriesAttribute.options)
        expect((await seriesOf(`period=${period}&by=${by}`)).total).toBe(720)
    expect((await overview()).totals).toMatchObject({ charged: 720, requests: 2 })
    hub.clock.now += 1_200_000
    await sumUsage.run(hub.app)
    const found = await overview('week')
    expect(found.totals).toMatchObject({ charged: await posted(), requests: 2 })
    expect(found.channels).toMatchObject([
      { id: 5, name: '', charged: 420 },
      { id: 0, name: '', charged: 300 },
    ])
    expect(found.users).toMatchObject([{ id: user.id, name: user.username, charged: 720 }])
  })

  it('new users and redeemed codes count in their period', async () => {
    setTime('2026-05-20T08:07:00Z')
    const before = await overview('month')
    const person = await hub.person()
    const [code] = (await hub.root.post('/api/redemption/', { name: 'gift', quota: 500 })).body.data
    await person.post('/api/user/topup', { key: code })
    const after = await overview('month')
    expect(after.new_users).toBe(before.new_users + 1)
    expect([before.credited, after.credited]).toEqual([0, 500])
    setTime('2026-05-21T08:07:00Z')
    expect(await overview('today')).toMatchObject({ new_users: 0, credited: 0 })
  })
}

const failingTests = () => {
  it('a channel of whose attempts a tenth failed in the last hour needs attention', async () => {
    const [{ id }] = (
      await hub.root.post('/api/channel/', { name: 'failing', type: 1, key: 'k', models: 'm' })
    ).body.data
    const failures = (count: number, created_at: number): Partial<LogsTable> => ({
      ...{ type: 5, content: 'upstream.failed', quota: 0, created_at },
      metadata: JSON.stringify({ count, attempts: [{ channel_id: id, code: 'upstream.failed' }] }),
    })
    const reasons = async () =>
      (await attention()).channels.find((each: { id: number }) => each.id === id)?.reasons
    await write([failures(9, now() - 2 * 3_600), failures(2, now() - 60)])
    expect(await reasons()).toBeUndefined()
    await write([failures(1, now() - 50)])
    expect(await reasons()).toEqual([{ kind: 'failing', requests: 0, failed: 3 }])
    const answered = { type: 2, channel_id: id, created_at: now() - 40, metadata: '{}' }
    await write(Array.from({ length: 27 }, () => answered))
    expect(await reasons()).toEqual([{ kind: 'failing', requests: 27, failed: 3 }])
    await write([answered])
    expect(await reasons()).toBeUndefined()
  })
}

const otherTests = () => {
  it('medians are of the latest calls, and of those alone that recorded a first byte', async () => {
    setTime('2026-06-20T08:07:00Z')
    const call = (request_time: number, metadata: object) =>
      write([{ request_time, metadata: JSON.stringify(metadata) }])
    await call(100, { first_response: 30 })
    await call(300, { first_response: 50 })
    await call(200, {})
    await call(9_000, { first_response: 4_000 })
    expect((await overview()).latency).toEqual({ calls: 4, first_byte: 50, duration: 200 })
    expect([median([]), median([3]), median([4, 1, 3])]).toEqual([null, 3, 3])
  })

  it('the fault codes of the last 24 hours, the most frequent first', async () => {
    setTime('2026-07-20T08:07:00Z')
    await write([
      failure({ content: 'upstream.timeout' }, { count: 4 }),
      failure({ content: 'caller.left', created_at: now() - 80_000 }, { count: 2 }),
      failure({ content: 'quota.insufficient', created_at: now() - 90_000 }, { count: 9 }),
    ])
    const codes = [
      { code: 'upstream.timeout', count: 4 },
      { code: 'caller.left', count: 2 },
    ]
    await sumUsage.run(hub.app)
    const found = await attention()
    expect(found.errors).toEqual(codes)
    expect(found.errors_since).toBe(at('2026-07-19T08:00:00Z'))
  })

  it('channels that need attention, each with its reasons, the disabled ones first', async () => {
    const names = ['fine', 'cooling', 'untested', 'poor', 'failed', 'off']
    for (const name of names)
      await hub.root.post('/api/channel/', { name, type: 1, key: name, models: 'm' })
    const change = (name: string, columns: object) =>
      hub.app.db.updateTable('channels').set(columns).where('name', '=', name).execute()
    await change('untested', { test_error: 'timeout', test_time: 7 })
    const poor = { balance: 1.5, balance_currency: 'CNY', balance_updated_time: 9 }
    await change('poor', poor)
    await change('fine', { ...poor, balance: 80 })
    await change('failed', { status: 3, status_reason: 'invalid key', test_error: 'old' })
    await change('off', { status: 2, test_error: 'old', ...poor })
    const { byId } = await channelIndex(hub.app).get()
    const cooling = [...byId.values()].find(({ name }) => name === 'cooling')!
    const failed = { cooldownSeconds: 60, startsCooldown: true }
    countFailure(hub.app, cooling.keys[0]!, { model: 'm', operation: 'chat' }, failed)
    const found = await attention()
    expect(found).toMatchObject({ channel_count: 4, disabled_by_hand: 1 })
    expect(found.channels).toMatchObject([
      { name: 'failed', reasons: [{ kind: 'disabled', detail: 'invalid key' }] },
      { name: 'cooling', reasons: [{ kind: 'cooldown', models: ['m'] }] },
      { name: 'untested', reasons: [{ kind: 'test', detail: 'timeout', at: 7 }] },
      { name: 'poor', reasons: [{ kind: 'balance', balance: 1.5, currency: 'CNY' }] },
    ])
    countRefusedKey(hub.app, cooling, cooling.keys[0]!, 60)
    const { channels } = await attention()
    expect(channels[1].reasons).toMatchObject([{ kind: 'cooldown', models: [] }])
  })
}

const absentNodeTests = () => {
  it('a row that a node writes when it comes back after a day counts when the next day is complete', async () => {
    written = []
    setTime('2026-12-26T01:20:00Z')
    await write([{ created_at: at('2026-12-23T02:00:00Z') }])
    await sumUsage.run(hub.app)
    await write([
      { created_at: at('2026-12-24T02:00:00Z'), quota: 99 },
      failure({ created_at: at('2026-12-25T02:00:00Z') }),
    ])
    setTime('2026-12-27T01:20:00Z')
    await sumUsage.run(hub.app)
    await checkAll()
  })
}

const liveTests = () => {
  it('the latest calls have their outcome, newest first, and those of the last seconds come again', async () => {
    setTime('2026-08-20T08:07:00Z')
    const calls = async (query = '') =>
      (await hub.root.get(`/api/operations/calls${query}`)).body.data.calls
    const metadata = (fields: object) => JSON.stringify(fields)
    await write(Array.from({ length: 40 }, () => ({ created_at: now() - 600 })))
    await write([
      { created_at: now() - 9, model_name: 'live-a', metadata: metadata({ finish: 'complete' }) },
      { created_at: now() - 4, model_name: 'live-b', metadata: metadata({ finish: 'cut' }) },
      failure({ created_at: now() - 3, model_name: 'live-c' }, { count: 7 }),
      { created_at: now() - 2, model_name: 'top-up', type: 1 },
    ])
    const found = await calls()
    expect(found.slice(0, 3)).toMatchObject([
      { model_name: 'live-c', code: 'upstream.timeout', finish: null, count: 7, quota: 0 },
      { model_name: 'live-b', code: '', finish: 'cut', count: 1, quota: 10, is_stream: true },
      { model_name: 'live-a', username: 'u', token_name: 't', channel_id: 5, request_time: 100 },
    ])
    expect(found).toHaveLength(30)
    const since = await calls(`?since=${now()}`)
    expect(since.map((each: { model_name: string }) => each.model_name)).toEqual([
      'live-c',
      'live-b',
    ])
    // A row of an earlier second that is written late.
    await write([{ created_at: now() - 5, model_name: 'live-d' }])
    expect(await calls(`?since=${now()}`)).toHaveLength(3)
    expect(await calls(`?since=${now() + 60}`)).toEqual([])
  })

  it('a site that writes no logs of calls says that its figures are too low', async () => {
    await hub.root.put('/api/option/', { key: 'LogConsumeEnabled', value: 'false' })
    expect((await overview()).logging).toBe(false)
    await hub.root.put('/api/option/', { key: 'LogConsumeEnabled', value: 'true' })
  })

  it('an unknown period, figure or attribute is refused', async () => {
    for (const query of ['overview?period=year', 'series?figure=x', 'series?by=x', 'series?of=x'])
      expect([query, (await hub.root.get(`/api/operations/${query}`)).status >= 400]).toEqual([
        query,
        true,
      ])
  })
}

const logRow = (): LogsTable => ({
  ...{ id: 0, user_id: user.id, created_at: now(), type: 2, content: '', username: 'u' },
  ...{ token_name: 't', model_name: 'gpt', quota: 0, prompt_tokens: 1, completion_tokens: 1 },
  ...{ channel_id: 5, request_time: 5, is_stream: 0, source_ip: '', metadata: '{}' },
})

onBothEngines('operations', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person()
    written = []
  })
  periodTests()
  sumTests()
  postingTests()
  failingTests()
  otherTests()
  liveTests()
  absentNodeTests()
})
