import { expect, it } from 'vitest'
import { anthropic, gemini, openaiChat, openaiResponses } from '../index.ts'
import { readReasoningRequest } from './reasoning-request.ts'

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
