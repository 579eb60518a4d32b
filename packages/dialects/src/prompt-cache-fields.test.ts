import { describe, expect, it } from 'vitest'
import { type Dialect, dialectOf } from './index.ts'

const chat = dialectOf('openai-chat')
const responses = dialectOf('openai-responses')

const translated = (from: Dialect, to: Dialect, body: object) => {
  const decoded = from.decodeRequest({ model: 'gpt-6', ...body })
  if (!decoded.ok) throw new TypeError(decoded.hint)
  const { body: sent, warnings } = to.encodeRequest(decoded.request, {})
  return { sent, dropped: warnings.map(each => each.dropped) }
}

const messages = [{ role: 'user', content: 'Hi' }]
// https://platform.openai.com/docs/guides/prompt-caching
const fields = {
  ...{ prompt_cache_key: 'k', prompt_cache_retention: '24h' },
  prompt_cache_options: { mode: 'explicit', ttl: '12h' },
}

describe('OpenAI’s fields of the prompt cache', () => {
  it('go from chat to Responses', () => {
    const { sent, dropped } = translated(chat, responses, { messages, ...fields })
    expect(sent).toMatchObject(fields)
    expect(dropped).toEqual([])
  })

  it('go from Responses to chat', () => {
    const { sent, dropped } = translated(responses, chat, { input: 'Hi', ...fields })
    expect(sent).toMatchObject(fields)
    expect(dropped).toEqual([])
  })

  it.each(['anthropic', 'gemini'] as const)('are told as dropped towards %s', id => {
    const { dropped } = translated(chat, dialectOf(id), { messages, ...fields })
    expect(dropped.join()).toMatch(/cache(Options|_options)/)
  })
})

it('all fields of reasoning go from chat to Responses', () => {
  const reasoning = { effort: 'high', summary: 'auto', context: 'all_turns' }
  expect(translated(chat, responses, { messages, reasoning }).sent.reasoning).toEqual(reasoning)
})
