import { expect, it } from 'vitest'
import { cohereRerank } from './cohere.ts'
import { jinaRerank } from './jina.ts'

it.each([
  [{ total_tokens: 7 }, 7],
  [{ prompt_tokens: 5 }, 5],
  [{ total_tokens: 7, prompt_tokens: 5 }, 7],
  [{ total_tokens: 0 }, 0],
])('Jina’s usage %j is %i tokens', (usage, input) =>
  expect(jinaRerank.decodeUsage(usage)).toMatchObject({ input }),
)

it.each([
  [{ billed_units: { search_units: 2 } }, 2_000],
  [{ billed_units: { search_units: 1 }, tokens: { input_tokens: 9 } }, 1_000],
  [{ tokens: { input_tokens: 9 } }, 9],
])('Cohere’s usage %j is %i tokens', (meta, input) =>
  expect(cohereRerank.decodeUsage(meta)).toMatchObject({ input }),
)

it.each([
  [jinaRerank, undefined],
  [jinaRerank, 7],
  [jinaRerank, {}],
  [jinaRerank, { total_tokens: 'many' }],
  [jinaRerank, { total_tokens: -1 }],
  [cohereRerank, undefined],
  [cohereRerank, {}],
  [cohereRerank, { tokens: { input_tokens: 'many' } }],
  [cohereRerank, { tokens: { input_tokens: -1 } }],
])('usage that cannot be charged is broken (%#)', ({ decodeUsage }, usage) =>
  expect(decodeUsage(usage)).toBe('broken'),
)
