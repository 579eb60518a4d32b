// @vitest-environment happy-dom
import type { Group } from '@hub/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { api } from '../../api/client.ts'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { DataTable } from './data-table.tsx'
import type { Column } from './types.ts'

const groups = Array.from({ length: 12 }, (_, index) => ({
  id: index + 1,
  symbol: `g${index + 1}`,
  name: `Group ${index + 1}`,
  ratio: 1,
  api_rate: 60,
  public: true,
  enable: true,
}))
const page = ({ query }: Request) => {
  const size = Number(query.get('size'))
  const from = (Number(query.get('page')) - 1) * size
  return data({
    data: groups.slice(from, from + size),
    page: 1,
    size,
    total_count: groups.length,
    total_exact: true,
  })
}
const columns: Column<Group>[] = [
  { key: 'symbol' },
  { key: 'name' },
  { key: 'notes', labelKey: 'common.details' },
]
const table = (
  <DataTable
    resource="groups"
    list={api.groups.list}
    columns={columns}
    filters={[{ key: 'keyword', kind: 'text' }]}
    drawer={row => <p>Record of {row.name}</p>}
  />
)

it('the URL sets page, size, order and filter', async () => {
  const requests = serve(page)
  await show(table, '/?page=2&order=-name&keyword=gr&size=30')
  await waitFor(() => expect(requests.length).toBeGreaterThan(0))
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    page: '2',
    size: '30',
    order: '-name',
    keyword: 'gr',
  })
  expect(screen.getByText('Search: gr')).toBeTruthy()
})

it('invalid values in the URL fall back to the defaults', async () => {
  const requests = serve(page)
  await show(table, '/?page=-3&order=password&size=7')
  await screen.findByText('Group 1')
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({ page: '1', size: '10' })
})

it('paging, sorting and filtering are written to the URL', async () => {
  serve(page)
  const router = await show(table)
  await screen.findByText('Group 1')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(router.state.location.search).toBe('?page=2')
  await screen.findByText('Group 11')

  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(router.state.location.search).toBe('?order=name')
  await userEvent.type(screen.getByRole('searchbox'), 'vip{Enter}')
  expect(router.state.location.search).toBe('?order=name&keyword=vip')
})

it('only columns that the contract can sort have a sort button', async () => {
  serve(page)
  await show(table)
  await screen.findByText('Group 1')
  const headers = screen.getAllByRole('columnheader')
  expect(headers.map(each => within(each).queryByRole('button') !== null)).toEqual([
    true,
    true,
    false,
  ])
})

it('a row opens by keyboard in a drawer, and the URL contains its key', async () => {
  serve(page)
  const router = await show(table)
  const cell = await screen.findByText('Group 2')
  const row = cell.closest('tr')
  row?.focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Record of Group 2')).toBeTruthy()
  expect(router.state.location.search).toBe('?open=2')
})

it('after a failure the previous rows stay visible with a retry button', async () => {
  let fails = false
  serve(request => (fails ? refusal(500, 'server.failed') : page(request)))
  await show(table)
  await screen.findByText('Group 1')
  fails = true
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  const retry = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByText('Group 1')).toBeTruthy()
  fails = false
  await userEvent.click(retry)
  expect(await screen.findByText('Group 11')).toBeTruthy()
})

it('an empty result offers to clear the filters', async () => {
  serve(() => data({ data: [], page: 1, size: 10, total_count: 0, total_exact: true }))
  const router = await show(table, '/?keyword=zzz')
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
  expect(router.state.location.search).toBe('')
})

it('one row is a stop of the tab key, arrow keys move between rows, and Enter opens one', async () => {
  serve(page)
  const router = await show(table)
  await screen.findByText('Group 1')
  const rows = screen.getAllByRole('row').slice(1)
  const stops = () => rows.flatMap((row, index) => (row.tabIndex === 0 ? [index] : []))
  expect(stops()).toEqual([0])
  rows[0]?.focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  expect(document.activeElement).toBe(rows[1])
  expect(stops()).toEqual([1])
  await userEvent.keyboard('{End}{ArrowDown}')
  expect(document.activeElement).toBe(rows[9])
  await userEvent.keyboard('{Home}{ArrowUp}{Enter}')
  expect(router.state.location.search).toBe('?open=1')
  expect(await screen.findByText('Record of Group 1')).toBeTruthy()
})

it('a link opens a record that is on no loaded page', async () => {
  serve(request => (request.path.endsWith('/12') ? data(groups[11]) : page(request)))
  const element = (
    <DataTable
      {...table.props}
      get={api.groups.get}
      drawer={(row: Group) => <p>Record of {row.name}</p>}
    />
  )
  await show(element, '/?open=12')
  expect(await screen.findByText('Record of Group 12')).toBeTruthy()
})
