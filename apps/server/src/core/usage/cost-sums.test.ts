import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { type CostAttribute, noCosts } from '../../db/queries/cost-sums.ts'
import { daySeconds, type TimeRange } from '../../db/queries/usage-sums.ts'
import type { AttemptCostsTable } from '../../db/tables/costs.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import sumUsage from '../../jobs/sum-usage.ts'
import { readCurrentCosts } from './current-costs.ts'

let hub: TestApp
let logs: LogsTable[] = []
let attempts: AttemptCostsTable[] = []

const at = (iso: string) => Date.parse(iso) / 1000
const start = at('2026-03-01T00:00:00Z')
const now = at('2026-03-09T10:07:30Z')
const versions = { 7: 'USD', 8: 'CNY' } as const
/** The versions of no row stand for terms that are written after their first call. */
const currencyOf = (row: { cost?: number | null; cost_version?: number | null }): string =>
  row.cost == null
    ? ''
    : row.cost_version == null
      ? 'USD'
      : (versions[row.cost_version as 7 | 8] ?? '')

const seed = Math.floor(Math.random() * 2 ** 31)
let state = seed
const random = (below: number) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
  return Math.floor((state / 0x80_00_00_00) * below)
}
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!

/** A third has no cost; the largest are such that a handful of them is no safe integer. */
const randomCost = () => {
  if (random(3) === 0) return { cost: null, cost_version: null, cost_kind: null }
  const cost = pick([0, 1, random(1e9), Number.MAX_SAFE_INTEGER - random(1_000)])
  const version = pick([null, 7, 8, 9])
  return { cost, cost_version: version, cost_kind: version === null ? 1 : pick([2, 3]) }
}

const randomLog = (created_at: number): LogsTable => ({
  ...{ id: hub.app.ledger.nextId(), user_id: pick([1, 2, 3]), created_at, content: '' },
  ...{ type: pick([2, 2, 2, 1, 5]), username: 'u', token_name: pick(['a', 'b "c"', '']) },
  ...{ model_name: pick(['m', 'n', 'o-1']), quota: random(5_000), prompt_tokens: 1 },
  ...{ completion_tokens: 1, channel_id: pick([0, 4, 5]), request_time: 9, is_stream: 0 },
  ...{ source_ip: '', metadata: pick(['{}', '{"group_name":"vip","x":1}', '{"group_name":"g"}']) },
  ...randomCost(),
})

const randomAttempt = (time: number): AttemptCostsTable => ({
  ...{ call_id: hub.app.ledger.nextId(), attempt: 1, at: time, user_id: pick([1, 2]) },
  ...{ token_id: pick([901, 902, 999]), group_name: pick(['vip', 'g']), channel_id: pick([4, 6]) },
  ...{ model_name: pick(['m', 'n']), usage: '{}', ...randomCost() },
})

const write = async (count: number, { begin, end }: TimeRange) => {
  const time = () => begin + random(end - begin)
  const newLogs = Array.from({ length: count }, () => randomLog(time()))
  const newAttempts = Array.from({ length: count >> 2 }, () => randomAttempt(time()))
  const { db } = hub.app
  await db.insertInto('logs').values(newLogs).execute()
  await db.insertInto('attempt_costs').values(newAttempts).execute()
  logs.push(...newLogs)
  attempts.push(...newAttempts)
}

type Sums = Record<string, typeof noCosts>
const tokenNames: Record<number, string> = { 901: 'a', 902: 'b "c"' }

/** Adds up what the test wrote, without any query of the feature. */
const expected = (by: readonly CostAttribute[]): Sums => {
  const sums: Sums = {}
  const add = (
    time: number,
    row: Record<CostAttribute, unknown>,
    more: object,
    currency: string,
  ) => {
    const name = JSON.stringify([time - (time % daySeconds), currency, ...by.map(key => row[key])])
    const sum = sums[name] ?? noCosts
    const each = { ...noCosts, ...more }
    sums[name] = Object.fromEntries(
      Object.entries(sum).map(([key, value]) => [key, value + each[key as keyof typeof each]]),
    ) as typeof noCosts
  }
  for (const log of logs.filter(({ type }) => type === 2)) {
    const currency = currencyOf(log)
    const cost = currency ? BigInt(log.cost ?? 0) : 0n
    const estimated = log.cost_kind === 3 ? cost : 0n
    const group_name = JSON.parse(log.metadata).group_name ?? ''
    const row = { ...log, model: log.model_name, group_name }
    const figures = { calls: 1n, charged: BigInt(log.quota), cost, estimated }
    add(log.created_at, row, figures, currency)
  }
  for (const attempt of attempts) {
    const currency = currencyOf(attempt)
    const attempt_cost = currency ? BigInt(attempt.cost ?? 0) : 0n
    const token_name = tokenNames[attempt.token_id] ?? ''
    const row = { ...attempt, model: attempt.model_name, token_name }
    add(attempt.at, row, { attempts: 1n, attempt_cost }, currency)
  }
  return sums
}

