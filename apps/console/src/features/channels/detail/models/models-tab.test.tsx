import type { ModelTest, Price } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, refusal, serve, show } from '../../../../test/setup.tsx'
import { storedChannel } from '../../../../test/stored-channel.ts'
import { withoutModels } from '../../form/stored-text.ts'
import { priceOf, rowsOf } from './model-rows.ts'
import { ModelsTab } from './models-tab.tsx'

const price = (model: string): Price => ({
  ...{ model, type: 'tokens', channel_type: 1, input: 1, output: 4, locked: false },
  ...{ extra_ratios: null, tiers: null, tool_prices: null },
})

const channel = storedChannel({
  models: 'fast,plain,new*',
  model_mapping: '{"fast":"gpt-4o","plain":"+gpt-4o"}',
})
const stored: ModelTest[] = [
  { model: 'plain', at: 1_790_000_000, ms: 0, error: 'No access', kind: 'call' },
]

const open = async (tests: ModelTest[] = stored) => {
  const requests = serve(({ method, path, body }) => {
    if (path === '/api/prices/') return data([price('gpt-4o'), price('gpt-*')])
    if (path.endsWith('/model_tests')) return data(tests)
    if (path.includes('/channel/test/')) {
      const { model } = body as { model: string }
      return model === 'fast'
        ? data({ time: 0.25, model, kind: 'call' })
        : refusal(422, 'channel.test_failed', 'The channel test failed.')
    }
    if (method === 'PUT') return data(channel)
    return data([])
  })
  await show(<ModelsTab channel={channel} />)
  await screen.findByRole('table')
  return requests
}
const row = (name: RegExp) => screen.getByRole('row', { name })

it('a model has the price of its billed name: exact before prefix, a longer prefix before a shorter one', () => {
  const prices = [price('gpt-*'), price('gpt-4*'), price('gpt-4o')]
  expect(priceOf(prices, 'gpt-4o')?.model).toBe('gpt-4o')
  expect(priceOf(prices, 'gpt-4.1')?.model).toBe('gpt-4*')
  expect(priceOf(prices, 'o3')).toBeUndefined()
  const rows = rowsOf(channel, prices, stored)
  expect(rows.map(each => [each.model, each.target, each.billedAs, each.price?.model])).toEqual([
    ['fast', 'gpt-4o', 'gpt-4o', 'gpt-4o'],
    ['plain', 'gpt-4o', 'plain', undefined],
    ['new*', '', 'new*', undefined],
  ])
})

it('a removed model leaves the mapping too, because the form would add it again', () => {
  expect(withoutModels(channel, ['fast'])).toEqual({
    models: 'plain,new*',
    model_mapping: '{"plain":"+gpt-4o"}',
  })
  expect(withoutModels(channel, ['new*'])).toEqual({
    models: 'fast,plain',
    model_mapping: channel.model_mapping,
  })
})

it('each model has its name at the provider, its price or a way to add it, and its last test', async () => {
  await open()
  expect(row(/^fast/).textContent).toContain('gpt-4o')
  expect(row(/^fast/).textContent).toContain('$2')
  expect(row(/^plain/).textContent).toContain('No access')
  const add = within(row(/^plain/)).getByRole('link', { name: /plain/ })
  expect(add.getAttribute('href')).toBe('/panel/pricing?dialog=create%3Aplain')
  // A pattern names no model to test.
  expect(within(row(/^new/)).queryByRole('button', { name: /Test/ })).toBeNull()
})

it('all models are tested with progress, and a test that was stopped has no result', async () => {
  const requests = await open([])
  fireEvent.click(screen.getByRole('button', { name: 'Test all' }))
  expect(await screen.findByText('All 2 tested, 1 failed')).toBeTruthy()
  expect(row(/^fast/).textContent).toContain('250 ms')
  expect(row(/^plain/).textContent).toContain('Failed')
  const tests = requests.filter(each => each.path === '/api/channel/test/7')
  expect(tests.map(each => each.body)).toEqual([{ model: 'fast' }, { model: 'plain' }])
})

it('a model is removed at once, and undoing restores list and mapping', async () => {
  const requests = await open()
  const changes = () => requests.filter(each => each.method === 'PUT').map(each => each.body)
  fireEvent.click(screen.getByRole('button', { name: 'Remove “fast” from the channel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes()).toEqual([
    { id: 7, models: 'plain,new*', model_mapping: '{"plain":"+gpt-4o"}' },
    { id: 7, models: channel.models, model_mapping: channel.model_mapping },
  ])
})
