import { ParameterRules, readCandidateParameters, StoredParameterRules } from '@hub/contract'
import { type Edits, readFieldRanges } from '@hub/dialects'
import { expect, it } from 'vitest'
import { applyParameterRules } from './parameter-rules.ts'

const request = {
  temperature: 0.5,
  user: 'u-1',
  stop: ['a', 'b'],
  thinking: { type: 'enabled', budget_tokens: 2_000 },
  seed: null,
}
const apply = (rules: unknown, edits: Edits = {}): Edits => {
  const body = Buffer.from(JSON.stringify(request))
  const read = readFieldRanges(body, 0, body.length, [])
  if (!read.ok) throw new TypeError(read.reason)
  const ask = { model: 'requested', body, fieldRanges: read.fieldRanges }
  applyParameterRules(ParameterRules.parse(rules), edits, ask, 'vendor-model-2')
  return edits
}

it.each([
  ['sets a field', { set: { top_p: 1 } }, { top_p: 1 }],
  ['replaces a field', { set: { temperature: 1 } }, { temperature: 1 }],
  [
    'sets an inner field and keeps its neighbours',
    { set: { 'thinking.budget_tokens': 9 } },
    { thinking: { type: 'enabled', budget_tokens: 9 } },
  ],
  ['makes what is missing on the way', { set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['changes an entry of a list', { set: { 'stop.1': 'c' } }, { stop: ['a', 'c'] }],
  ['adds a default', { default: { top_k: 5 } }, { top_k: 5 }],
  ['leaves what is there to a default', { default: { temperature: 1 } }, {}],
  ['adds a default for null', { default: { seed: 7 } }, { seed: 7 }],
  ['deletes a field', { delete: ['user'] }, { user: undefined }],
  ['deletes an inner field', { delete: ['thinking.type'] }, { thinking: { budget_tokens: 2_000 } }],
] as const)('a rule %s', (_, rule, expected) => {
  expect(apply([rule])).toStrictEqual(expected)
})

const holds = (conditions: unknown, any?: boolean): boolean =>
  'x' in apply([{ when: conditions, ...(any === undefined ? {} : { any }), set: { x: 1 } }])

it.each([
  [[{ model: 'requested' }], true],
  [[{ model: 'vendor-model-2' }], true],
  [[{ model: 'vendor-*-2' }], true],
  [[{ model: '*' }], true],
  [[{ model: 'vendor' }], false],
  [[{ model: 'vendor-*-3' }], false],
  [[{ field: 'user', is: 'present' }], true],
  [[{ field: 'seed', is: 'present' }], false],
  [[{ field: 'seed', is: 'absent' }], true],
  [[{ field: 'thinking.type', is: 'present' }], true],
  [[{ field: 'thinking.none', is: 'absent' }], true],
  [[{ field: 'thinking.type', equals: 'enabled' }], true],
  [[{ field: 'temperature', equals: 0.5 }], true],
  [[{ field: 'temperature', equals: '0.5' }], false],
  [[{ field: 'stop', equals: ['a', 'b'] }], true],
  [[{ field: 'user', matches: 'u-*' }], true],
  [[{ field: 'user', matches: 'u-*-*' }], false],
  [[{ field: 'stop', matches: '*' }], false],
  [[], true],
] as const)('the conditions %j are met: %s', (conditions, expected) => {
  expect(holds(conditions)).toBe(expected)
})

it('a rule needs all of its conditions, or one of them with `any`', () => {
  const mixed = [{ model: 'requested' }, { model: 'another' }]
  expect([holds(mixed), holds(mixed, true), holds([{ model: 'another' }], true)]).toEqual([
    ...[false, true, false],
  ])
})

it('a rule sees what the gateway and the rules before it wrote', () => {
  const rules = [
    { when: [{ field: 'effort', equals: 'high' }], set: { first: 1 } },
    { when: [{ field: 'first', equals: 1 }], delete: ['temperature'] },
    { when: [{ field: 'temperature', is: 'absent' }], set: { second: 2 } },
  ]
  const written = { effort: 'high', first: 1, temperature: undefined, second: 2 }
  expect(apply(rules, { effort: 'high' })).toStrictEqual(written)
})

it('a rule may name a field like a property of every object', () => {
  const made = apply([{ when: [{ field: 'constructor', is: 'absent' }], set: { 'a.toString': 1 } }])
  expect(made).toStrictEqual({ a: { toString: 1 } })
})

const fixed = ['model', 'stream', 'stream_options.include_usage', 'n', 'max_tokens']
const fixedInner = ['generationConfig', 'generationConfig.maxOutputTokens', 'generation_config']
it.each([...fixed, 'max_completion_tokens', 'max_output_tokens', ...fixedInner])(
  'no rule changes %s, which is decided before',
  path => {
    for (const rule of [{ set: { [path]: 1 } }, { default: { [path]: 1 } }, { delete: [path] }])
      expect(ParameterRules.safeParse([rule]).success).toBe(false)
  },
)

const pricedFields = [
  ...['best_of', 'echo', 'n', 'batch_size', 'size', 'image_size', 'quality', 'style'],
  ...['partial_images', 'seconds', 'duration', 'duration_seconds', 'resolution', 'num_images'],
  ...['max_images', 'number_of_images', 'sample_count', 'inferenceConfig', 'inference_config'],
  ...['inferenceConfig.maxTokens', 'inferenceConfig.maxNewTokens', 'inference_config.max_tokens'],
]
it.each(pricedFields)('no new rule changes %s, which fixes a price', path => {
  for (const rule of [{ set: { [path]: 1 } }, { default: { [path]: 1 } }, { delete: [path] }])
    expect(ParameterRules.safeParse([rule]).success).toBe(false)
})

it('keeps stored rules that are older than a refusal, but none that was always refused', () => {
  const older = [{ set: { quality: 'hd' } }, { default: { best_of: 2 } }]
  expect(StoredParameterRules.parse(older)).toEqual(older)
  expect(StoredParameterRules.safeParse([{ set: { model: 'm' } }]).success).toBe(false)
  expect(readCandidateParameters('{"quality":"hd"}', StoredParameterRules).data).toHaveLength(1)
  expect(readCandidateParameters('{"quality":"hd"}').success).toBe(false)
})

it.each(['inferenceConfig.temperature', 'metadata.size', 'text.style', 'quality_of_life'])(
  'a rule may change %s',
  path => {
    expect(ParameterRules.safeParse([{ set: { [path]: 1 } }]).success).toBe(true)
  },
)

it.each([
  [{}],
  [{ set: { a: 1 }, otherwise: {} }],
  [{ when: [{ field: 'a' }], set: { b: 1 } }],
  [{ set: { 'a..b': 1 } }],
])('the rule %j is refused', rule => {
  expect(ParameterRules.safeParse([rule]).success).toBe(false)
})
