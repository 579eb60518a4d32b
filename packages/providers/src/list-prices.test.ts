import { expect, it } from 'vitest'
import { providers } from './index.ts'
import { hasListPrices } from './list-prices.ts'

it.each([
  ['OpenAI at its own address', 1, '', true],
  ['OpenAI at its own address with another path', 1, 'https://api.openai.com/v1', true],
  ['another seller of the models of OpenAI', 1, 'https://api.openai.com.example', false],
  ['an address that is none', 1, 'api.openai.com', false],
  ['a resource of Azure', 3, 'https://mine.openai.azure.com', true],
  ['a new resource of Azure', 55, 'https://mine.services.ai.azure.com/openai', true],
  ['a copy of Azure', 3, 'https://mine.azure.com.example', false],
  ['Azure without an address', 3, '', false],
  ['Bedrock in the region of the channel', 32, '', true],
  ['Vertex in the region of the channel', 42, '', true],
  ['a gateway', 67, 'https://gateway.example', false],
  ['a service of the operator', 8, 'https://api.openai.com', false],
])('%s sells at published prices: %s, %s, %s', (_, type, address, expected) => {
  expect(hasListPrices(providers.find(each => each.type === type)!, address)).toBe(expected)
})
