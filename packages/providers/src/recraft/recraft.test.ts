import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {
  'fault-400-credits.json': 'upstream.funds',
  'fault-402.json': 'upstream.funds',
})

const addressFor = (model: string) => {
  const [endpoint] = provider.serves['image-tools']!
  const channel = { model, stream: false, options: {}, other: '', baseUrl: '' }
  return addressOf(provider, endpoint!, channel)
}

it('each public address leads to the vendor’s address behind its prefix', () => {
  const tools = provider.routes.filter(each => each.operation === 'image-tools')
  expect(tools).toHaveLength(8)
  for (const { path, model } of tools)
    expect(addressFor(model)).toBe(`${provider.baseUrl}${path.replace('/recraftAI', '')}`)
})

it('a model that is no tool has no address', () => {
  expect(addressFor('recraftv3')).toBeUndefined()
})
