import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/auditor/audit.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, truthOf } from './databases.ts'
import { newFolder, runImport, type Target } from './target.ts'

const options = (truth: Json) => ({
  withHistory: true,
  pricing: { data: truth.pricing_answer_of_the_running_program },
})

/** Every row of the source's log and orders, once, in the log of this gateway. */
const checkHistory = async (
  name: Parameters<typeof copyOf>[0],
  orders: 'orders' | 'top_ups' | undefined,
  to: Target,
) => {
  const truth = truthOf(name)
  const address = copyOf(name)
  const dry = await runImport(to, address, { ...options(truth), isDryRun: true })
  const report = await runImport(to, address, options(truth))
  expect({ ...dry, isDryRun: false, channelIds: report.channelIds }).toEqual(report)
  const { history, tables, left } = report
  const byType = truth.sums.logs_by_type as Json[]
  const rows = byType.reduce((sum, each) => sum + each.n, 0)
  const points = byType.reduce((sum, each) => sum + each.quota, 0)
  const paid =
    orders === 'orders' ? truth.orders.filter((each: Json) => each.status === 'success') : []
  const paidPoints = paid.reduce((sum: number, each: Json) => sum + each.quota, 0)
  const orderRows = orders ? truth[orders].length : 0
  expect(tables.logs).toEqual({ found: rows, carried: rows, skipped: 0 })
  if (orders) expect(tables[orders]).toEqual({ found: orderRows, carried: orderRows, skipped: 0 })
  expect(left.map(each => each.table)).not.toContain('logs')
  const all = { rows: rows + orderRows, points: points + paidPoints }
  expect(history).toMatchObject({ ...all, here: all })
  const { results, isClean } = await audit(to)
  expect(results.filter(each => each.findings.length > 0)).toEqual([])
  expect(isClean).toBe(true)
  return { report, truth }
}

const withHub = async (target: Target, work: (hub: TestApp) => Promise<void>) => {
  const hub = await openTestApp(target.databaseUrl, { DATA_DIR: target.dataDir })
  try {
    await work(hub)
  } finally {
    await hub.close(1)
  }
}

const signIn = async (hub: TestApp, { name, password }: Json) => {
  const guest = hub.guest()
  await guest.signIn(name, password)
  return guest
}

/** What an administrator and a user see of the history of One Hub. */
const checkLists = (target: Target, truth: Json) =>
  withHub(target, async hub => {
    const root = await signIn(hub, truth.users[0])
    const list = async (query: string) =>
      (await root.get(`/api/log/?log_type=6&size=100&${query}`)).body.data
    const newest = (await list('order=-created_at')).data
    expect(newest).toHaveLength(100)
    const call = newest.find((each: Json) => each.model_name !== '')
    expect(call.metadata).toMatchObject({
      ...{ imported: 'One Hub', kind: 'consume', group_name: expect.any(String) },
    })
    expect(call.channel.name).toEqual(expect.any(String))
    // A search for models finds them although nobody was charged for them here.
    const found = await root.get(`/api/log/?model_name=${call.model_name}&size=1`)
    expect(found.body.data.data[0]).toMatchObject({ type: 6, model_name: call.model_name })
    expect((await root.get(`/api/log/${call.id}/receipt`)).status).toBe(404)
    // A user sees the own rows only, and nobody's balance or use counts them.
    const user = truth.users.find(
      (each: Json) => each.role === 1 && each.status === 1 && !each.deleted,
    )
    const own = await (await signIn(hub, user)).get('/api/log/self?log_type=6&size=100')
    expect(new Set(own.body.data.data.map((each: Json) => each.username))).toEqual(
      new Set([user.name]),
    )
    expect(own.body.data.total_count).toBe(await countOf(hub, user.name))
    const self = (await root.get('/api/user/self')).body.data
    expect(self).toMatchObject({
      quota: truth.users[0].quota,
      used_quota: truth.users[0].used_quota,
    })
    // The log of the past can be deleted as any other.
    const { password } = truth.users[0]
    await root.post('/api/user/proof', { current_password: password })
    const before = Math.floor(hub.clock.now / 1000) + 1
    await root.delete(`/api/log/?target_timestamp=${before}`)
    expect((await list('page=1')).data).toEqual([])
  })

const countOf = async (hub: TestApp, username: string): Promise<number> =>
  (
    await hub.app.db
      .selectFrom('logs')
      .select('id')
      .where('type', '=', 6)
      .where('username', '=', username)
      .execute()
  ).length

/** One Hub rounds the tokens of each part up before it multiplies them with the price: 2 or 3 points in these calls. */
const roundedParts = 3

describe('the history of One Hub', () => {
  it('arrives as rows that change no balance', async () => {
    const target = { dataDir: newFolder() }
    const { report, truth } = await checkHistory('one-hub-sqlite', 'orders', target)
    const { sample } = report.history!
    expect(sample).toMatchObject({ differing: roundedParts, unknown: 0 })
    for (const { source, here } of sample.differences)
      expect(Math.abs(source - here)).toBeLessThan(4)
    expect(sample.checked).toBeGreaterThan(600)
    await checkLists(target, truth)
  })

  it('whose charges were changed: the report names exactly those', async () => {
    const address = copyOf('one-hub-sqlite')
    const source = new DatabaseSync(address)
    const calls = source.prepare('select id from logs where type = 2 order by id').all()
    // Every third call is in the sample of 1,000 of 2,095 rows.
    const planted = [0, 300, 1_500].map(each => Number(calls[each]!.id))
    source.exec(`update logs set quota = quota + 50 where id in (${planted})`)
    source.close()
    const { history } = await runImport({ dataDir: newFolder() }, address, {
      ...{ withHistory: true, isDryRun: true },
    })
    const changed = history!.sample.differences.filter(each => each.source - each.here > 40)
    expect(changed.map(each => each.id)).toEqual(planted)
    expect(history!.sample.differing).toBe(3 + roundedParts)
  })
})

describe('the history of New API', () => {
  it('arrives as rows that change no balance', async () => {
    const { report } = await checkHistory('new-api-sqlite', 'top_ups', { dataDir: newFolder() })
    expect(report.history!.sample).toMatchObject({ differing: 0 })
    expect(report.history!.sample.checked).toBeGreaterThan(500)
  })
})

const reason = postgresSkipReason()
let postgres: PostgresDatabases | undefined
afterAll(() => postgres?.stop())

describe(`the history of One API ${reason ?? ''}`, () => {
  it.skipIf(reason)('arrives on PostgreSQL, without prices', async () => {
    postgres = await openPostgres()
    const target = { dataDir: newFolder(), databaseUrl: await postgres.migrated('hub') }
    const { report } = await checkHistory('one-api-sqlite', undefined, target)
    expect(report.history!.sample).toMatchObject({ checked: 0 })
    expect(report.history!.sample.unknown).toBeGreaterThan(600)
  })
})
