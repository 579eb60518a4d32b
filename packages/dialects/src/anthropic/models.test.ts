import { expect, it } from 'vitest'
import { anthropic } from './index.ts'

/** Features of a request, and the part of them that reaches the model. */
const takenBy = (model: string) => {
  const { body } = anthropic.encodeRequest({
    model,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [{ type: 'function', name: 'f', strict: true }],
    format: { type: 'schema', schema: {} },
    reasoning: { mode: 'enabled', budget: 2_000 },
  })
  const sampled = anthropic.encodeRequest({ model, messages: [], temperature: 1, topP: 0.9 }).body
  const taken = {
    budget: (body.thinking as { type?: string } | undefined)?.type === 'enabled',
    adaptive: (body.thinking as { type?: string } | undefined)?.type === 'adaptive',
    samplers: 'temperature' in sampled,
    both: 'temperature' in sampled && 'top_p' in sampled,
    schemas: 'output_config' in body,
    strict: 'strict' in (body.tools as object[])[0]!,
  }
  return Object.entries(taken).flatMap(([name, isTaken]) => (isTaken ? [name] : []))
}

// https://platform.claude.com/docs/en/about-claude/models/overview
it.each([
  ['claude-2.1', ['samplers', 'both']],
  ['claude-3-5-sonnet-20241022', ['samplers', 'both']],
  ['claude-3-7-sonnet-20250219', ['budget', 'samplers', 'both']],
  ['claude-sonnet-4-20250514', ['budget', 'samplers', 'both']],
  ['claude-sonnet-4@20250514', ['budget', 'samplers', 'both']],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', ['budget', 'samplers']],
  ['claude-sonnet-4-5', ['budget', 'samplers', 'schemas', 'strict']],
  ['anthropic/claude-haiku-4.5', ['budget', 'samplers', 'schemas', 'strict']],
  ['claude-opus-4-6', ['adaptive', 'samplers', 'schemas', 'strict']],
  ['claude-opus-4-7', ['adaptive', 'schemas', 'strict']],
  ['claude-haiku-4-7', ['adaptive', 'samplers', 'schemas', 'strict']],
  ['claude-haiku-5', ['adaptive', 'schemas', 'strict']],
  ['house-model', ['budget', 'samplers', 'both', 'schemas', 'strict']],
])('%s is asked for no more than it knows', (model, taken) => expect(takenBy(model)).toEqual(taken))
