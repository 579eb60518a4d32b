import type { MarginFigures, MarginReport, MarginRow } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import type { AttemptCostsTable } from '../../db/tables/costs.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import sumUsage from '../../jobs/sum-usage.ts'

let hub: TestApp
let ann: TestUser
let bob: TestUser

const at = (iso: string) => Date.parse(iso) / 1000
/** Points of a US dollar, and units of cost in one of a currency. */
const usd = 500_000
const one = 10_000_000_000

const log = (row: Partial<LogsTable>): LogsTable => ({
  ...{ id: hub.app.ledger.nextId(), user_id: ann.id, created_at: at('2026-03-02T09:00:00Z') },
  ...{ type: 2, content: '', username: 'u', token_name: 'key', model_name: 'm', quota: usd },
  ...{ prompt_tokens: 1, completion_tokens: 1, channel_id: 4, request_time: 9, is_stream: 0 },
  ...{ source_ip: '', metadata: '{"group_name":"default"}' },
  ...{ cost: null, cost_version: null, cost_kind: null },
  ...row,
})

const paid = (cost: number, version: number | null, kind = 2): Partial<LogsTable> => ({
  ...{ cost, cost_version: version, cost_kind: version === null ? 1 : kind },
})

const attempt = (row: Partial<AttemptCostsTable>): AttemptCostsTable => ({
  ...{ call_id: hub.app.ledger.nextId(), attempt: 1, at: at('2026-03-02T09:00:00Z') },
  ...{ user_id: ann.id, token_id: 0, group_name: 'default', channel_id: 6, model_name: 'm' },
  ...{ cost: null, cost_version: null, cost_kind: null, usage: '{}' },
  ...row,
})

const ask = (query: string) => hub.root.get(`/api/margin/?${query}`)
const read = async (query: string, days = 'from=2026-03-01&to=2026-03-04') => {
  const { body } = await ask(`${days}&${query}`)
  expect(body.success, body.message).toBe(true)
  return body.data as MarginReport
}

const short = ({ revenue, cost, margin, margin_percent }: MarginFigures) =>
  `${revenue} ${cost} ${margin} ${margin_percent}`
const byName = (rows: readonly MarginRow[], nameOf: (row: MarginRow) => string | number) =>
  Object.fromEntries(rows.map(row => [nameOf(row), short(row)]))

const write = async () => {
  const { db } = hub.app
  for (const [id, currency] of [
    [7, 'USD'],
    [8, 'CNY'],
    [9, 'EUR'],
  ] as const)
    await db
      .insertInto('cost_versions')
      .values({ id, currency, body: '{}', created_at: 1 })
      .execute()
  const rate = (day: string, text: string) => ({
    ...{ currency: 'CNY', valid_from: at(day), rate: text, created_by: 1 },
  })
  await db
    .insertInto('exchange_rates')
    .values([rate('2026-01-01T00:00:00Z', '8'), rate('2026-03-03T00:00:00Z', '4')])
    .execute()
  await hub.app.changes.notify(db, 'costs')
  await hub.app.changes.sync()
  const march3 = at('2026-03-03T05:00:00Z')
  await db
    .insertInto('logs')
    .values([
      log(paid(one / 4, 7)),
      log({ ...paid(one, 8, 3), model_name: 'n', user_id: bob.id }),
      log({ ...paid(8 * one, 8), model_name: 'n', created_at: march3, channel_id: 5 }),
      log({ ...paid(2 * one, 9), model_name: 'foreign', created_at: march3 }),
      log({ model_name: 'unknown', quota: 3 * usd, metadata: '{"billing_tag":"team"}' }),
      log({ ...paid(1, null), model_name: 'reported', quota: 1 }),
      log({ type: 5, model_name: 'failed', quota: 77 }),
    ])
    .execute()
  await db
    .insertInto('attempt_costs')
    .values([
      attempt({ cost: one / 10, cost_version: 7, cost_kind: 3 }),
      attempt({ call_id: 5, cost: null }),
      attempt({ call_id: 6, cost: one, cost_version: 9, cost_kind: 2 }),
    ])
    .execute()
}

