import type { AnalyticsDay, AnalyticsFigures } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { namedDays } from '../../core/usage/period-days.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import sumUsage from '../../jobs/sum-usage.ts'

let hub: TestApp
let people: TestUser[] = []
let written: LogsTable[] = []

const at = (iso: string) => Date.parse(iso) / 1000
const now = () => Math.floor(hub.clock.now / 1000)
const start = at('2026-03-01T00:00:00Z')
const end = at('2026-03-20T10:07:30Z')
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const write = async (rows: Partial<LogsTable>[]) => {
  const all = rows.map(row => ({
    ...{ id: hub.app.ledger.nextId(), user_id: 1, created_at: now(), type: 2, content: '' },
    ...{ username: 'u', token_name: 't', model_name: 'gpt', quota: 10, prompt_tokens: 3 },
    ...{ completion_tokens: 4, channel_id: 5, request_time: 100, is_stream: 1, source_ip: '' },
    metadata: '{"group_name":"default"}',
    ...row,
  }))
  for (let from = 0; from < all.length; from += 500)
    await hub.app.db
      .insertInto('logs')
      .values(all.slice(from, from + 500))
      .execute()
  written.push(...all)
}

/** Calls over the whole period, 30 models of two owners and of none, with charges that differ. */
const calls = (count: number): Partial<LogsTable>[] =>
  Array.from({ length: count }, (_, index) => ({
    created_at: start + Math.floor(((index * 7919) % count) * ((end - start) / count)),
    user_id: people[index % people.length]!.id,
    model_name: `${['gpt', 'claude', 'own'][index % 3]}-${index % 30}`,
    channel_id: index % 4,
    quota: (index * 131) % 5_000,
    prompt_tokens: index % 900,
    request_time: (index * 37) % 9_000,
    metadata: JSON.stringify({ group_name: index % 2 ? 'default' : 'vip', group_ratio: 1 }),
  }))

