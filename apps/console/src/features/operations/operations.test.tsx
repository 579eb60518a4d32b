import type {
  LiveCall,
  OperationsAttention,
  OperationsOverview,
  OperationsSeries,
} from '@hub/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, refusal, serve, show } from '../../test/setup.tsx'
import { formatTime } from '../../ui'
import { allCalls, bucketLabels, changeOf, distinct, failedShare } from './figures.ts'
import { valueLink } from './links.ts'
import { merge, shownCalls } from './live-tail.tsx'
import { OperationsHome } from './page.tsx'

const none = {
  charged: 0,
  requests: 0,
  failed: 0,
  charged_failures: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
}
const empty: OperationsOverview = {
  current: { begin: 1_774_000_000, end: 1_774_036_000 },
  previous: { begin: 1_773_913_600, end: 1_773_949_600 },
  complete: true,
  logging: true,
  totals: none,
  previous_totals: none,
  active_users: 0,
  new_users: 0,
  credited: 0,
  latency: { calls: 0, first_byte: null, duration: null },
  points: [{ begin: 1_774_000_000, charged: 0, requests: 0, failed: 0 }],
  models: [],
  users: [],
  channels: [],
  groups: [],
}
const calm: OperationsAttention = {
  problems: [],
  new_rules: null,
  channels: [],
  channel_count: 0,
  disabled_by_hand: 0,
  errors_since: 1_773_950_000,
  errors: [],
}

const root = { id: 1, username: 'root', role: 100 }
let live: LiveCall[] = []
const earned = { revenue: '50', unknown_revenue: '10', margin: '8', margin_percent: '20.00' }
const quiet: OperationsSeries = { complete: true, buckets: [], total: 0, series: [] }

const open = async (
  overview: Partial<OperationsOverview> = {},
  attention: Partial<OperationsAttention> = {},
  series: Partial<OperationsSeries> = {},
) => {
  const requests = serve(({ path }) => {
    if (path === '/api/operations/series') return data({ ...quiet, ...series })
    if (path === '/api/operations/calls') return data({ calls: live })
    if (path === '/api/margin/') return data({ totals: earned })
    return path === '/api/operations/overview'
      ? data({ ...empty, ...overview })
      : data({ ...calm, ...attention })
  })
  queryClient.setQueryData(sessionQuery.queryKey, root as never)
  await show(<OperationsHome />)
  return requests
}

const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

it('the home says what the last week earned and leads to what it was earned on', async () => {
  await open()
  const line = await screen.findByRole('link', { name: /earned .*8.* on .*40.*20\.00%/ })
  expect(line.getAttribute('href')).toBe('/panel/margin')
})

it('figures compare with the time before and link to their rows', async () => {
  const totals = { ...none, charged: 1_500_000, requests: 90, failed: 15, charged_failures: 5 }
  await open({ totals, previous_totals: { ...none, charged: 1_000_000, requests: 120 } })
  const tile = (await screen.findByText('Charged')).closest('section')!
  expect(within(tile).getByText('+50% vs the time before')).toBeTruthy()
  expect(screen.getByText('-25% vs the time before')).toBeTruthy()
  expect(screen.getByText('15% of all calls')).toBeTruthy()
  expect(hrefOf('Charged')).toBe('/panel/log?log_type=2&start_timestamp=1774000000')
  expect(hrefOf('Failed calls')).toBe('/panel/log?log_type=5&start_timestamp=1774000000')
})

it('channels that need attention name their reasons and link to the channel', async () => {
  await open(
    {},
    {
      channels: [
        {
          id: 7,
          name: 'Main account',
          reasons: [
            { kind: 'disabled', detail: 'invalid key' },
            {
              ...{ kind: 'balance', balance: 0.5, currency: 'USD' },
              ...{ warning: 'days', until: 1_790_000_000, below: 0 },
            },
          ],
        },
        {
          id: 8,
          name: 'Spare',
          reasons: [
            { kind: 'cooldown', models: ['a', 'b'], seconds: 90 },
            { kind: 'test', detail: 'timeout', at: 1 },
          ],
        },
      ],
      channel_count: 5,
      disabled_by_hand: 2,
    },
  )
  expect(await screen.findByText('invalid key')).toBeTruthy()
  expect(
    screen.getByText(`$0.50, lasts until ${formatTime(1_790_000_000).slice(0, 16)}`),
  ).toBeTruthy()
  expect(screen.getByText('1 min 30 s left: a, b')).toBeTruthy()
  expect(screen.getByText('timeout')).toBeTruthy()
  expect(screen.getByText('3 more')).toBeTruthy()
  expect(hrefOf('Main account')).toBe('/panel/channel?name=Main+account&open=7')
  expect(hrefOf('Disabled by hand: 2')).toBe('/panel/channel?status=2')
})

