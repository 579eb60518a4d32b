// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, serve, show } from '../../test/setup.tsx'
import { SimulatorPage } from './page.tsx'

const price = {
  ...{ model: 'small', type: 'tokens', channel_type: 0, input: 1, output: 4, locked: false },
  ...{ extra_ratios: null, tiers: null, tool_prices: null },
}
const group = { id: 1, symbol: 'vip', name: 'VIP', ratio: 1, enable: true }

beforeEach(() =>
  queryClient.setQueryData(sessionQuery.queryKey, { id: 3, username: 'ada', role: 10 } as never),
)

const open = async (prices: object[] = [price]) => {
  const requests = serve(({ method, path }) => {
    if (path.startsWith('/api/prices')) return data(prices)
    if (method === 'POST')
      return data({ models: [], skipped: 0, from: 0, until: 1, reached: 1, next: null })
    return data({ data: [group], page: 1, size: 100, total_count: 1, total_exact: true })
  })
  await show(<SimulatorPage />)
  await waitFor(() => expect(requests.length).toBeGreaterThan(1))
  return requests
}
const choose = async (field: string, option: RegExp) => {
  await userEvent.click(screen.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const reload = (prices?: object[]) => {
  cleanup()
  queryClient.removeQueries({ predicate: each => each.queryKey !== sessionQuery.queryKey })
  return open(prices)
}

it('typed prices and ratios survive a reload, and the rest of a price is read again', async () => {
  await open()
  await choose('Change the price of…', /small/)
  type(/^Input/, '3')
  await choose('Change the ratio of…', /VIP/)
  type(/^Ratio/, '0.85')
  const requests = await reload([{ ...price, extra_ratios: { cached_tokens: 0.5 } }])
  expect(await screen.findByDisplayValue('3')).toBeTruthy()
  expect(screen.getByDisplayValue('0.85')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Simulate' }))
  await waitFor(() =>
    expect(requests.find(each => each.method === 'POST')?.body).toMatchObject({
      prices: [{ model: 'small', input: 1.5, output: 4, extra_ratios: { cached_tokens: 0.5 } }],
      groups: [{ symbol: 'vip', ratio: 0.85 }],
    }),
  )
})

it('removed changes leave no draft, and a deleted price is not simulated', async () => {
  await open()
  await choose('Change the price of…', /small/)
  expect(sessionStorage.length).toBe(1)
  await reload([])
  expect(screen.queryByLabelText(/^Input/)).toBeNull()
  await reload()
  await screen.findByLabelText(/^Input/)
  await userEvent.click(screen.getByRole('button', { name: 'Discard the change for small' }))
  expect(sessionStorage.length).toBe(0)
})
