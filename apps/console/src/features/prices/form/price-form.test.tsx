import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { normalizePrice } from './fields.tsx'
import { PriceForm } from './price-form.tsx'

const price = {
  ...{ type: 'tokens', channel_type: 1, input: 1, output: 4 },
  ...{ locked: false, extra_ratios: null, tiers: null, tool_prices: null },
}
const none = { has_price: false, price: null, origin: null, source: '', date: '', note: '' }

const open = async (model: string, suggestion: object = {}) => {
  const requests = serve(({ path }) =>
    data(path === '/api/prices/suggest' ? [{ model, ...none, ...suggestion }] : null),
  )
  const view = { unit: 'usd', scale: 'm' } as const
  await show(<PriceForm model={model} view={view} onClose={() => {}} />)
  await screen.findByRole('dialog')
  return () => requests.find(each => each.path === '/api/prices/single')?.body
}
const amount = (name: 'Input' | 'Output') => screen.getByLabelText<HTMLInputElement>(name)
const type = (name: 'Input' | 'Output', value: string) =>
  fireEvent.change(amount(name), { target: { value } })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Create price' }))
const refusal = 'Enter a price above 0, or switch on “Free”'

it('a new price begins empty, and stores nothing without an amount', async () => {
  const sent = await open('new-model')
  expect([amount('Input').value, amount('Output').value]).toEqual(['', ''])
  submit()
  expect(await screen.findAllByText(refusal)).toHaveLength(2)
  expect(sent()).toBeUndefined()
})

it('0 and 0 need the switch “Free”', async () => {
  const sent = await open('new-model')
  type('Input', '0')
  type('Output', '0')
  submit()
  expect(await screen.findByText(refusal)).toBeTruthy()
  expect(sent()).toBeUndefined()
  fireEvent.click(screen.getByLabelText('Free'))
  await waitFor(() => expect(screen.queryByLabelText('Input')).toBeNull())
  submit()
  await waitFor(() => expect(sent()).toMatchObject({ model: 'new-model', input: 0, output: 0 }))
  expect(sent()).not.toHaveProperty('free')
})

it('a new price of a model that the shipped list names begins with that price and its source', async () => {
  const found = { origin: 'shipped', source: 'https://vendor.example/prices', date: '2026-11-20' }
  const sent = await open('known-model', { price: { ...price, model: 'known-model' }, ...found })
  expect([amount('Input').value, amount('Output').value]).toEqual(['2', '8'])
  expect(screen.getByRole('link', { name: 'vendor.example' })).toBeTruthy()
  submit()
  await waitFor(() => expect(sent()).toMatchObject({ model: 'known-model', input: 1, output: 4 }))
})

it('a price has a ratio for a tier, also where it is one per call', async () => {
  const found = { origin: 'shipped', source: 'https://vendor.example/prices', date: '2026-11-20' }
  const extra_ratios = { tier_flex: 0.5, cached_read_tokens: 0.1 }
  const known = { ...price, model: 'known-model', extra_ratios }
  const sent = await open('known-model', { price: known, ...found })
  fireEvent.click(screen.getByRole('button', { name: 'Extra ratios' }))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Flex tier' }), {
    target: { value: '0.4' },
  })
  submit()
  await waitFor(() =>
    expect(sent()).toMatchObject({ extra_ratios: { tier_flex: 0.4, cached_read_tokens: 0.1 } }),
  )
})

it('a price per call keeps the ratios of tiers only', () => {
  const extra_ratios = { tier_flex: 0.5, region_us: 1.1, cached_read_tokens: 0.1 }
  const sides = { input: 2, output: 4, extra_ratios, tiers: null }
  expect(normalizePrice({ type: 'times', ...sides })).toEqual({
    ...{ type: 'times', input: 2, output: 2, tiers: null },
    extra_ratios: { tier_flex: 0.5, region_us: 1.1 },
  })
  expect(normalizePrice({ type: 'tokens', ...sides }).extra_ratios).toEqual(extra_ratios)
})
