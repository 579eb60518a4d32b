import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import { plan } from './plan.ts'

const openai = providerOf(1)!
const spoken = (speaks: 'openai-chat' | 'anthropic', model: string, lacks?: 'openai-responses') => {
  const { endpoint, mode } = plan(openai, { operation: 'chat', speaks, model, lacks })
  return [endpoint.dialect, mode]
}

it('a caller’s own dialect passes, any other is told in the mother tongue', () => {
  expect(spoken('openai-chat', 'gpt-5.5')).toEqual(['openai-chat', 'pass'])
  expect(spoken('anthropic', 'gpt-5.5')).toEqual(['openai-chat', 'translate'])
})

it.each(['o3-pro', 'o1-pro-2025-03-19', 'o4-mini-deep-research', 'gpt-5-pro', 'gpt-5.1-codex-max'])(
  '%s is asked where it answers: in Responses',
  model => {
    expect(spoken('openai-chat', model)).toEqual(['openai-responses', 'translate'])
    expect(spoken('anthropic', model)).toEqual(['openai-responses', 'translate'])
  },
)

it('a relay that knows only openai-chat is asked in it, whatever the model', () => {
  expect(spoken('openai-chat', 'gpt-5-pro', 'openai-responses')).toEqual(['openai-chat', 'pass'])
  expect(spoken('anthropic', 'gpt-5-pro', 'openai-responses')).toEqual(['openai-chat', 'translate'])
})
