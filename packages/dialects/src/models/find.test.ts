import { describe, expect, it } from 'vitest'
import { openaiChat } from '../index.ts'
import { readReasoningRequest } from '../json/reasoning-request.ts'
import { hidesReasoning } from '../vendor-rules/hidden-reasoning.ts'
import { findModel, knownModels, outputMaxOf } from './find.ts'

describe('the row of a model', () => {
  it.each([
    // An exact name wins over a beginning.
    ['openai/gpt-oss-120b', 'openai/gpt-oss-120b'],
    ['another-host/gpt-oss-120b', 'gpt-oss*'],
    // The longest beginning wins.
    ['gpt-5.4-mini-2026-03-17', 'gpt-5.4-mini*'],
    ['gpt-5-2025-08-07', 'gpt-5*'],
    ['gpt-4o-2024-08-06', 'gpt-4o*'],
    ['gpt-4-0613', 'gpt-4*'],
    ['o3-mini-2025-01-31', 'o3-mini*'],
    // A vendor, a region or a host may stand before the name, and the separators are each vendor's own.
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5*'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5*'],
    ['anthropic/claude-opus-5.5', 'claude-opus-5-5*'],
    ['databricks-claude-haiku-5-5', 'claude-haiku-5-5*'],
    ['Pro/zai-org/GLM-5.1', 'glm-5.1*'],
    ['~openai/gpt-latest', 'gpt*'],
    // Another vendor's name inside a name does not count: the earliest part does.
    ['deepseek-r1-distill-llama-3.3-70b', 'deepseek*'],
    // A name that no list knew yet has what its latest relatives have.
    ['gpt-9-sol', 'gpt*'],
    ['claude-opus-9', 'claude*'],
    ['a-model-of-ones-own', undefined],
    ['lite-model', undefined],
  ])('of %s is %s', (model, row) => {
    expect(findModel(model)?.model).toBe(row)
  })

  it('stays the same after more names than are remembered', () => {
    for (let at = 0; at < 5_000; at++) findModel(`unknown-${at}`)
    expect(findModel('gpt-4o-2024-08-06')?.model).toBe('gpt-4o*')
    expect(findModel('unknown-1')).toBeUndefined()
  })
})

it('the answer of a request without a limit is as long as the vendor’s default, where that is shorter', () => {
  expect([outputMaxOf('kimi-k3'), findModel('kimi-k3')?.output]).toEqual([131_072, 1_048_576])
  expect([outputMaxOf('deepseek-flash'), outputMaxOf('grok-3')]).toEqual([393_216, undefined])
})

const asks = (model: string, fields: object) => {
  const body = Buffer.from(JSON.stringify({ model: 'm', ...fields }))
  const result = openaiChat.read(body, { model: 'm', stream: true })
  return result.ok ? hidesReasoning(readReasoningRequest(result.parsed), model) : result.hint
}

it.each([
  // Model, and whether reasoning is hidden in a request that does not say, asks for it, and forbids it.
  ['gpt-6.2-sol', true, true, false],
  ['gpt-5.5', true, true, false],
  ['gpt-5.4', false, true, false],
  ['gpt-5-chat-latest', false, true, false],
  ['gpt-4o', false, true, false],
  ['o4-mini', true, true, false],
  ['claude-fable-5-2', true, true, false],
  ['claude-opus-5-5', true, true, false],
  ['claude-opus-5', true, true, false],
  ['claude-sonnet-5-5', true, true, false],
  ['claude-sonnet-5', true, true, false],
  ['claude-haiku-5-5', true, true, false],
  ['claude-opus-4-8', false, true, false],
  ['claude-haiku-4-5', false, true, false],
  ['gemini-3.8-flash', true, true, false],
  ['gemini-2.5-flash-lite', false, true, false],
  ['grok-4.7', true, true, false],
  ['grok-4.20-0309-non-reasoning', false, true, false],
  ['grok-3-mini', false, false, false],
  ['deepseek-v4-pro', false, false, false],
  ['Qwen/Qwen3-8B', false, false, false],
  ['kimi-k3', false, false, false],
  ['glm-5.3', false, false, false],
  ['MiniMax-M3', false, false, false],
  ['mistral-large-latest', false, false, false],
  ['gpt-oss:20b', false, false, false],
  ['a-model-of-ones-own', false, true, false],
])(
  'a stream of %s may hide reasoning: %s by default, %s if asked for, %s if forbidden',
  (model, unset, on, off) => {
    const efforts = [{}, { reasoning_effort: 'high' }, { reasoning_effort: 'none' }]
    expect(efforts.map(each => asks(model, each))).toEqual([unset, on, off])
  },
)

it('each row has a vendor, modalities, a source and a date, and no two rows have one name', () => {
  const wrong = knownModels.filter(
    ({ vendor, inputs, outputs, source, via = source, date }) =>
      !vendor ||
      inputs.length * outputs.length === 0 ||
      ![source, via].every(address => URL.canParse(address)) ||
      !/^2026-\d\d-\d\d$/.test(date),
  )
  expect(wrong).toEqual([])
  const names = knownModels.map(({ model }) => model.toLowerCase())
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

it('no answer is longer than the context, and no default longer than the longest answer', () => {
  const wrong = knownModels.filter(
    ({ context = Number.MAX_VALUE, output = context, default_output = 0 }) =>
      output > context || default_output > output,
  )
  expect(wrong.map(({ model }) => model)).toEqual([])
})