it('new rules lead to the calls that they refused, and are told until they were read', async () => {
  const rules = [
    { rule: 'steering' as const, code: 'request.steering', refused: 3 },
    { rule: 'headers' as const, code: '', refused: 0 },
  ]
  const requests = await open({}, { new_rules: { since: 1_773_900_000, rules } })
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2 rules' }))
  expect(screen.getByText(/Headers of callers reach a provider/)).toBeTruthy()
  expect(hrefOf('Calls refused: 3')).toBe(
    '/panel/log?log_type=5&start_timestamp=1773900000&code=request.steering',
  )
  fireEvent.click(screen.getByRole('button', { name: 'I have read them' }))
  await waitFor(() =>
    expect(requests.some(({ path }) => path === '/api/operations/rules_read')).toBe(true),
  )
})

it('a job that fails and a late backup link to the system information with their last success', async () => {
  const none = { id: 0, name: '', keys: [], code: '', detail: '', since: 0, failures: 0 }
  const at = 1_773_900_000
  await open(
    {},
    {
      problems: [
        { ...none, kind: 'backup_late', since: at },
        { ...none, kind: 'job', name: 'make-invoices', since: at },
        { ...none, kind: 'job', name: 'sum-usage' },
      ],
    },
  )
  expect(await screen.findByText('Job “Make invoices” fails')).toBeTruthy()
  expect(hrefOf('Job “Sum up usage” fails')).toBe('/panel/system_info')
  expect(hrefOf(/^No backup since/)).toBe('/panel/system_info')
  expect(screen.getByText(/^Last success: /)).toBeTruthy()
  expect(screen.getByText('It has never succeeded.')).toBeTruthy()
})

it('fault codes link to the errors of the log page with their filters', async () => {
  await open({}, { errors: [{ code: 'upstream.timeout', count: 1_234 }] })
  expect(await screen.findByText('1,234')).toBeTruthy()
  expect(hrefOf('upstream.timeout')).toBe(
    '/panel/log?log_type=5&start_timestamp=1773950000&code=upstream.timeout',
  )
})

it('rows without a name say why, and others link to their charges', async () => {
  const row = { charged: 100, requests: 3, failed: 1 }
  await open({
    channels: [
      { id: 4, name: 'Main', ...row },
      { id: 0, name: '', ...row },
    ],
    users: [{ id: 9, name: '', ...row }],
  })
  expect(await screen.findByText('Without a channel')).toBeTruthy()
  expect(screen.getByText('No. 9')).toBeTruthy()
  expect(hrefOf('Main')).toBe('/panel/log?log_type=2&start_timestamp=1774000000&channel_id=4')
})

it('another time is asked for, and figures that are too low say so', async () => {
  const requests = await open({ complete: false, logging: false })
  expect(await screen.findByText(/still being counted/)).toBeTruthy()
  expect(screen.getByText(/writes no logs of calls/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '30 days' }))
  fireEvent.click(screen.getByRole('button', { name: 'Errors' }))
  await screen.findByText('How many calls failed?')
  fireEvent.click(screen.getByRole('button', { name: 'Channel' }))
  await waitFor(() => expect(requests.at(-1)?.query.get('by')).toBe('channel'))
  const periods = requests.map(({ query }) => query.get('period')).filter(Boolean)
  expect([...new Set(periods)]).toEqual(['day', 'month'])
  expect(requests.at(-1)?.query.toString()).toBe('period=month&figure=errors&by=channel')
})

