// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { LogsPage } from './page.tsx'

const rows = Array.from({ length: 10 }, (_, index) => ({
  ...{ id: index + 1, user_id: 2, created_at: 1_763_600_000, type: 2, content: '', quota: 1 },
  ...{ username: 'ada', token_name: 'app', model_name: `model-${index}`, prompt_tokens: 1 },
  ...{ completion_tokens: 1, channel_id: 0, channel: null, request_time: 40, is_stream: false },
  ...{ source_ip: '', metadata: {} },
}))
const many = { data: rows, page: 1, size: 10, total_count: 10_001, total_exact: false }

const open = async (
  address: string,
  page: object = { ...many, next: '17.5' },
  since: number | null = null,
) => {
  const requests = serve(({ path, query }: Request) => {
    if (path === '/api/user/session')
      return data({ id: 1, username: 'root', role: 100, group: 'default' })
    if (path.endsWith('/histogram'))
      return data({
        ...{ begin: 0, end: 0, step: 1, buckets: [], complete: true },
        since: query.has('start_timestamp') ? null : since,
      })
    if (path === '/api/log/models') return data(['deepseek-chat'])
    return data(path.endsWith('/stat') ? { quota: 0 } : page)
  })
  await queryClient.prefetchQuery(sessionQuery)
  const router = await show(<LogsPage />, address)
  return { requests, router, lists: () => requests.filter(each => each.path === '/api/log/') }
}

it('a total that was not counted says so, and offers no last page', async () => {
  await open('/')
  expect(await screen.findByText('1–10 of 10,000+')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Last page' })).toBeNull()
})

it('the next page begins after the cursor, the previous one is found by its number', async () => {
  const { router, lists } = await open('/?page=1500')
  await screen.findByText('model-0')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(router.state.location.search).toBe('?page=1501&after=17.5')
  await waitFor(() => expect(lists().at(-1)?.query.get('after')).toBe('17.5'))
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(router.state.location.search).toBe('?page=1500')
})

it('a page behind the end does not claim that there are no logs', async () => {
  const { router } = await open('/?page=99999', { ...many, data: [], next: null })
  expect(await screen.findByText('There is no such page')).toBeTruthy()
  expect(screen.queryByText('No logs')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'First page' }))
  expect(router.state.location.search).toBe('')
})

it('a sort by charge selects seven days, because the server needs a range', async () => {
  const { router, lists } = await open('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Charge' }))
  expect(router.state.location.search).toMatch(/^\?order=quota&start_timestamp=\d+$/)
  const sorted = lists().filter(each => each.query.get('order') === 'quota')
  expect(sorted.length).toBeGreaterThan(0)
  for (const { query } of sorted) expect(query.get('start_timestamp')).toMatch(/^\d+$/)
})

it('the model filter suggests names while it is typed', async () => {
  const { requests } = await open('/')
  await userEvent.type(await screen.findByRole('combobox', { name: 'Model' }), 'seek')
  await waitFor(() => expect(document.querySelector('option')?.value).toBe('deepseek-chat'))
  const suggested = requests.filter(each => each.path === '/api/log/models')
  expect(suggested.at(-1)?.query.get('keyword')).toBe('seek')
})

it('a beginning that the server chose is shown, and its removal searches all entries', async () => {
  const since = 1_763_000_000
  const { router, lists } = await open('/?token_name=app', { ...many, next: null }, since)
  const chip = await screen.findByText(/^Since 2025-11-1/)
  expect(screen.getByText(/only the last 7 days are searched/)).toBeTruthy()
  const file = screen
    .getByRole('link', { name: 'Export all rows of the filter as CSV' })
    .getAttribute('href')
  expect(file).toContain(`start_timestamp=${since}`)
  await userEvent.click(within(chip.parentElement!).getByTestId('CancelIcon'))
  expect(router.state.location.search).toBe('?token_name=app&start_timestamp=0')
  await waitFor(() => expect(lists().at(-1)?.query.get('start_timestamp')).toBe('0'))
  await waitFor(() => expect(screen.queryByText(/only the last 7 days are searched/)).toBeNull())
  expect(screen.getByText('From: Any')).toBeTruthy()
})

it('a page that no call asked a beginning for shows none', async () => {
  await open('/?token_name=app')
  await screen.findByText('model-0')
  expect(screen.queryByText(/only the last 7 days are searched/)).toBeNull()
})