const figureTests = () => {
  it('each model has its revenue, cost and margin, and calls of unknown cost count for neither', async () => {
    const { rows, totals } = await read('by=model')
    expect(byName(rows, row => row.model)).toEqual({
      m: '1 0.35 0.65 65.00',
      n: '2 2.125 -0.125 -6.25',
      foreign: '1 0 0 null',
      unknown: '3 0 0 null',
      reported: '0.000002 0.0000000001 0.0000019999 100.00',
    })
    expect(rows[0]?.model).toBe('n')
    expect(totals).toEqual({
      ...{ calls: 6, revenue: '7.000002', unknown_calls: 2, unknown_revenue: '4' },
      ...{ cost: '2.4750000001', estimated_cost: '0.125', attempts: 3, attempts_cost: '0.1' },
      ...{ unknown_attempts: 2, margin: '0.5250019999', margin_percent: '17.50' },
      unconverted: [{ currency: 'EUR', cost: '3' }],
    })
  })

  it('the rate of a day is the last one that began on it or before, and is named with its day', async () => {
    const { rows, rates } = await read('by=day&sort=day')
    expect(byName(rows, row => row.day)).toEqual({
      '2026-03-02': '5.000002 0.4750000001 1.5250019999 76.25',
      '2026-03-03': '2 2 -1 -100.00',
    })
    expect(rates).toEqual([
      { currency: 'CNY', day: '2026-01-01', rate: '8' },
      { currency: 'CNY', day: '2026-03-03', rate: '4' },
    ])
  })

  it('rows are by each attribute and by two of them, and all have the same sum', async () => {
    const { totals } = await read('')
    const names: Record<string, unknown[]> = {
      channel: ['#4', '#5', '#6'],
      user: [ann.username, bob.username].toSorted(),
      group: ['default', 'team'],
      key: [`${ann.username} `, `${ann.username} key`, `${bob.username} key`].toSorted(),
      'model,channel': ['foreign #4', 'm #4', 'm #6', 'n #4', 'n #5', 'reported #4', 'unknown #4'],
      'day,model': [
        ...['2026-03-02 m', '2026-03-02 n', '2026-03-02 reported', '2026-03-02 unknown'],
        ...['2026-03-03 foreign', '2026-03-03 n'],
      ],
    }
    for (const [by, expected] of Object.entries(names)) {
      const report = await read(`by=${by}`)
      expect(report.totals, by).toEqual(totals)
      const attributes = (by === 'key' ? ['user', 'key'] : by.split(',')) as (keyof MarginRow)[]
      const found = report.rows.map(row => attributes.map(name => row[name]).join(' '))
      expect(found.toSorted(), by).toEqual(expected)
    }
  })

  it('a filter keeps the calls of its channel, model, user, group or key', async () => {
    const total = async (query: string) => short((await read(query)).totals)
    expect(await total('channel=5')).toBe('1 2 -1 -100.00')
    expect(await total('model=m')).toBe('1 0.35 0.65 65.00')
    expect(await total(`user=${bob.id}`)).toBe('1 0.125 0.875 87.50')
    expect(await total('group=team')).toBe('3 0 0 null')
    expect(await total('key=key&channel=4&model=m')).toBe('1 0.25 0.75 75.00')
    expect(await total('key=other')).toBe('0 0 0 null')
  })

  it('figures are the same once the job has stored them', async () => {
    const before = await read('by=model,channel')
    await sumUsage.run(hub.app)
    expect(await read('by=model,channel')).toEqual(before)
  })
}

const accessTests = () => {
  it('S9 only administrators read margins', async () => {
    const admin = await hub.person(10)
    for (const path of ['', 'export']) {
      const url = `/api/margin/${path}?from=2026-03-01&to=2026-03-04`
      expect((await ann.get(url)).status).toBe(403)
      expect((await hub.guest().get(url)).status).toBe(401)
      expect((await admin.get(url)).status).toBe(200)
    }
  })

  it('an unknown attribute, a third one, an unknown order or an impossible period is refused at its field', async () => {
    const days = 'from=2026-03-01&to=2026-03-04'
    const refusals: [string, string][] = [
      [`${days}&by=country`, 'by'],
      [`${days}&by=day,model,user`, 'by'],
      [`${days}&sort=name`, 'sort'],
      [`${days}&order=up`, 'order'],
      [`${days}&channel=x`, 'channel'],
      ['from=2026-03-04&to=2026-03-01', 'to'],
      ['from=2024-03-04&to=2026-03-01', 'to'],
      ['to=2026-03-01', 'from'],
    ]
    for (const [query, field] of refusals) {
      const { status, body } = await ask(query)
      expect([query, status]).toEqual([query, 400])
      expect(body.message).toContain(field)
    }
    const unknown = await ask(`${days}&colour=red`)
    expect(unknown.status).toBe(422)
    expect(unknown.body.message).toContain('colour')
  })

  it('the file has exactly the rows that are shown', async () => {
    const query = 'from=2026-03-01&to=2026-03-04&by=model&sort=revenue&order=desc'
    const { rows } = (await ask(query)).body.data as MarginReport
    const file = await hub.root.get(`/api/margin/export?${query}`)
    expect(file.headers['content-disposition']).toContain('margin_2026-03-01_2026-03-04.csv')
    const [header, ...lines] = file.text.replace('\u{feff}', '').trimEnd().split('\r\n')
    expect(header).toMatch(/^Model,Calls,Revenue \(USD\),Cost \(USD\),Margin \(USD\),Margin \(%\),/)
    expect(lines.map(line => line.split(',').slice(0, 6).join(','))).toEqual(
      rows.map(row =>
        [
          ...[row.model, row.calls, row.revenue, row.cost, row.margin],
          row.margin_percent ?? '',
        ].join(','),
      ),
    )
    expect(file.text).toContain(',2 EUR')
  })
}

onBothEngines('margin', open => {
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = at('2026-03-03T10:07:00Z') * 1000
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'UTC' })
    ann = await hub.person()
    bob = await hub.person()
    await write()
    await sumUsage.run(hub.app)
  })
  figureTests()
  accessTests()
})