it('each value of the chart leads to its rows, by the attribute and the time of its bucket', async () => {
  const buckets = [
    { begin: 1_774_000_000, end: 1_774_003_600 },
    { begin: 1_774_003_600, end: 1_774_005_000 },
  ]
  const series = [
    { id: 0, name: 'gpt-4o', total: 1_000_000, data: [1_000_000, 0] },
    { id: 0, name: '', total: 500_000, data: [0, 500_000] },
  ]
  await open({}, {}, { buckets, total: 1_500_000, series })
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table' }))
  await screen.findByRole('link', { name: '$2.00' })
  expect(hrefOf('$2.00')).toBe(
    '/panel/log?log_type=2&start_timestamp=1774000000&end_timestamp=1774003599&model_name=%22gpt-4o%22',
  )
  expect(hrefOf('$1.00')).toBe(
    '/panel/log?log_type=2&start_timestamp=1774003600&end_timestamp=1774004999',
  )
  const [bucket] = buckets
  const link = (by: 'channel' | 'user' | 'group', row: { id: number; name: string }) =>
    valueLink({ figure: 'errors', by }, row, bucket!)
  const rows = '/panel/log?log_type=5&start_timestamp=1774000000&end_timestamp=1774003599'
  expect(link('channel', { id: 4, name: 'Main' })).toBe(`${rows}&channel_id=4`)
  expect(link('user', { id: 9, name: 'ann' })).toBe(`${rows}&username=ann`)
  expect(link('user', { id: 9, name: '#9' })).toBeUndefined()
  expect(link('group', { id: 0, name: 'vip' })).toBe(`${rows}&group=vip`)
})

afterEach(() => {
  live = []
  vi.useRealTimers()
})

const liveCall = (id: number, more: Partial<LiveCall> = {}): LiveCall => ({
  ...{ id, created_at: 1_774_000_000 + id, username: 'ann', token_name: 'laptop' },
  ...{ model_name: 'gpt-4o', channel_id: 4, channel: 'Main', request_time: 1_240 },
  ...{ is_stream: true, quota: 500, code: '', finish: 'complete', count: 1 },
  ...more,
})

it('calls appear as they end, each leads to its page, and the list waits while it is paused', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  live = [liveCall(2, { code: 'upstream.timeout', finish: null, count: 3 }), liveCall(1)]
  const requests = await open()
  const polls = () => requests.filter(({ path }) => path === '/api/operations/calls')
  expect(await screen.findByText('upstream.timeout × 3')).toBeTruthy()
  expect(screen.getByText('Answered').closest('a')?.getAttribute('href')).toBe('/panel/log/1')
  live = [liveCall(3, { finish: 'cut' })]
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(await screen.findByText('Cut off')).toBeTruthy()
  expect(polls().at(-1)?.query.get('since')).toBe('1774000002')
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }))
  const before = polls().length
  live = [liveCall(4, { finish: 'lost' })]
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect([polls().length, screen.queryByText('Process lost')]).toEqual([before, null])
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }))
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(await screen.findByText('Process lost')).toBeTruthy()
})

it('a call is shown once, the newest first, and only the last ones stay', () => {
  const merged = merge([liveCall(9), liveCall(7)], [liveCall(8), liveCall(9)])
  expect(merged.map(({ id }) => id)).toEqual([9, 8, 7])
  const many = Array.from({ length: 40 }, (_, id) => liveCall(id + 1))
  expect(merge([], many)).toHaveLength(shownCalls)
  expect(merge([], many)[0]?.id).toBe(40)
})

it('labels are times of the day for short buckets, and days for long ones', () => {
  const bucket = (begin: number, length: number) => ({ begin, end: begin + length })
  const times = bucketLabels([bucket(1_774_000_000, 120), bucket(1_774_000_120, 5)])
  expect(times.every(each => /^\d\d:\d\d$/.test(each))).toBe(true)
  const days = bucketLabels([bucket(1_774_000_000, 86_400), bucket(1_774_086_400, 60)])
  expect(days.some(each => each.includes(':'))).toBe(false)
  expect(bucketLabels([])).toEqual([])
})

it('a failed request offers another try', async () => {
  let isDown = true
  serve(({ path }) => {
    if (path === '/api/operations/series') return data(quiet)
    if (path === '/api/operations/calls') return data({ calls: [] })
    if (path === '/api/margin/') return data({ totals: earned })
    if (path !== '/api/operations/overview') return data(calm)
    return isDown ? refusal(403, 'access.denied') : data(empty)
  })
  await show(<OperationsHome />)
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isDown = false
  fireEvent.click(retry)
  expect(await screen.findByText('Everything works')).toBeTruthy()
})

it('a change has no percentage without a time before, and failed calls without a charge are calls', () => {
  expect([changeOf(5, 0), changeOf(0, 5), changeOf(6, 5)]).toEqual([undefined, -100, 20])
  const totals = { ...none, requests: 8, failed: 4, charged_failures: 2 }
  expect([allCalls(totals), failedShare(totals), failedShare(none)]).toEqual([10, 40, 0])
  expect(distinct(['00:00', '01:00', '01:00'])).toEqual(['00:00', '01:00', '01:00 (2)'])
})
