import { expect, it } from 'vitest'
import type { Reasoning } from '../../canon.ts'
import { openaiChat } from '../index.ts'

const dialectId = 'openai-chat'
const read = (body: object) => {
  const result = openaiChat.decodeRequest({ model: 'm', messages: [], ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (reasoning: Reasoning, model = 'm') => {
  const { body, warnings } = openaiChat.encodeRequest({ model, messages: [], reasoning })
  const { model: _, messages: __, ...rest } = body
  return { body: rest, dropped: warnings.map(each => each.dropped) }
}

// `reasoning`: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens; `enable_thinking` and
// `thinking_budget`: https://help.aliyun.com/zh/model-studio/deep-thinking; `thinking`: Anthropic's.
it.each([
  [{ reasoning: { effort: 'high' } }, { effort: 'high' }],
  [{ reasoning: { max_tokens: 2_000 } }, { budget: 2_000 }],
  [{ reasoning: { summary: 'auto' } }, { summary: 'auto' }],
  [{ reasoning: { exclude: true, summary: 'auto' } }, { summary: 'none' }],
  [{ reasoning: { exclude: false } }, {}],
  [{ reasoning: { enabled: true } }, { mode: 'enabled' }],
  [{ reasoning: { enabled: false } }, { mode: 'disabled' }],
  [{ reasoning: { effort: 1, max_tokens: '2', summary: 3, enabled: 'x' } }, {}],
  [
    { enable_thinking: true, thinking_budget: 100 },
    { mode: 'enabled', budget: 100 },
  ],
  [{ enable_thinking: false }, { mode: 'disabled' }],
  [{ thinking: { type: 'enabled', budget_tokens: 5 } }, { mode: 'enabled', budget: 5 }],
  [{ thinking: { type: 'adaptive' } }, { mode: 'adaptive' }],
  [{ thinking: { type: 'disabled' }, enable_thinking: true }, { mode: 'disabled' }],
  [{ thinking: { type: 'x' }, enable_thinking: true }, { mode: 'enabled' }],
  [
    { thinking: { type: 'enabled' }, reasoning_effort: 'low' },
    { mode: 'enabled', effort: 'low' },
  ],
])('%j means %j, and goes to another vendor of this dialect as it is', (body, reasoning) => {
  const { reasoning_effort: _, ...fields } = body as Record<string, unknown>
  expect(read(body).reasoning).toEqual({
    ...reasoning,
    unknownFields: { dialect: dialectId, fields },
  })
  expect(write(read(body).reasoning!)).toEqual({ body, dropped: [] })
})

it.each([
  [{ reasoning_effort: 'low' }, { effort: 'low' }],
  [{ reasoning_effort: 'low', reasoning: null, thinking: null }, { effort: 'low' }],
  [{ reasoning_effort: 5 }, undefined],
  [{}, undefined],
])('%j means %j', (body, reasoning) => {
  expect(read(body).reasoning).toEqual(reasoning)
  expect(read(body)).not.toHaveProperty('unknownFields')
})

it('the vendor’s own field counts before those beside it', () => {
  const { reasoning } = read({ reasoning_effort: 'low', reasoning: { effort: 'high' } })
  expect(reasoning?.effort).toBe('low')
})

it.each<[Reasoning, string, string | undefined, string[]]>([
  [{ effort: 'high' }, 'm', 'high', []],
  [{ effort: 'high', mode: 'disabled' }, 'm', 'high', []],
  [{ effort: 'high', budget: 5_000 }, 'm', 'high', ['reasoning.budget']],
  [{ mode: 'disabled' }, 'm', undefined, ['reasoning.mode']],
  [{ mode: 'disabled', budget: 0 }, 'm', undefined, ['reasoning.mode']],
  [{ budget: 0 }, 'm', undefined, []],
  [{ budget: -1 }, 'm', undefined, []],
  [{ budget: 1 }, 'm', 'low', ['reasoning.budget']],
  [{ budget: 4_096 }, 'm', 'low', ['reasoning.budget']],
  [{ budget: 4_097 }, 'm', 'medium', ['reasoning.budget']],
  [{ budget: 16_384 }, 'm', 'medium', ['reasoning.budget']],
  [{ budget: 16_385 }, 'm', 'high', ['reasoning.budget']],
  [{ mode: 'enabled' }, 'm', undefined, []],
  [{ summary: 'auto' }, 'm', undefined, ['reasoning.summary']],
  [{ summary: 'none' }, 'm', undefined, []],
  [{ unknownFields: { dialect: 'gemini', fields: { a: 1 } } }, 'm', undefined, ['a']],
])('%j is asked of %s as %s, and %j is noted', (reasoning, model, effort, dropped) => {
  const body = effort === undefined ? {} : { reasoning_effort: effort }
  expect(write(reasoning, model)).toEqual({ body, dropped })
})
