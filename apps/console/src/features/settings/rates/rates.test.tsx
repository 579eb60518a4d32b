import type { ExchangeRates } from '@hub/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { Rates } from './rates.tsx'

const rates: ExchangeRates = {
  current: [
    { currency: 'CNY', rate: '7.3', source: 'setting' },
    { currency: 'EUR', rate: '0.92', source: 'rate' },
  ],
  history: [
    ...[{ currency: 'EUR', rate: '0.92', valid_from: '2026-11-20' }].map(each => ({
      ...{ ...each, created_by: 1, created_by_name: 'root' },
    })),
  ],
}

const open = async () => {
  const requests = serve(() => data(rates))
  await show(<Rates />)
  await screen.findByText('1 USD = 7.3 CNY')
  return () => requests.find(each => each.method === 'PUT')?.body
}
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } })

it('a rate that nobody wrote says which setting it comes from', async () => {
  await open()
  const items = screen.getAllByRole('listitem').map(each => each.textContent)
  expect(items[0]).toBe('1 USD = 7.3 CNYFrom “Price of one dollar (CNY)”')
  expect(items[1]).toBe('1 USD = 0.92 EUR')
  expect(items[2]).toContain('0.92 EUR')
})

it('a rate holds from today unless a day is given', async () => {
  const sent = await open()
  type('Currency', 'jpy')
  type('Units per dollar', '155.5')
  fireEvent.click(screen.getByRole('button', { name: 'Set rate' }))
  await waitFor(() => expect(sent()).toEqual({ currency: 'JPY', rate: '155.5' }))
})

it('a day is sent where one is given', async () => {
  const sent = await open()
  type('Currency', 'CNY')
  type('Units per dollar', '7')
  type('From (empty: today)', '2026-11-01')
  fireEvent.click(screen.getByRole('button', { name: 'Set rate' }))
  await waitFor(() =>
    expect(sent()).toEqual({ currency: 'CNY', rate: '7', valid_from: '2026-11-01' }),
  )
})
