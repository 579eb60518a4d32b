import type { Price } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import {
  bodyOf,
  open,
  press,
  toModels,
  toTestsFromModels,
  typeKey,
} from '../../../test/create-channel.tsx'

const modelsOf = (dialog: HTMLElement) =>
  within(dialog).getByRole('region', { name: /^(Models without a price|Prices that are stored)/ })
const sentPrices = (requests: Parameters<typeof bodyOf>[0]) =>
  (bodyOf(requests, 'POST /api/channel/') as { prices: Price[] }).prices.map(each => [
    each.model,
    each.input,
    each.output,
  ])

it('models without a price get the suggested ones with one click, stored together with the channel', async () => {
  const { requests, dialog } = await open({ unpriced: { 'gpt-4o': 2, 'gpt-4.1': 3 } })
  typeKey('sk-1')
  await toModels()
  expect(await screen.findByText('Models without a price: 2')).toBeTruthy()
  press('Use suggested prices (2)')
  expect(await screen.findByText('Prices that are stored with the channel: 2')).toBeTruthy()
  expect(within(modelsOf(dialog)).getAllByText('$4')).toHaveLength(2)
  await toTestsFromModels()
  expect(sentPrices(requests).toSorted()).toEqual([
    ['gpt-4.1', 3, 3],
    ['gpt-4o', 2, 2],
  ])
})

it('each model without a price is priced, made free, left out, or costs the same as another', async () => {
  const unpriced = { a: null, b: null, c: null, d: null }
  const { requests, dialog } = await open({ more: { models: ['a', 'b', 'c', 'd'] }, unpriced })
  typeKey('sk-1')
  await toModels()
  await screen.findByText('Models without a price: 4')
  const row = (model: string) =>
    within(modelsOf(dialog))
      .getAllByRole('listitem')
      .find(each => each.textContent?.startsWith(model))!
  const type = (label: string, value: string) =>
    fireEvent.change(within(row('a')).getByLabelText(label), { target: { value } })
  type('Input', '2')
  // One amount is no price yet, and nothing is free because of a 0.
  expect(screen.getByText('Models without a price: 4')).toBeTruthy()
  type('Output', '8')
  expect(await screen.findByText('Models without a price: 3')).toBeTruthy()
  fireEvent.click(within(row('b')).getByRole('button', { name: 'Free' }))
  expect(row('b').textContent).toContain('cost nothing')
  fireEvent.click(within(row('c')).getByRole('button', { name: 'Leave out' }))
  await waitFor(() => expect(row('c')).toBeUndefined())
  fireEvent.click(within(row('d')).getByRole('button', { name: 'Same price as another model' }))
  const search = within(row('d')).getByRole('combobox', { name: 'Model whose price is used' })
  fireEvent.change(search, { target: { value: 'gpt' } })
  fireEvent.click(await screen.findByRole('option', { name: 'gpt-4o' }))
  expect(await screen.findByText('Prices that are stored with the channel: 3')).toBeTruthy()
  await toTestsFromModels()
  expect(sentPrices(requests).toSorted()).toEqual([
    ['a', 1, 4],
    ['b', 0, 0],
    ['d', 1.25, 1.25],
  ])
  expect(bodyOf(requests, 'POST /api/channel/')).toMatchObject({ models: 'a,b,d', test_model: '' })
})

it('a model without a choice is stored only after the question what happens to it', async () => {
  const { requests } = await open({ unpriced: { 'gpt-4.1': null } })
  typeKey('sk-1')
  await toModels()
  press('Store and test')
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain('Calls to gpt-4.1 are refused')
  expect(bodyOf(requests, 'POST /api/channel/')).toBeUndefined()
  fireEvent.click(within(question).getByRole('button', { name: 'Store anyway' }))
  await screen.findByRole('button', { name: 'Enable' })
  expect(sentPrices(requests)).toEqual([])
})

it('an empty list of models is filled with the few that the provider lists', async () => {
  const { requests } = await open({ more: { models: [], test_model: '' }, listed: ['house-model'] })
  typeKey('sk-1')
  await toModels()
  expect(await screen.findByText('house-model')).toBeTruthy()
  await toTestsFromModels()
  expect(bodyOf(requests, 'POST /api/channel/')).toMatchObject({ models: 'house-model' })
})
