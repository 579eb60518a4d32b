import type { Channel, Price, PriceSuggestion, Provider } from '@hub/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, vi } from 'vitest'
import { queryClient } from '../api/session.ts'
import { sessionQuery } from '../api/site.ts'
import { CreateChannel } from '../features/channels/create/create-channel.tsx'
import { data, refusal, serve, show } from './setup.tsx'
import { storedChannel } from './stored-channel.ts'

export const provider: Provider = {
  type: 1,
  id: 'openai',
  name: 'OpenAI',
  base_url: 'https://api.openai.com',
  address_presets: [{ name: 'Mirror', base_url: 'https://mirror.example' }],
  links: { keys: 'https://platform.openai.com/api-keys' },
  key_hint: 'API key',
  operations: ['chat'],
  dialects: ['openai-chat'],
  models: ['gpt-4o', 'gpt-4.1'],
  test_model: 'gpt-4o',
  can_list_models: true,
  can_tell_balance: false,
  free_field: '',
  options: {},
}
const other: Provider = { ...provider, type: 14, id: 'anthropic', name: 'Anthropic', models: ['c'] }

export const created = (more: Partial<Channel> = {}) =>
  storedChannel({ name: 'OpenAI', status: 2, models: 'gpt-4o,gpt-4.1', ...more })

const price = (model: string, input: number): Price => ({
  ...{ model, type: 'tokens', channel_type: 1, input, output: input, locked: false },
  ...{ extra_ratios: null, tiers: null, tool_prices: null },
})

type SuggestInput = { models: string[]; unpriced_only: boolean }
const suggest = (
  { models, unpriced_only }: SuggestInput,
  unpriced: Record<string, number | null>,
) => {
  const suggested = models.map((model): PriceSuggestion => {
    const amount = unpriced[model]
    const found = amount === undefined || amount === null ? null : price(model, amount)
    const from = { source: 'https://vendor.example/prices', date: '2026-11-27', note: '' }
    const origin = found && ('shipped' as const)
    return { ...from, model, price: found, origin, has_price: amount === undefined }
  })
  return unpriced_only ? suggested.filter(each => !each.has_price) : suggested
}

type NewChannelServer = {
  made?: Channel[]
  /** The models whose test fails, with the words of the provider. */
  failing?: Record<string, string>
  more?: Partial<Provider>
  /** The creation is refused at this field. */
  refused?: string
  /** Models without a price, with the input amount that is suggested for them. */
  unpriced?: Record<string, number | null>
  /** The models that the provider lists. */
  listed?: string[]
}

const startServer = ({
  made = [created()],
  failing = {},
  more = {},
  refused,
  ...rest
}: NewChannelServer) => {
  const { unpriced = {}, listed = [] } = rest
  const tests: object[] = []
  return serve(({ method, path, body }) => {
    if (path === '/api/providers/') return data([{ ...provider, ...more }, other])
    if (path === '/api/prices/suggest') return data(suggest(body as SuggestInput, unpriced))
    if (path === '/api/prices/') return data([price('gpt-4o', 1.25)])
    if (path === '/api/channel/provider_models_list') return data(listed)
    if (path === '/api/channel/models') return { body: { object: 'list', data: [] } }
    if (path.startsWith('/api/channel/test/')) {
      const { model } = body as { model: string }
      const error = failing[model] ?? ''
      tests.push({ model, at: 1_790_000_000, ms: error ? 0 : 400, error, kind: 'call' })
      return error
        ? refusal(422, 'channel.test_failed', 'The channel test failed.')
        : data({ time: 0.4, model, kind: 'call' })
    }
    if (path.endsWith('/model_tests')) return data(tests)
    if (method === 'POST' && path === '/api/channel/' && refused)
      return refusal(400, 'request.invalid', `\`${refused}\`: is wrong`)
    if (method === 'POST' && path === '/api/channel/') return data(made)
    if (method === 'PUT' && path === '/api/channel/') return data(made[0])
    if (path === '/api/channel/batch/status') return data(made.length)
    if (path === '/api/channel/batch') return data(made.length)
    const one = made.find(each => path === `/api/channel/${each.id}`)
    if (one) return data(one)
    return data(['default'])
  })
}

beforeEach(() => {
  sessionStorage.clear()
  queryClient.setQueryData(sessionQuery.queryKey, { id: 3, username: 'ada', role: 10 } as never)
})

export const open = async (options: NewChannelServer = {}) => {
  const onClose = vi.fn()
  const requests = startServer(options)
  await show(<CreateChannel onClose={onClose} />)
  const dialog = await screen.findByRole('dialog', { name: 'Create channel' })
  fireEvent.click(await within(dialog).findByRole('radio', { name: 'OpenAI' }))
  await within(dialog).findByLabelText(/^Key/)
  return { onClose, requests, dialog }
}
export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
export const typeKey = (key: string) =>
  fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: key } })
export const toModels = async () => {
  press('Next')
  await screen.findByRole('button', { name: 'Store and test' })
}
export const toTests = async () => {
  await toModels()
  press('Store and test')
  await screen.findByRole('button', { name: 'Enable' })
}
export const toTestsFromModels = async () => {
  press('Store and test')
  await screen.findByRole('button', { name: 'Enable' })
}
export const bodyOf = (requests: { method: string; path: string; body: unknown }[], line: string) =>
  requests.find(({ method, path }) => `${method} ${path}` === line)?.body
