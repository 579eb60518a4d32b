// @vitest-environment happy-dom
import type { InvoiceDocument } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { InvoicePage } from './detail.tsx'
import { InvoicesPage } from './page.tsx'
import { sumByModel } from './sums.ts'

const figures = (quota: number) => ({
  ...{ request_count: 2, quota, prompt_tokens: 1000, completion_tokens: 50, request_time: 1500 },
})
const invoice = {
  ...{ id: 5, user_id: 7, username: 'ada', name: '202610-7', status: 'unpaid' },
  ...{ amount: 3.5, date: '2026-10-01', created_time: 1_793_462_460, paid_time: 0 },
  ...figures(1_750_000),
}
const document: InvoiceDocument = {
  ...{ version: 1, number: '202610-7', date: '2026-10-01', time_zone: 'UTC' },
  system_name: 'One Hub',
  user: { id: 7, username: 'ada', display_name: 'Ada', email: 'ada@example.com' },
  ...{ quota_per_unit: 500_000, amount: 3.5, total: figures(1_750_000) },
  lines: [
    { date: '2026-10-01', model_name: 'cheap', ...figures(250_000) },
    { date: '2026-10-02', model_name: 'dear', ...figures(1_000_000) },
    { date: '2026-10-03', model_name: 'cheap', ...figures(500_000) },
  ],
}
const opened = { invoice, document, sha256: 'ab'.repeat(32), created_time: 1_793_462_460 }

const answer = ({ path, method }: Request) => {
  if (method === 'POST') return data(null)
  if (path === '/api/user/session') return data(queryClient.getQueryData(sessionQuery.queryKey))
  if (path.endsWith('/document') || path === '/api/invoice/5') return data(opened)
  return data({ data: [invoice], page: 1, size: 10, total_count: 1, total_exact: true })
}
const signInAs = (role: number) =>
  queryClient.setQueryData(sessionQuery.queryKey, { id: 7, username: 'ada', role } as never)

it('a user sees months with a link to each bill, and no other users', async () => {
  signInAs(1)
  const requests = serve(answer)
  await show(<InvoicesPage />)
  expect(await screen.findByText('2026-10')).toBeTruthy()
  expect(screen.getByText('$3.500000')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View' }).getAttribute('href')).toBe(
    '/panel/invoice/detail/2026-10-01',
  )
  expect(screen.queryByText('All users')).toBeNull()
  expect(requests.find(each => each.path === '/api/user/invoice')?.query.get('order')).toBe('-date')
})

it('an administrator sees the invoices of all users and marks one as paid', async () => {
  signInAs(10)
  const requests = serve(answer)
  await show(<InvoicesPage />)
  await userEvent.click(await screen.findByText('All users'))
  expect((await screen.findByRole('link', { name: 'View' })).getAttribute('href')).toContain('id=5')
  expect(screen.queryByText('Make invoices')).toBeNull()
  await show(<InvoicePage />, '/?id=5')
  await userEvent.click(await screen.findByRole('button', { name: 'Mark as paid' }))
  const dialog = await screen.findByRole('alertdialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as paid' }))
  expect(requests.filter(each => each.method === 'POST').map(each => each.path)).toEqual([
    '/api/invoice/5/paid',
  ])
})

it('a bill shows the sums by model and day and links to its files', async () => {
  signInAs(1)
  serve(answer)
  await show(<InvoicePage />)
  expect((await screen.findAllByText('$3.500000')).length).toBe(3)
  // The figures of a line follow its name, for phones.
  const byModel = screen.getByRole('region', { name: 'By model' })
  expect(
    within(byModel)
      .getAllByRole('row')
      .map(row => row.firstChild?.textContent),
  ).toEqual([/^Model$/, /^dear/, /^cheap/, /^Total/].map(each => expect.stringMatching(each)))
  expect(screen.getByText('ab'.repeat(32))).toBeTruthy()
  expect(screen.getByRole('link', { name: 'PDF' }).getAttribute('href')).toContain('format=pdf')
  expect(screen.queryByRole('button', { name: 'Mark as paid' })).toBeNull()
})

it('the sums of models are those of their days', () => {
  expect(sumByModel(document.lines).map(each => [each.model_name, each.quota])).toEqual([
    ['dear', 1_000_000],
    ['cheap', 750_000],
  ])
})
