// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { LogsPage } from './page.tsx'

const row = {
  ...{ id: 7, user_id: 2, created_at: 1_763_600_000, type: 2, content: '', quota: 1 },
  ...{ username: 'ada', token_name: 'app', model_name: 'gpt-4o', prompt_tokens: 1 },
  ...{ completion_tokens: 1, channel_id: 0, channel: null, request_time: 40, is_stream: false },
  ...{ source_ip: '', metadata: {} },
}
const histogram = {
  ...{ begin: 1_763_596_800, end: 1_763_600_400, step: 1_200, complete: true },
  buckets: [
    { begin: 1_763_596_800, count: 5, errors: 2 },
    { begin: 1_763_599_200, count: 1_234, errors: 0 },
  ],
}

const sums = {
  ...{ calls: 12, prompt_tokens: 90_000, read_tokens: 60_000, written_tokens: 500 },
  ...{ hit_rate: 2 / 3, complete: true },
  misses: { expecting: 11, calls: 3, tokens: 7_000, points: 500_000 },
}
const callCache = {
  ...{ prompt_tokens: 4_000, read_tokens: 1_000, written_tokens: 20, hit_rate: 0.25 },
  miss: { expected: 3_500, tokens: 2_500, points: 1_000_000 },
}

const open = async (address: string, role = 100, log: object = row) => {
  const requests = serve(({ path }: Request) => {
    if (path === '/api/user/session') return data({ id: 1, username: 'r', role, group: 'default' })
    if (path.endsWith('/histogram')) return data(histogram)
    if (/\/(route|receipt)$/.test(path)) return refusal(404, 'resource.missing')
    if (path.endsWith('/models')) return data([])
    if (path.endsWith('/stat')) return data({ quota: 0 })
    if (path.endsWith('/session_cache')) return data(sums)
    if (path.endsWith('/cache')) return data(callCache)
    return data({ data: [log], page: 1, size: 10, total_count: 1, total_exact: true })
  })
  queryClient.clear()
  await queryClient.prefetchQuery(sessionQuery)
  const router = await show(<LogsPage />, address)
  return { requests, router }
}

it('the counts by time are of the filter of the list, and a table has them too', async () => {
  const { requests } = await open('/?model_name=gpt&log_type=0&page=2')
  const card = await screen.findByRole('region', { name: 'When were these entries made?' })
  await userEvent.click(await within(card).findByRole('button', { name: 'Show as table' }))
  const rows = await within(card).findAllByRole('row')
  const cells = rows.map(each => each.textContent)
  expect(cells).toEqual(['00:0000:2000:40', 'Without errors301,234', 'Errors200'])
  const counted = requests.find(each => each.path === '/api/log/histogram')
  expect(String(counted?.query)).toBe('model_name=gpt')
})

it('the export has the filter of the list, and a user’s is their own', async () => {
  await open('/?model_name=g%26t&log_type=5&code=a.b&page=2&order=-quota&start_timestamp=5')
  const link = () => screen.findByRole('link', { name: 'Export all rows of the filter as CSV' })
  expect((await link()).getAttribute('href')).toBe(
    '/api/log/export?model_name=g%26t&code=a.b&start_timestamp=5&log_type=5',
  )
})

it('a user exports their own rows, and deletes none', async () => {
  await open('/', 1)
  const link = await screen.findByRole('link', { name: 'Export all rows of the filter as CSV' })
  expect(link.getAttribute('href')).toBe('/api/log/self/export')
  expect(screen.queryByRole('button', { name: 'Actions for Logs' })).toBeNull()
})

it('the drawer leads to the page of the row, which keeps the filter', async () => {
  await open('/?model_name=gpt')
  await userEvent.click(await screen.findByText('gpt-4o'))
  const drawer = within(await screen.findByRole('dialog'))
  expect(
    drawer.getByRole('link', { name: 'Open the page of this entry' }).getAttribute('href'),
  ).toBe('/panel/log/7?model_name=gpt')
})

