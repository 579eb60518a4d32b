import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import { chooseEndpoint } from './endpoint.ts'

const openai = providerOf(1)!
const choose = (
  dialect: 'openai-chat' | 'anthropic',
  model: string,
  unsupportedDialect?: 'openai-responses',
) => {
  const { endpoint, mode } = chooseEndpoint(openai, {
    operation: 'chat',
    dialect,
    model,
    unsupportedDialect,
  })
  return [endpoint.dialect, mode]
}

it('a caller’s own dialect passes, any other is translated to the default endpoint', () => {
  expect(choose('openai-chat', 'gpt-5.5')).toEqual(['openai-chat', 'pass'])
  expect(choose('anthropic', 'gpt-5.5')).toEqual(['openai-chat', 'translate'])
})

it.each(['o3-pro', 'o1-pro-2025-03-19', 'o4-mini-deep-research', 'gpt-5-pro', 'gpt-5.1-codex-max'])(
  '%s is served by its Responses endpoint',
  model => {
    expect(choose('openai-chat', model)).toEqual(['openai-responses', 'translate'])
    expect(choose('anthropic', model)).toEqual(['openai-responses', 'translate'])
  },
)

it('an upstream without Responses serves every model through openai-chat', () => {
  expect(choose('openai-chat', 'gpt-5-pro', 'openai-responses')).toEqual(['openai-chat', 'pass'])
  expect(choose('anthropic', 'gpt-5-pro', 'openai-responses')).toEqual(['openai-chat', 'translate'])
})
