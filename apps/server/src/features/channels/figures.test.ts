import type { ChannelFigures, ChannelHealth } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import sumUsage from '../../jobs/sum-usage.ts'

let hub: TestApp
let admin: TestUser
let channel = 0
const written: LogsTable[] = []

const startedAt = Date.parse('2026-03-04T12:34:56Z')
const now = () => Math.floor(hub.clock.now / 1_000)

const write = async (rows: Partial<LogsTable>[]) => {
  const all = rows.map(row => ({
    ...{ id: hub.app.ledger.nextId(), user_id: 1, created_at: now(), type: 2, content: '' },
    ...{ username: 'u', token_name: 't', model_name: 'm', quota: 10, prompt_tokens: 100 },
    ...{ completion_tokens: 20, channel_id: channel, request_time: 400, is_stream: 1 },
    ...{ source_ip: '', metadata: '{}' },
    ...row,
  }))
  for (let from = 0; from < all.length; from += 500)
    await hub.app.db
      .insertInto('logs')
      .values(all.slice(from, from + 500))
      .execute()
  written.push(...all)
}

const makeRandom = (seed: number) => (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * below)
}

const prices = { price_type: 'tokens', input_ratio: 1.25, output_ratio: 5, group_ratio: 0.8 }
const attempt = (channel_id: number, code: string) => ({
  ...{ channel_id, channel: 'c', code, status: 500, milliseconds: 5, detail: 'a\u0000"b' },
})

/** Calls of the last two days: of this channel and another, streams, cached prompts, broken and failed ones. */
const randomRows = (count: number): Partial<LogsTable>[] => {
  const random = makeRandom(11)
  return Array.from({ length: count }, () => {
    const created_at = now() - random(random(2) === 0 ? 7_200 : 172_800)
    const channel_id = random(3) === 0 ? channel + 1 : channel
    const attempts = [
      attempt(channel, ['upstream.timeout', 'upstream.busy'][random(2)]!),
      attempt(channel + 1, 'upstream.failed'),
    ].slice(0, random(3))
    if (random(8) === 0)
      return {
        ...{ created_at, channel_id, type: 5, quota: 0, prompt_tokens: 0, completion_tokens: 0 },
        metadata: JSON.stringify({ attempts, count: 1 + random(4) }),
      }
    const cached = random(3) === 0 ? random(90) : 0
    return {
      ...{ created_at, channel_id, quota: random(5_000), prompt_tokens: 100 + random(900) },
      ...{ completion_tokens: random(300), request_time: random(9_000), is_stream: random(2) },
      metadata: JSON.stringify({
        ...prices,
        ...(random(10) === 0 && { price_type: 'times' }),
        first_response: random(500),
        ...(cached && { cached_read_tokens: cached, cached_read_tokens_ratio: 0.1 }),
        finish: random(20) === 0 ? 'upstream-broke' : 'complete',
        ...(attempts.length > 0 && { attempts }),
      }),
    }
  })
}