it('a filter is saved under a name without its period, applied and removed', async () => {
  const { router } = await open('/?model_name=gpt&start_timestamp=5&page=2')
  const menu = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Saved filters' }))
  await menu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save this filter' }))
  await userEvent.type(await screen.findByLabelText('Name'), 'Mine{Enter}')
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull())
  await router.navigate('/?log_type=5')
  await menu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mine' }))
  await waitFor(() => expect(router.state.location.search).toBe('?model_name=gpt'))
  await menu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove “Mine”' }))
  expect(localStorage.getItem('table_saved_filters')).toBe('{"logs 1":[]}')
})

it('the deletion of logs is behind a menu', async () => {
  await open('/')
  expect(screen.queryByText('Delete logs')).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Logs' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete logs' }))
  expect(await screen.findByRole('dialog', { name: 'Delete call logs' })).toBeTruthy()
})

it('a call of another gateway’s history says where it comes from, and has no receipt', async () => {
  const metadata = { imported: 'One Hub', kind: 'consume', group_name: 'vip' }
  const { requests } = await open('/', 100, { ...row, type: 6, metadata })
  expect(await screen.findByText('Imported')).toBeTruthy()
  await userEvent.click(screen.getByText('gpt-4o'))
  const drawer = within(await screen.findByRole('dialog'))
  expect(drawer.getByText('Imported from')).toBeTruthy()
  expect(drawer.getByText('One Hub')).toBeTruthy()
  expect(drawer.getByText('vip')).toBeTruthy()
  expect(requests.some(each => /\/(route|receipt)$/.test(each.path))).toBe(false)
})

const cached = {
  ...row,
  prompt_tokens: 4_000,
  metadata: { cached_read_tokens: 1_000, cached_write_tokens: 20, cache_prices: [2, 0.2] },
}

it('a call has the share of its prompt that was cached, and what its miss cost', async () => {
  await open('/', 1, cached)
  await userEvent.click(await screen.findByText('25%'))
  const drawer = within(await screen.findByRole('dialog'))
  expect(drawer.getByText('25% read: 1,000 tokens, 20 written')).toBeTruthy()
  expect((await drawer.findByText(/expected tokens missed/)).textContent).toBe(
    '$2.00 · 2,500 of 3,500 expected tokens missed',
  )
})

it('a call whose row says nothing of a cache has no share, and asks for no miss', async () => {
  const { requests } = await open('/', 1, { ...row, prompt_tokens: 4_000 })
  await userEvent.click(await screen.findByText('gpt-4o'))
  await screen.findByRole('dialog')
  expect(screen.queryByText('0%')).toBeNull()
  expect(screen.queryByText('Provider’s prompt cache')).toBeNull()
  expect(requests.some(({ path }) => path.endsWith('/cache'))).toBe(false)
})

it('a call that read nothing of a cache says so', async () => {
  await open('/', 1, { ...cached, metadata: { cache_prices: [2, 0.2] } })
  expect(await screen.findByText('0%')).toBeTruthy()
})

it.each([
  [100, '/?session=s&username=ada', '/api/log/session_cache', 'session=s&username=ada'],
  [100, '/?session=s', '/api/log/session_cache', 'session=s'],
  [1, '/?session=s', '/api/log/self/session_cache', 'session=s'],
])('the calls of a session have its sums for role %i at %s', async (role, at, path, query) => {
  const { requests } = await open(at, role)
  const card = within(await screen.findByRole('region', { name: 'Prompt cache of this session' }))
  for (const text of ['66.7%', '12', '500'])
    expect([text, card.getAllByText(text).length]).toEqual([text, 1])
  expect(card.getByText('60,000 of 90,000 prompt tokens read from the cache')).toBeTruthy()
  expect(
    card.getByText('3 of 11 calls that should have found a prompt missed 7,000 tokens'),
  ).toBeTruthy()
  const sent = requests.filter(each => each.path.endsWith('session_cache'))
  expect(sent.map(each => [each.path, String(each.query)])).toEqual([[path, query]])
})

it('a list without a session asks for no sums', async () => {
  const { requests } = await open('/')
  await screen.findByText('gpt-4o')
  expect(requests.some(({ path }) => path.endsWith('session_cache'))).toBe(false)
})