const period = async (more: string, [from, to] = [start, end]): Promise<AnalyticsFigures> => {
  const path = `/api/analytics/period?start_timestamp=${from}&end_timestamp=${to}&${more}`
  return (await hub.root.get(path)).body.data
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
const ownerOf = ({ model_name }: LogsTable) =>
  ({ gpt: 'OpenAI', claude: 'Anthropic' })[model_name.split('-')[0]!] ?? ''

/** Adds up what the test wrote, without any query of the feature. */
const expected = (keyOf: (row: LogsTable) => string | number, rows = written) => {
  const sums: Record<string, number[]> = {}
  for (const row of rows) {
    const name = `${dayOf(row.created_at)} ${keyOf(row)}`
    const { quota, prompt_tokens, completion_tokens, request_time } = row
    const figures = [1, quota, prompt_tokens, completion_tokens, request_time]
    sums[name] = figures.map((value, index) => value + (sums[name]?.[index] ?? 0))
  }
  return sums
}

const found = (rows: AnalyticsDay[], nameOf = (row: AnalyticsDay) => row.Channel) =>
  Object.fromEntries(
    rows.map(row => [
      `${row.Date} ${nameOf(row)}`,
      [row.RequestCount, row.Quota, row.PromptTokens, row.CompletionTokens, row.RequestTime],
    ]),
  )

const idOf = ({ Id }: AnalyticsDay) => String(Id)
const groupOf = ({ metadata }: LogsTable) => JSON.parse(metadata).group_name

const checkGroups = async () => {
  const by = async (group: string) => (await period(`group_type=${group}`)).channel_statistics
  expect(found(await by('model_type'))).toEqual(expected(ownerOf))
  expect(found(await by('channel'), idOf)).toEqual(expected(row => row.channel_id))
  expect(found(await by('user'), idOf)).toEqual(expected(row => row.user_id))
  expect(found(await by('group'))).toEqual(expected(groupOf))
}

const figureTests = () => {
  it('S9 a user without the role of an administrator reads no analytics of the site', async () => {
    const range = `start_timestamp=${start}&end_timestamp=${end}`
    const compared = 'usernames=root&start_time=2026-03-01&end_time=2026-03-02'
    for (const path of [
      'statistics',
      `period?${range}`,
      `period/export?${range}`,
      `multi_user_stats?${compared}`,
      `multi_user_stats/export?${compared}`,
    ])
      expect((await people[0]!.get(`/api/analytics/${path}`)).status).toBe(403)
  })

  it('figures of each day and series are the sums of the logs, before and after they are stored', async () => {
    hub.clock.now = end * 1000
    await write(calls(3_000))
    await sumUsage.run(hub.app)
    await write(calls(40).map(call => ({ ...call, created_at: now() - 60 })))
    await checkGroups()
    hub.clock.now += 30 * 60_000
    await sumUsage.run(hub.app)
    await checkGroups()
  })

  it('the 20 models with the largest charges have a series each, the others one together', async () => {
    const charges = new Map<string, number>()
    for (const { model_name, quota } of written)
      charges.set(model_name, (charges.get(model_name) ?? 0) + quota)
    const largest = [...charges].toSorted(([, a], [, b]) => b - a).slice(0, 20)
    const names = new Set(largest.map(([name]) => name))
    const { channel_statistics } = await period('group_type=model')
    const nameOf = ({ model_name }: LogsTable) => (names.has(model_name) ? model_name : '')
    expect(found(channel_statistics)).toEqual(expected(nameOf))
  })

  it('the figures of one user are the sums of that user’s logs', async () => {
    const { id } = people[1]!
    const own = written.filter(row => row.user_id === id)
    const { channel_statistics } = await period(`group_type=group&user_id=${id}`)
    expect(found(channel_statistics)).toEqual(expected(groupOf, own))
    const byOwner = await period(`user_id=${id}`)
    expect(found(byOwner.channel_statistics)).toEqual(expected(ownerOf, own))
  })
}

const periodTests = () => {
  it('the days are whole days of the site, and none lies in the future', async () => {
    const { days } = await period('', [start + 40_000, end + 90 * 86_400])
    expect(days).toHaveLength(20)
    expect([days[0], days.at(-1)]).toEqual(['2026-03-01', '2026-03-20'])
    const kathmandu = namedDays('2026-03-01', '2026-03-02', 'Asia/Kathmandu')
    expect(kathmandu.map(({ begin }) => begin)).toEqual([
      at('2026-02-28T18:15:00Z'),
      at('2026-03-01T18:15:00Z'),
    ])
    // New York loses an hour on 8 March.
    const [summer] = namedDays('2026-03-08', '2026-03-08', 'America/New_York')
    expect(summer).toMatchObject({ name: '2026-03-08', begin: at('2026-03-08T05:00:00Z') })
    expect(summer!.end - summer!.begin).toBe(23 * 3_600)
  })

  it('a period that ends before it starts, is too long, or of an unknown series is refused at its field', async () => {
    const ask = (query: string) => hub.root.get(`/api/analytics/period?${query}`)
    const refusals = [
      ['start_timestamp=5&end_timestamp=4', 'end_timestamp'],
      [`start_timestamp=0&end_timestamp=${end}`, 'end_timestamp'],
      ['end_timestamp=4', 'start_timestamp'],
      [`start_timestamp=${start}&end_timestamp=${end}&group_type=country`, 'group_type'],
      [`start_timestamp=${start}&end_timestamp=${end}&user_id=-1`, 'user_id'],
    ]
    for (const [query, field] of refusals) {
      const { status, body } = await ask(query!)
      expect([query, status]).toEqual([query, 400])
      expect(body.message).toContain(field)
    }
  })

  it('the file has the same figures, and no cell is a formula', async () => {
    await write([{ model_name: '=1+1', quota: 900_000 }])
    const query = `start_timestamp=${start}&end_timestamp=${end}&group_type=model`
    const file = await hub.root.get(`/api/analytics/period/export?${query}`)
    expect(file.headers['content-disposition']).toContain('analytics_2026-03-01_2026-03-20.csv')
    const [header, ...lines] = file.text.replace('\u{feff}', '').trimEnd().split('\r\n')
    expect(header).toMatch(/^Date,Name,Requests,Points,/)
    const { channel_statistics } = await period('group_type=model')
    expect(lines).toHaveLength(channel_statistics.length)
    const points = sum(lines.map(line => Number(line.split(',')[3])))
    expect(points).toBe(sum(channel_statistics.map(({ Quota }) => Quota)))
    expect(file.text).toContain(",'=1+1,")
  })
}

const peopleTests = () => {
  it('sign-ups, redeemed codes and credited orders count on their day, and in the totals', async () => {
    hub.clock.now = at('2026-04-20T08:00:00Z') * 1000
    const day = [now(), now()] as [number, number]
    const before = await period('', day)
    const totals = async () => (await hub.root.get('/api/analytics/statistics')).body.data
    const then = await totals()
    const inviter = await hub.person()
    const invited = await hub.person()
    const { db } = hub.app
    await db
      .updateTable('users')
      .set({ inviter_id: inviter.id })
      .where('id', '=', invited.id)
      .execute()
    const codes = { name: 'gift', quota: 500, count: 2 }
    for (const key of (await hub.root.post('/api/redemption/', codes)).body.data)
      await invited.post('/api/user/topup', { key })
    await db
      .insertInto('orders')
      .values([order(invited.id, 'credited', 'CNY', 1_234), order(invited.id, 'closed', 'CNY', 77)])
      .execute()
    await db
      .insertInto('orders')
      .values(order(invited.id, 'credited', 'JPY', 800))
      .execute()
    const after = await period('', day)
    const [signUps] = after.user_statistics
    expect(signUps?.user_count).toBe((before.user_statistics[0]?.user_count ?? 0) + 2)
    expect(signUps?.inviter_user_count).toBe(1)
    expect(after.redemption_statistics).toEqual([
      { date: '2026-04-20', quota: 1_000, user_count: 1 },
    ])
    expect(after.order_statistics).toEqual([
      { date: '2026-04-20', order_currency: 'CNY', order_amount: 12.34, quota: 5_000 },
      { date: '2026-04-20', order_currency: 'JPY', order_amount: 800, quota: 5_000 },
    ])
    const sums = await totals()
    expect(sums.order_statistics).toEqual([
      { order_currency: 'CNY', money: 12.34, quota: 5_000 },
      { order_currency: 'JPY', money: 800, quota: 5_000 },
    ])
    expect(sums.redemption_statistic).toEqual([{ status: 3, count: 2, quota: 1_000 }])
    const { user_statistics: users } = sums
    expect(users.total_user).toBe(then.user_statistics.total_user + 2)
    expect(users.total_inviter_user).toBe(1)
    const accounts = await db.selectFrom('accounts').select(['balance', 'used']).execute()
    expect(users.total_quota).toBe(sum(accounts.map(({ balance }) => balance)))
    expect(users.total_used_quota).toBe(sum(accounts.map(({ used }) => used)))
  })
}

const comparisonTests = () => {
  it('users are compared by their charges and models, as a response and as One Hub’s file', async () => {
    const [first, second] = people
    const names = `${first!.username}, ${second!.username},nobody,${first!.username}`
    const query = `usernames=${names}&start_time=2026-03-02&end_time=2026-03-04`
    const { body } = await hub.root.get(`/api/analytics/multi_user_stats?${query}`)
    const rows = written.filter(
      row => dayOf(row.created_at) >= '2026-03-02' && dayOf(row.created_at) <= '2026-03-04',
    )
    const expectedOf = ({ id, username }: TestUser) => {
      const own = rows.filter(row => row.user_id === id)
      return {
        username,
        request_count: own.length,
        quota: sum(own.map(({ quota }) => quota)),
        prompt_tokens: sum(own.map(row => row.prompt_tokens)),
        completion_tokens: sum(own.map(row => row.completion_tokens)),
        request_time: sum(own.map(row => row.request_time)),
      }
    }
    expect(body).toMatchObject({ success: true, data: [expectedOf(first!), expectedOf(second!)] })
    const own = body.model_usage.filter(
      (each: { username: string }) => each.username === first!.username,
    )
    const models = own.map((each: { request_count: number }) => each.request_count)
    expect(sum(models)).toBe(expectedOf(first!).request_count)
    const file = await hub.root.get(`/api/analytics/multi_user_stats/export?${query}`)
    expect(file.headers['content-disposition']).toContain(
      'multi_user_stats_2026-03-02_2026-03-04.csv',
    )
    expect(file.text.split('\r\n')[0]).toBe(
      '\u{feff}Username,Request Count,Quota,Prompt Tokens,Completion Tokens,Request Time (ms)',
    )
    expect(file.text).toContain(`${first!.username},${expectedOf(first!).request_count},`)
  })

  it('a comparison without users, or of too many days, is refused', async () => {
    const ask = async (query: string) =>
      (await hub.root.get(`/api/analytics/multi_user_stats?${query}`)).status
    expect(await ask('usernames=,&start_time=2026-03-02&end_time=2026-03-04')).toBe(400)
    expect(await ask('usernames=root&start_time=2026-03-02&end_time=2026-03-01')).toBe(400)
    expect(await ask('usernames=root&start_time=2024-03-02&end_time=2026-03-01')).toBe(400)
    expect(await ask('usernames=root&start_time=today&end_time=2026-03-01')).toBe(400)
  })
}

let orders = 0
const order = (userId: number, status: string, currency: string, paid: number) => ({
  ...{ user_id: userId, gateway_id: 1, trade_no: `t${orders++}`, gateway_no: '', reference: '' },
  ...{ amount: 10, pay_amount: paid, currency, points: 5_000, fee: 0, discount: 0 },
  ...{ discount_factor: '1', exchange_rate: '1', status, review_reason: '', refunded_total: 0 },
  ...{ taken_back: 0, take_backs: 0, source_ip: '', created_at: now(), expires_at: now() },
  ...{ paid_at: now(), credited_at: status === 'credited' ? now() : null, closed_at: null },
  ...{ next_query_at: null, queries: 0 },
})

onBothEngines('analytics', open => {
  beforeAll(async () => {
    hub = await open()
    written = []
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    people = [await hub.person(), await hub.person(), await hub.person()]
    const { db } = hub.app
    await db.deleteFrom('prices').execute()
    const price = { type: 'tokens', input: '1', output: '1', locked: 0 } as const
    const priced = [...Array(30).keys()].map(index => ({ model: `gpt-${index}`, channel_type: 1 }))
    await db
      .insertInto('prices')
      .values(
        [...priced, { model: 'claude-*', channel_type: 14 }].map(each => ({ ...price, ...each })),
      )
      .execute()
  })
  figureTests()
  periodTests()
  peopleTests()
  comparisonTests()
})
