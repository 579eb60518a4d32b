import type { ChannelCosts, CostList } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { CostsTab } from './costs-tab.tsx'

const list: CostList = {
  ...{ base: 'list', factor: '0.8', currency: 'CNY', reported: true },
  prices: [{ model: 'm', type: 'tokens', input: '8', output: '32', tools: { search: '0.1' } }],
}
const unknown = { input: null, output: null, cached: null }
const costs: ChannelCosts = {
  ...{ list, default_base: 'list', has_upstream: false, upstream_ratio: null },
  history: [
    { list, valid_from: 1_790_000_100, created_by: 1, created_by_name: 'root' },
    { list: null, valid_from: 1_790_000_000, created_by: 9, created_by_name: '' },
  ],
  models: [
    {
      ...{ model: 'm', upstream_model: 'm-1', source: 'own', type: 'tokens', currency: 'CNY' },
      cost: { input: '8', output: '32', cached: '2' },
      price: { input: '2', output: '4', cached: '0.2' },
      margin: { input: 42.9, output: -14.3, cached: null },
    },
    {
      ...{ model: 'draw', upstream_model: 'draw', source: 'list', type: 'times' },
      ...{ currency: 'EUR', cost: { input: '0.04', output: null, cached: null } },
      price: { input: '0.05', output: null, cached: null },
      margin: unknown,
    },
    {
      ...{ model: 'x', upstream_model: 'x', source: 'unknown', type: null, currency: null },
      ...{ cost: null, price: null, margin: unknown },
    },
  ],
}

const open = async (over: Partial<ChannelCosts> = {}) => {
  const requests = serve(() => data({ ...costs, ...over }))
  await show(<CostsTab channel={storedChannel()} />)
  await screen.findByRole('table')
  return () => requests.find(each => each.method === 'PUT')?.body
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const type = (name: string, value: string, at = 0) =>
  fireEvent.change(screen.getAllByLabelText(name)[at]!, { target: { value } })

it('each side of a price has its cost, its price and its margin, and says where it is below cost', async () => {
  await open()
  const rows = within(screen.getByRole('table')).getAllByRole('row')
  const texts = rows.map(row => [...row.querySelectorAll('td')].map(each => each.textContent))
  expect(texts.slice(1)).toEqual([
    ['Input', '¥8', '$2', '42.9%'],
    ['Output', '¥32', '$4', '-14.3%(below cost)'],
    ['Cached', '¥2', '$0.2', '–'],
    ['Call', '0.04 EUR', '$0.05', '–'],
    ['Input', '–', '–', '–'],
  ])
  expect(screen.getByText('Own price · At the provider: m-1')).toBeTruthy()
  expect(screen.getByText('Cost unknown')).toBeTruthy()
})

it('the history names the list, and who wrote or removed it', async () => {
  await open()
  const items = within(screen.getByRole('region', { name: 'Earlier lists' })).getAllByRole(
    'listitem',
  )
  expect(items[0]!.textContent).toContain('The vendor’s price list · × 0.8 · CNY · Own prices: 1')
  expect(items[0]!.textContent).toContain('root')
  expect(items[1]!.textContent).toMatch(/^List removed.*#9$/)
})

it('saving sends the whole list, with what the form does not show', async () => {
  const sent = await open()
  expect(button('Save').disabled).toBe(true)
  type('Factor', '0.75')
  type('Input', '9')
  fireEvent.click(button('Save'))
  await waitFor(() =>
    expect(sent()).toEqual({
      list: { ...list, factor: '0.75', prices: [{ ...list.prices[0], input: '9' }] },
    }),
  )
})

it('a list that the server would refuse cannot be saved', async () => {
  await open()
  type('Factor', '-1')
  expect(screen.getByRole('alert').textContent).toBe('Enter a number, such as 0.8.')
  expect(button('Save').disabled).toBe(true)
  type('Factor', '0.7')
  type('Currency', 'e')
  expect(button('Save').disabled).toBe(true)
  type('Currency', '')
  expect(button('Save').disabled).toBe(false)
  fireEvent.click(button('Add price'))
  expect(button('Save').disabled).toBe(true)
})

it('a channel without a list says what its calls cost by itself, and begins with that', async () => {
  const sent = await open({
    ...{ list: null, history: [], default_base: 'upstream' },
    has_upstream: true,
    upstream_ratio: '0.16',
  })
  expect(screen.getByText(/calls cost the upstream’s prices times/)).toBeTruthy()
  expect(screen.getByText(/the key’s group: 0.16\./)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove the list' })).toBeNull()
  type('Factor', '0.9')
  fireEvent.click(button('Save'))
  await waitFor(() =>
    expect(sent()).toEqual({
      list: { base: 'upstream', factor: '0.9', currency: null, reported: false, prices: [] },
    }),
  )
})
