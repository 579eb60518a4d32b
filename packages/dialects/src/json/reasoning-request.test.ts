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

const spellings = (dialect: Pick<typeof openaiChat, 'read'>, fields: string) => {
  const result = dialect.read(Buffer.from(`{"model":"m",${fields}}`), { model: 'm', stream: true })
  return result.ok ? readReasoningRequest(result.parsed) : result.hint
}

const schema = '"responseJsonSchema":{"properties":{"thinkingConfig":{"thinkingBudget":0}}}'

it.each([
  [openaiResponses, '"reasoning":{"effort":"none","effort":"high"}', 'on'],
  [openaiResponses, '"reasoning":{"effort":"high","effort":"none"}', 'on'],
  [openaiResponses, '"reasoning":{"effort":"none","\\u0065ffort":"high"}', 'on'],
  [openaiResponses, '"reasoning":{"effort":"none","Effort":"high"}', 'on'],
  [openaiResponses, '"reasoning":{"effort":"high","x":{"effort":"none"}}', 'on'],
  [openaiResponses, '"reasoning":{"summary":"\\"effort\\":\\"none\\"","effort":"high"}', 'on'],
  [openaiResponses, `"reasoning":{"x":"${' '.repeat(300)}","effort":"none"}`, 'off'],
  [openaiChat, '"reasoning_effort":"n\\u006fne"', 'off'],
  [openaiChat, '"reasoning_effort":"none","reasoning":{"effort":"high"}', 'on'],
  [openaiChat, '"reasoning":{"effort":"none","enabled":true}', 'on'],
  [openaiChat, '"reasoning":{"enabled":false}', 'off'],
  [openaiChat, '"reasoning":{"enabled":false,"max_tokens":9000}', 'on'],
  [openaiChat, '"reasoning":{"max_tokens":0}', 'off'],
  [openaiChat, '"reasoning_effort":"none","thinking":{"type":"enabled"}', 'on'],
  [openaiChat, '"thinking":{"type":"disabled"},"reasoning_effort":"low"', 'on'],
  [openaiChat, '"enable_thinking":false,"reasoning_effort":"high"', 'on'],
  [openaiChat, '"enable_thinking":true,"thinking_budget":0', 'on'],
  [openaiChat, '"thinking_budget":0', 'off'],
  [openaiChat, '"reasoning_effort":"none","Reasoning_Effort":"high"', 'on'],
  [openaiChat, '"Reasoning_Effort":"none"', 'unset'],
  [openaiChat, '"reasoning_effort":"none","chat_template_kwargs":{"enable_thinking":true}', 'on'],
  [openaiChat, '"chat_template_kwargs":{"enable_thinking":false}', 'unset'],
  [
    openaiChat,
    '"reasoning_effort":"none","extra_body":{"google":{"thinking_config":{"thinking_budget":900}}}',
    'on',
  ],
  [anthropic, '"thinking":{"type":"enabled","budget_tokens":30000,"x":{"type":"disabled"}}', 'on'],
  [anthropic, '"thinking":{"type":"disabled","type":"enabled"}', 'on'],
  [anthropic, '"thinking":{"type":"adaptive","budget_tokens":0}', 'on'],
  [anthropic, '"thinking":{"type":"disabled"},"output_config":{"effort":"high"}', 'on'],
  [anthropic, '"thinking":{"type":"disabled"},"output_config":{"effort":null}', 'off'],
  [gemini, `"generationConfig":{${schema},"thinkingConfig":{"thinkingBudget":-1}}`, 'on'],
  [gemini, `"generationConfig":{${schema}}`, 'unset'],
  [gemini, '"generationConfig":{"thinking_config":{"thinkingBudget":900}}', 'on'],
  [gemini, '"generationConfig":{"thinking_config":{"thinking_budget":0}}', 'off'],
  [gemini, '"generation_config":{"thinkingConfig":{"thinking_level":"high"}}', 'on'],
  [gemini, '"generation_config":{"thinkingConfig":{"thinkingBudget":0}}', 'off'],
  [
    gemini,
    '"generationConfig":{"thinkingConfig":{"thinkingBudget":0},"thinking_config":{"thinking_budget":9}}',
    'on',
  ],
  [
    gemini,
    '"generationConfig":{"thinkingConfig":{"thinkingBudget":0},"thinkingConfig":{"thinkingBudget":9}}',
    "'thinkingConfig' stands twice.",
  ],
  [gemini, '"generationConfig":{"thinkingConfig":{"thinkingBudget":0,"thinking_budget":9}}', 'on'],
  [
    gemini,
    '"generationConfig":{"thinkingConfig":{"thinkingBudget":0,"thinkingLevel":"HIGH"}}',
    'on',
  ],
  [
    gemini,
    '"generationConfig":{"thinkingConfig":{"thinkingBudget":0,"thinkingLevel":"NONE"}}',
    'off',
  ],
  [gemini, '"generationConfig":{"thinkingconfig":{"thinkingBudget":0}}', 'on'],
  [gemini, '"generationConfig":{"thinkingConfig":null}', 'unset'],
] as const)('%o with the text %s asks for reasoning: %s', (dialect, fields, intent) => {
  expect(spellings(dialect, fields)).toBe(intent)
})

it.each([
  [openaiChat, { reasoning_effort: 'high', thinking_budget: 1 }, ['high', undefined]],
  [openaiChat, { reasoning: { effort: 'high', max_tokens: 1 } }, ['high', undefined]],
  [openaiChat, { thinking_budget: 1, reasoning: { max_tokens: 3_000 } }, ['budget-4096', 3_000]],
  [openaiChat, { thinking: { type: 'enabled' }, thinking_budget: 1 }, ['on', undefined]],
  [anthropic, { thinking: { type: 'adaptive', budget_tokens: 1 } }, ['on', undefined]],
  [
    gemini,
    { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'HIGH' } } },
    ['high', undefined],
  ],
] as const)('%o with %j is bounded by no smaller budget: %j', (dialect, fields, expected) => {
  expect(effortOf(dialect, fields)).toEqual(expected)
})
