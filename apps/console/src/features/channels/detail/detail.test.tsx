import type { ChannelFigures, ChannelRouting, ChannelUpstream, CheckEvent } from '@hub/contract'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { data, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { CheckTab } from './check-tab.tsx'
import { Events } from './events.tsx'
import { Overview } from './overview.tsx'

const none = { p50: null, p95: null }
const totals: ChannelFigures['totals'] = {
  ...{
    requests: 90,
    failed: 10,
    empty: 0,
    charged: 500_000,
    prompt_tokens: 1_000,
    completion_tokens: 50,
  },
  ...{ cached_tokens: 250, saved: 1_000_000, tokens_per_second: 42.4 },
  first_byte: { p50: 320, p95: 900 },
  duration: { p50: 2_000, p95: 7_000 },
}
const figures: ChannelFigures = {
  ...{ begin: 1_790_000_000, end: 1_790_003_600, logging: true, failures_complete: true },
  totals,
  points: [
    { ...totals, begin: 1_790_000_000 },
    { ...totals, begin: 1_790_001_800, first_byte: none, duration: none, tokens_per_second: null },
  ],
  failures: [
    { code: 'upstream.timeout', count: 7 },
    { code: 'upstream.busy', count: 3 },
  ],
}

const failed = {
  ...{ id: 11, created_at: 1_790_000_000, content: 'upstream.timeout', model_name: 'gpt-4o' },
  ...{ type: 5, channel_id: 7, metadata: {} },
}
const routing: ChannelRouting = {
  ...{ enabled: true, routes: [] },
  cooldowns: [{ channel_id: 7, models: ['gpt-4o'], seconds: 20 }],
}
const off = { mode: 'off' as const, checked_at: 0, read_at: 0, failure: '', ignored: [] }
let upstream: ChannelUpstream = { models: { ...off, added: [], removed: [] }, ratio: null }
const response = (path: string) => {
  if (path.endsWith('/figures')) return data(figures)
  if (path.endsWith('/routing')) return data(routing)
  if (path.endsWith('/upstream')) return data(upstream)
  if (path === '/api/log/') return data({ data: [failed], total_count: 1 })
  return data([])
}

it('the overview has the health of each hour, the running cooldown and the last errors', async () => {
  serve(({ path }) => response(path))
  const channel = storedChannel({ status: 3, status_reason: 'failure: no credit' })
  await show(
    <>
      <Overview channel={channel} />
      <Events channel={channel} />
    </>,
  )
  expect(await screen.findByText('failure: no credit')).toBeTruthy()
  const hours = await screen.findByRole('table', { name: 'Last 24 hours' })
  await waitFor(() => expect(within(hours).getAllByRole('cell')).toHaveLength(2))
  expect(within(hours).getAllByRole('cell')[0]!.textContent).toBe(
    '90% succeeded, answered: 90, failed: 10',
  )
  expect(await screen.findByText('90% succeeded')).toBeTruthy()
  const errors = await screen.findByRole('region', { name: 'Last errors' })
  await waitFor(() => expect(within(errors).getAllByRole('link')).toHaveLength(2))
  const links = within(errors).getAllByRole('link')
  expect(links.map(each => each.getAttribute('href'))).toEqual([
    '/panel/log?log_type=5&channel_id=7',
    '/panel/log/11',
  ])
})

it('a cooldown of an enabled channel names its models and the time that is left', async () => {
  serve(({ path }) => response(path))
  await show(<Overview channel={storedChannel()} />)
  expect((await screen.findByText(/ left$/)).textContent).toBe('20.00 s left')
})

it('the overview has the figures, the failures by class and the changes of state', async () => {
  const requests = serve(({ path }) => response(path))
  await show(
    <>
      <Overview channel={storedChannel()} />
      <Events channel={storedChannel()} />
    </>,
  )
  const tile = async (title: string) =>
    (await screen.findByRole('heading', { name: title, level: 2 })).closest('section')?.textContent
  expect(await tile('Requests')).toContain('90')
  expect(screen.getByRole('link', { name: 'Requests' }).getAttribute('href')).toBe(
    '/panel/log?log_type=2&channel_id=7&start_timestamp=1790000000',
  )
  expect(document.body.textContent).toContain('10% of all attempts')
  expect(document.body.textContent).toContain('25%')
  expect(document.body.textContent).toContain('250 of 1,000 prompt tokens')
  const failures = screen.getByRole('list', { name: 'Failures by class' })
  expect(
    within(failures)
      .getAllByRole('listitem')
      .map(each => each.textContent),
  ).toEqual([
    expect.stringContaining('7upstream.timeout'),
    expect.stringContaining('3upstream.busy'),
  ])
  expect(await screen.findByText('No changes in the last 90 days')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Last hour' }))
  await waitFor(() => expect(requests.some(each => each.query.get('period') === 'hour')).toBe(true))
})

it('new models of the provider stand above the figures where the channel watches them', async () => {
  serve(({ path }) => response(path))
  await show(<Overview channel={storedChannel()} />)
  await screen.findByRole('heading', { name: 'Requests' })
  expect(screen.queryByText('Model list of the provider')).toBeNull()
  cleanup()
  queryClient.clear()
  const before = upstream
  const added = [{ model: 'new', is_priced: true }]
  upstream = { models: { ...off, mode: 'propose', added, removed: [] }, ratio: null }
  await show(<Overview channel={storedChannel()} />)
  expect(await screen.findByText('Model list of the provider')).toBeTruthy()
  upstream = before
})

it('each chart has its figures as a table too, with a dash where there is no value', async () => {
  serve(({ path }) => response(path))
  await show(<Overview channel={storedChannel()} />)
  await screen.findByRole('heading', { name: 'Time to first token' })
  const card = screen.getByRole('region', { name: 'Time to first token' })
  fireEvent.click(within(card).getByRole('button', { name: 'Show as table' }))
  const row = await within(card).findByRole('row', { name: /Median/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map(each => each.textContent),
  ).toEqual(['320 ms', '–'])
})

const eventStream = (events: CheckEvent[]) =>
  events.map(each => `event: message\ndata: ${JSON.stringify(each)}\n\n`).join('')

it('a check shows each result as it comes, with the reason of a failure and the cost before', async () => {
  serve(() => data({ at: 0, results: [] }))
  const plain = globalThis.fetch
  const result = { model: 'gpt-4o', detail: '', milliseconds: 5 }
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.endsWith('/sse/channel/check')) return plain(address, init)
    sent.push(JSON.parse(String(init.body)))
    const text = eventStream([
      { type: 'result', data: { ...result, feature: 'chat', passed: true, reason: null } },
      { type: 'heartbeat', data: 'ping' },
      {
        type: 'result',
        data: { ...result, feature: 'tools', passed: false, reason: 'no_tool_call' },
      },
      { type: 'done', data: 'completed' },
    ])
    return new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
  })
  await show(<CheckTab channel={storedChannel({ models: 'gpt-4o,o*' })} />)
  expect(await screen.findByText('Not checked yet')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('each of the 6 requests')
  fireEvent.click(screen.getByRole('button', { name: 'Start check' }))
  expect(await screen.findByText(/The model did not call the tool\./)).toBeTruthy()
  const row = screen.getByRole('row', { name: /gpt-4o/ })
  expect(within(row).getByTitle('Passed')).toBeTruthy()
  expect(within(row).getByTitle('Failed')).toBeTruthy()
  expect(sent).toMatchObject([{ id: 7, models: 'gpt-4o' }])
})

it('a channel without a key cannot be checked', async () => {
  serve(() => data({ at: 0, results: [] }))
  await show(<CheckTab channel={storedChannel({ key_count: 0 })} />)
  expect(
    (await screen.findByRole<HTMLButtonElement>('button', { name: 'Start check' })).disabled,
  ).toBe(true)
})
