import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { storeSums } from '../../core/usage/store-sums.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'

let hub: TestApp
let user: TestUser
let other: TestUser
let now: number
const hour = 3_600
const day = 24 * hour
const hours = 10 * 24

type Row = { at: number; owner: TestUser; model: string; channel: number; points: number }
const rows: Row[] = []

const write = async (added: readonly Row[]) => {
  await hub.app.db
    .insertInto('logs')
    .values(
      added.map(({ at, owner, model, channel, points }) => ({
        ...{ id: hub.app.ledger.nextId(), user_id: owner.id, created_at: at, type: 2, content: '' },
        ...{ username: 'as it was', token_name: 't', model_name: model, quota: points },
        ...{ prompt_tokens: 1, completion_tokens: 1, channel_id: channel, request_time: 1 },
        ...{ is_stream: 0, source_ip: '', metadata: '{"group_name":"vip"}' },
      })),
    )
    .execute()
}

const stat = async (query: string, who: Pick<TestUser, 'get'> = hub.root, path = 'stat') =>
  (await who.get(`/api/log/${path}?${query}`)).body.data.quota as number

const sumOf = (matches: (row: Row) => boolean) =>
  rows.filter(matches).reduce((sum, { points }) => sum + points, 0)

/** Each filter with the rows that it selects. */
const filters = (): [string, (row: Row) => boolean][] => [
  ['', () => true],
  ['log_type=2', () => true],
  [`username=${user.username}`, row => row.owner === user],
  ['channel=2', row => row.channel === 2],
  ['model_name=first', row => row.model === 'first'],
  ['model_name=ir', row => ['first', 'third'].includes(row.model)],
  ['model_name=%22second%22', row => row.model === 'second'],
  ['model_name=nothing', () => false],
  [`username=${other.username}&model_name=third`, r => r.owner === other && r.model === 'third'],
  ['username=nobody', () => false],
]

const totalTests = () => {
  it('the total of each filter is the sum of its rows, whole days and parts of days', async () => {
    const ranges: [number, number][] = [
      [0, 0],
      [now - 5 * day - 100, 0],
      [0, now - 3 * day + 77],
      [now - 6 * day + 1, now - 2 * day - 1],
      [now - 2 * hour, now],
    ]
    for (const [start, end] of ranges)
      for (const [query, matches] of filters()) {
        const range = `start_timestamp=${start}&end_timestamp=${end}`
        const isIn = ({ at }: Row) => at >= start && (end === 0 || at <= end)
        const expected = sumOf(row => isIn(row) && matches(row))
        expect([range, query, await stat(`${query}&${range}`)]).toEqual([range, query, expected])
      }
    expect(await stat(`group=vip&start_timestamp=${now - 8 * day}`)).toBe(
      sumOf(row => row.at >= now - 8 * day),
    )
    expect(await stat('', user, 'self/stat')).toBe(sumOf(row => row.owner === user))
  })

  it('a page finds the rows of a user from before a change of the name', async () => {
    const list = async (name: string) =>
      (await hub.root.get(`/api/log/?username=${name}`)).body.data.total_count
    expect(await list(other.username)).toBe(rows.filter(row => row.owner === other).length)
    expect(await list(encodeURIComponent('as it was'))).toBe(rows.length)
    expect(await list('nobody')).toBe(0)
  })

  it('the rows of a stored day are not read again, and a change of the time zone reads them all', async () => {
    const late = { at: now - 4 * day, owner: user, model: 'late', channel: 1, points: 1_000_000 }
    await write([late])
    expect(await stat('')).toBe(sumOf(() => true))
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'Asia/Kathmandu' })
    expect(await stat('')).toBe(sumOf(() => true) + late.points)
    await storeSums(hub.app)
    rows.push(late)
    expect(await stat('')).toBe(sumOf(() => true))
  })

  it('deleted rows do not count, though their days are stored', async () => {
    const before = now - 5 * day + 123
    await hub.root.delete(`/api/log/?target_timestamp=${before}`)
    const expected = sumOf(({ at }) => at >= before)
    expect(await stat('')).toBe(expected)
    expect(await stat(`username=${user.username}`)).toBe(
      sumOf(({ at, owner }) => at >= before && owner === user),
    )
  })
}

onBothEngines('the total of the logs', open => {
  beforeAll(async () => {
    hub = await open()
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'America/New_York' })
    user = await hub.person()
    other = await hub.person()
    now = Math.floor(hub.clock.now / 1000)
    rows.length = 0
    for (let n = 0; n < hours; n += 1)
      rows.push({
        at: now - (hours - n) * hour + (n % 60),
        owner: n % 3 === 0 ? user : other,
        model: ['first', 'second', 'third'][(n % 7) % 3]!,
        channel: 1 + (n % 2),
        points: 1_000 + n,
      })
    const calendar = makeCalendar('America/New_York')
    for (const at of [0, 1, 3].map(days => calendar.day(now - days * day).begin))
      for (const second of [at - 1, at])
        rows.push({ at: second, owner: user, model: 'first', channel: 1, points: 17 })
    await write(rows)
    await storeSums(hub.app)
  })
  totalTests()
})
