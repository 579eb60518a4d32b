import { expect, it } from 'vitest'
import { operatorAsksReasoning } from './asked-reasoning.ts'

it.each([
  [{}, false],
  [{ temperature: 1 }, false],
  [{ reasoning_effort: 'high' }, true],
  [{ reasoning_effort: 'none' }, false],
  [{ overwrite: true, reasoning_effort: null }, true],
  [{ per_model: true, m: { enable_thinking: true } }, true],
  [{ per_model: true, m: { thinking: { type: 'disabled' } } }, false],
  [{ generationConfig: { temperature: 1 } }, false],
  // It replaces the caller's settings, which may have turned reasoning off.
  [{ overwrite: true, generationConfig: { temperature: 1 } }, true],
  [{ rules: [{ set: { 'generationConfig.temperature': 1 } }] }, false],
  [{ rules: [{ set: { 'reasoning.effort': 'low' } }] }, true],
  [{ rules: [{ default: { 'thinking.type': 'enabled' } }] }, true],
  [{ rules: [{ set: { 'generationConfig.thinkingConfig.thinkingBudget': 9 } }] }, true],
  [{ rules: [{ set: { 'generation_config.thinking_config': { thinking_budget: 0 } } }] }, false],
  [{ rules: [{ delete: ['reasoning_effort'] }] }, true],
  [{ rules: [{ delete: ['generationConfig'] }] }, true],
  [{ rules: [{ delete: ['generationConfig.temperature', 'top_p'] }] }, false],
])('the parameters %j may make a model reason: %s', (parameter: object, expected) => {
  const { rules = [] } = parameter as { rules?: [] }
  expect(operatorAsksReasoning(parameter as Record<string, unknown>, rules)).toBe(expected)
})
