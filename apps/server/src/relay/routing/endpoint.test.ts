import type { DialectId } from '@hub/dialects'
import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import { chooseEndpoint, type EndpointNeeds } from './endpoint.ts'

const plain: EndpointNeeds = { hasTools: false, n: 1 }
const withTools: EndpointNeeds = { hasTools: true, n: 1 }

type Options = { request?: EndpointNeeds; unsupportedDialect?: DialectId; type?: number }

const choose = (
  dialect: DialectId,
  model: string,
  { request = plain, unsupportedDialect, type = 1 }: Options = {},
) => {
  const { endpoint, mode } = chooseEndpoint(providerOf(type)!, {
    operation: 'chat',
    dialect,
    model,
    request,
    unsupported: unsupportedDialect && new Set([unsupportedDialect]),
  })
  return [endpoint.dialect, mode]
}

it('a caller’s own dialect passes, any other is translated to the default endpoint', () => {
  expect(choose('openai-chat', 'gpt-5.3')).toEqual(['openai-chat', 'pass'])
  expect(choose('anthropic', 'gpt-5.3')).toEqual(['openai-chat', 'translate'])
})

it.each(['o3-pro', 'o1-pro-2025-03-19', 'o4-mini-deep-research', 'gpt-5-pro', 'gpt-5.1-codex-max'])(
  '%s is served by its Responses endpoint',
  model => {
    expect(choose('openai-chat', model)).toEqual(['openai-responses', 'translate'])
    expect(choose('anthropic', model)).toEqual(['openai-responses', 'translate'])
  },
)

it('an upstream without Responses serves every model through openai-chat', () => {
  const unsupportedDialect = 'openai-responses'
  for (const model of ['gpt-5-pro', 'gpt-5.6-sol']) {
    const options = { request: withTools, unsupportedDialect } as const
    expect(choose('openai-chat', model, options)).toEqual(['openai-chat', 'pass'])
    expect(choose('anthropic', model, options)).toEqual(['openai-chat', 'translate'])
  }
  expect(choose('anthropic', 'gpt-5.6-sol', { type: 8, request: withTools })).toEqual([
    'openai-chat',
    'translate',
  ])
})

const newModels = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-5.10', 'gpt-6.1-sol']

it.each(newModels)('%s is served by Responses for tools, reasoning and other dialects', model => {
  // OpenAI, Azure, Azure V1
  for (const type of [1, 3, 55]) {
    const chosen = (dialect: DialectId, request: EndpointNeeds) =>
      choose(dialect, model, { type, request }).join(' ')
    expect(chosen('anthropic', plain)).toBe('openai-responses translate')
    expect(chosen('gemini', withTools)).toBe('openai-responses translate')
    expect(chosen('openai-responses', plain)).toBe('openai-responses pass')
    expect(chosen('openai-chat', plain)).toBe('openai-chat pass')
    expect(chosen('openai-chat', withTools)).toBe('openai-responses translate')
    expect(chosen('openai-chat', { ...plain, reasoning: 'on' })).toBe('openai-responses translate')
    expect(chosen('openai-chat', { ...withTools, reasoning: 'off' })).toBe('openai-chat pass')
    // Responses returns one choice only.
    expect(chosen('gemini', { ...plain, n: 2 })).toBe('openai-chat translate')
  }
})

it.each(['gpt-5', 'gpt-5.3-chat-latest', 'gpt-4o', 'gpt-4.1', 'gpt-35-turbo', 'deepseek-chat'])(
  '%s with tools passes in chat completions',
  model => {
    expect(choose('openai-chat', model, { request: withTools })).toEqual(['openai-chat', 'pass'])
    expect(choose('gemini', model, { request: withTools })).toEqual(['openai-chat', 'translate'])
  },
)
