import { expect, it } from 'vitest'
import { anthropic, gemini, openaiChat, openaiResponses } from '../index.ts'
import { readReasoningEffort, readReasoningRequest } from './reasoning-request.ts'

const intentOf = (dialect: Pick<typeof openaiChat, 'read'>, fields: object) => {
  const body = Buffer.from(JSON.stringify({ model: 'm', ...fields }))
  const result = dialect.read(body, { model: 'm', stream: true })
  return result.ok ? readReasoningRequest(result.parsed) : result.hint
}

it.each([
  [openaiChat, {}, 'unset'],
  [openaiChat, { reasoning_effort: 'high' }, 'on'],
  [openaiChat, { reasoning_effort: 'none' }, 'off'],
  [openaiChat, { reasoning_effort: null }, 'unset'],
  [openaiChat, { enable_thinking: false }, 'off'],
  [openaiChat, { thinking: { type: 'enabled' } }, 'on'],
  [openaiResponses, { reasoning: { effort: 'low', summary: 'auto' } }, 'on'],
  [openaiResponses, { reasoning: { effort: 'none' } }, 'off'],
  [anthropic, { thinking: { type: 'enabled', budget_tokens: 2048 } }, 'on'],
  [anthropic, { thinking: { type: 'disabled' } }, 'off'],
  [anthropic, { output_config: { effort: 'high' } }, 'on'],
  [anthropic, { output_config: { format: { type: 'json_schema' } } }, 'unset'],
  [gemini, { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }, 'on'],
  [gemini, { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, 'off'],
  [gemini, { generationConfig: { temperature: 1 } }, 'unset'],
] as const)('%o with %j asks for reasoning: %s', (dialect, fields, intent) => {
  expect(intentOf(dialect, fields)).toBe(intent)
})

const effortOf = (dialect: Pick<typeof openaiChat, 'read'>, fields: object) => {
  const body = Buffer.from(JSON.stringify({ model: 'm', ...fields }))
  const result = dialect.read(body, { model: 'm', stream: true })
  if (!result.ok) return result.hint
  const { level, budgetMax } = readReasoningEffort(result.parsed)
  return [level, budgetMax]
}

it.each([
  [openaiChat, {}, ['unset', undefined]],
  [openaiChat, { reasoning_effort: 'none' }, ['off', undefined]],
  [openaiChat, { reasoning_effort: 'high' }, ['high', undefined]],
  [openaiChat, { reasoning_effort: 'a word of the caller' }, ['on', undefined]],
  [openaiChat, { reasoning: { max_tokens: 3_000 } }, ['budget-4096', 3_000]],
  [openaiChat, { enable_thinking: true, thinking_budget: 900 }, ['budget-1024', 900]],
  [openaiResponses, { reasoning: { summary: 'auto', effort: 'low' } }, ['low', undefined]],
  [anthropic, { thinking: { type: 'enabled', budget_tokens: 100_000 } }, ['budget-more', 100_000]],
  [
    anthropic,
    {
      thinking: { type: 'enabled', budget_tokens: 2_048 },
      output_config: { effort: 'max' },
    },
    ['max', 2_048],
  ],
  [gemini, { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }, ['on', undefined]],
  [gemini, { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } }, ['low', undefined]],
] as const)('%o with %j has the effort and budget %j', (dialect, fields, expected) => {
  expect(effortOf(dialect, fields)).toEqual(expected)
})