const sum = (values: number[]) => values.reduce((all, each) => all + each, 0)
const percentile = (values: number[], percent: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? null

/** Adds up the rows that the test wrote, without any query of the feature. */
const expected = (begin: number, end: number) => {
  const rows = written
    .filter(row => row.created_at >= begin && row.created_at < end)
    .map(row => ({ ...row, data: JSON.parse(row.metadata) }))
  const calls = rows.filter(row => row.type === 2 && row.channel_id === channel)
  const failures = rows.flatMap(({ data: { attempts = [], count = 1 } }) =>
    attempts.flatMap((each: { channel_id: number; code: string }) =>
      each.channel_id === channel ? Array.from({ length: count }, () => each.code) : [],
    ),
  )
  const broken = calls.filter(({ data }) => data.finish === 'upstream-broke')
  const timed = calls.filter(
    ({ data, ...row }) =>
      row.is_stream &&
      data.first_response > 0 &&
      row.request_time > data.first_response &&
      row.completion_tokens > 0,
  )
  const firsts = calls.filter(row => row.is_stream).map(({ data }) => data.first_response)
  const durations = calls.map(row => row.request_time).filter(each => each > 0)
  const spent = sum(timed.map(row => row.request_time - row.data.first_response))
  const savings = calls.map(({ data }) =>
    data.price_type === 'tokens' && data.cached_read_tokens
      ? data.cached_read_tokens * 0.9 * data.input_ratio * data.group_ratio
      : 0,
  )
  return {
    codes: [...failures, ...broken.map(() => 'upstream.broken')],
    figures: {
      requests: calls.length,
      failed: failures.length + broken.length,
      empty: 0,
      charged: sum(calls.map(row => row.quota)),
      prompt_tokens: sum(calls.map(row => row.prompt_tokens)),
      completion_tokens: sum(calls.map(row => row.completion_tokens)),
      cached_tokens: sum(calls.map(({ data }) => data.cached_read_tokens ?? 0)),
      saved: Math.round(sum(savings)),
      first_byte: {
        p50: percentile(
          firsts.filter(each => each > 0),
          50,
        ),
        p95: percentile(
          firsts.filter(each => each > 0),
          95,
        ),
      },
      duration: { p50: percentile(durations, 50), p95: percentile(durations, 95) },
      tokens_per_second:
        spent > 0
          ? expect.closeTo(sum(timed.map(row => row.completion_tokens)) / (spent / 1_000), 6)
          : null,
    },
  }
}

const read = async (period: string): Promise<ChannelFigures> =>
  (await admin.get(`/api/channel/${channel}/figures?period=${period}`)).body.data

const figureTests = () => {
  it('a channel without calls has a point for each step and no times', async () => {
    const found = await read('hour')
    expect(found.points).toHaveLength(12)
    expect(found.totals).toMatchObject({ requests: 0, failed: 0, duration: { p50: null } })
    expect(found).toMatchObject({ failures: [], failures_complete: true, logging: true })
  })

  it('every figure of the hour and the day is the sum of its rows, in all and in each step', async () => {
    await write(randomRows(3_000))
    for (const [period, step, steps] of [
      ['hour', 300, 12],
      ['day', 3_600, 24],
    ] as const) {
      const found = await read(period)
      expect(found.end - found.begin).toBe(step * steps)
      expect(found.end).toBeGreaterThan(now())
      expect(found.end - now()).toBeLessThanOrEqual(step)
      const all = expected(found.begin, found.end)
      expect(all.figures.failed).toBeGreaterThan(5)
      expect(all.figures.saved).toBeGreaterThan(0)
      expect(found.totals).toEqual(all.figures)
      for (const { begin, ...point } of found.points)
        expect([begin, point]).toEqual([begin, expected(begin, begin + step).figures])
      const counted = found.failures.flatMap(({ code, count }) =>
        Array.from({ length: count }, () => code),
      )
      expect(counted.toSorted()).toEqual(all.codes.toSorted())
      expect(found.failures.map(each => each.count)).toEqual(
        found.failures.map(each => each.count).toSorted((a, b) => b - a),
      )
    }
  })

  it('the health of several channels has the calls and failed attempts of each by hour', async () => {
    while (!(await admin.get('/api/operations/overview')).body.data.complete)
      await sumUsage.run(hub.app)
    const path = `/api/channel/health?ids=${channel},999`
    const found: ChannelHealth = (await admin.get(path)).body.data
    expect(found.complete).toBe(true)
    const day = await read('day')
    expect(found.begin).toBe(day.begin)
    const [own, other] = found.channels
    expect(own?.id).toBe(channel)
    for (const [hour, { requests, failed }] of own!.hours.entries()) {
      const begin = found.begin + hour * 3_600
      const { codes, figures } = expected(begin, begin + 3_600)
      const attempts = codes.filter(code => code !== 'upstream.broken')
      expect([begin, requests, failed]).toEqual([begin, figures.requests, attempts.length])
    }
    const none = { requests: 0, failed: 0, empty: 0 }
    expect(other).toMatchObject({ id: 999, hours: own!.hours.map(() => none) })
    const person = await hub.person(1)
    expect((await person.get(path)).status).toBe(403)
    expect((await admin.get('/api/channel/health?ids=1,x')).status).toBe(400)
  })

  it('the queries use the indexes of one channel and of failed attempts', async () => {
    const { sql } = await import('kysely')
    const plan = async (query: string) =>
      JSON.stringify((await sql.raw(query).execute(hub.app.db)).rows)
    const isPostgres = (await plan('select version()').catch(() => '')).includes('PostgreSQL')
    const explain = isPostgres ? 'explain' : 'explain query plan'
    if (isPostgres) await sql.raw('analyze logs').execute(hub.app.db)
    const calls = `${explain} select quota from logs where type = 2 and channel_id = 999 and created_at >= 1 and created_at < 9`
    // PostgreSQL names the index of each partition by itself.
    expect(await plan(calls)).toMatch(/logs_channel_time|channel_id_created_at_idx/)
    const attempts = `${explain} select metadata from logs where metadata like '%"attempts":[{%'
      and created_at >= 1 and created_at < 9 order by created_at desc limit 10`
    expect(await plan(attempts)).toMatch(/logs_failed_attempts|created_at_idx/)
  })

  it('only administrators read them, and an unknown channel is refused', async () => {
    const person = await hub.person(1)
    expect((await person.get(`/api/channel/${channel}/figures`)).status).toBe(403)
    expect((await admin.get('/api/channel/999999/figures')).status).toBe(404)
    expect((await admin.get(`/api/channel/${channel}/figures?period=year`)).status).toBe(400)
  })
}

onBothEngines('figures of one channel', open => {
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = startedAt
    written.length = 0
    admin = await hub.person(10)
    const body = { type: 1, name: 'v', models: 'm', key: 'sk-x' }
    channel = (await admin.post('/api/channel/', body)).body.data[0].id
  })
  figureTests()
})