const days = Array.from({ length: 12 }, (_, day) => ({
  begin: start + day * daySeconds,
  end: start + (day + 1) * daySeconds,
}))

const read = async (by: readonly CostAttribute[]): Promise<Sums> => {
  const { rows, isComplete } = await readCurrentCosts(hub.app, days, { by, filter: {} })
  expect(isComplete).toBe(true)
  return Object.fromEntries(
    rows.map(({ at: day, currency, ...row }) => [
      JSON.stringify([day, currency, ...by.map(key => row[key])]),
      Object.fromEntries(
        Object.keys(noCosts).map(key => [key, row[key as keyof typeof row]]),
      ) as typeof noCosts,
    ]),
  )
}

const groupings: (readonly CostAttribute[])[] = [
  ...[[], ['channel_id'], ['model'], ['user_id'], ['group_name'], ['user_id', 'token_name']],
  ['model', 'channel_id'],
] as const

const check = async (when: string) => {
  for (const by of groupings) expect(await read(by), `${when}, seed ${seed}`).toEqual(expected(by))
}

const advance = async (seconds: number) => {
  hub.clock.now += seconds * 1000
  await sumUsage.run(hub.app)
}

onBothEngines('sums of costs', open => {
  beforeAll(async () => {
    hub = await open()
    logs = []
    attempts = []
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    const { db } = hub.app
    for (const [id, currency] of Object.entries(versions))
      await db
        .insertInto('cost_versions')
        .values({ id: Number(id), currency, body: '{}', created_at: 1 })
        .execute()
    for (const [id, name] of Object.entries(tokenNames))
      await db
        .insertInto('tokens')
        .values({
          ...{ id: Number(id), user_id: 1, name, key_hash: id, key_masked: '', key_sealed: '' },
          ...{ group: '', setting: '{}', created_time: 1, backup_group: null, billing_tag: null },
          ...{ chat_cache: null, api_rate: null, deleted_at: null, version: null },
        })
        .execute()
    hub.clock.now = now * 1000
  })

  it('sums equal logs and attempts to the last digit, stored or not, and with rows that came late', async () => {
    await write(400, { begin: start, end: now })
    await sumUsage.run(hub.app)
    await check('after the first run')
    await write(30, { begin: now - 300, end: now })
    await check('with calls since')
    await advance(1_800)
    await check('after the next run')
    await write(30, { begin: now - 2_000, end: now - 1_200 })
    await advance(900)
    await check('with rows of the last hour that came late')
    await write(30, { begin: now - 10 * 3_600, end: now })
    await advance(16 * 3_600)
    await check('with rows of the day that came late')
  })

  it('terms that are written after their first call give its cost a currency', async () => {
    const { db } = hub.app
    const created_at = hub.clock.now / 1000 - 400
    const log = { ...randomLog(created_at), type: 2, model_name: 'late', cost: 5, cost_version: 10 }
    await db.insertInto('logs').values(log).execute()
    await advance(900)
    const ofModel = async () =>
      Object.entries(await read(['model']))
        .filter(([name]) => name.includes('late'))
        .map(([name, { calls, cost }]) => [JSON.parse(name)[1], calls, cost])
    expect(await ofModel()).toEqual([['', 1n, 0n]])
    const terms = { id: 10, currency: 'EUR', body: '{}', created_at: 1 }
    await db.insertInto('cost_versions').values(terms).execute()
    await advance(900)
    expect(await ofModel()).toEqual([['EUR', 1n, 5n]])
  })

  it('sums stay when some of the logs that they are of were deleted', async () => {
    const before = await read(['model'])
    await hub.app.db.deleteFrom('logs').where('user_id', '=', 1).execute()
    await hub.app.db.deleteFrom('attempt_costs').where('user_id', '=', 1).execute()
    await advance(26 * 3_600)
    expect(await read(['model'])).toEqual(before)
  })
})
