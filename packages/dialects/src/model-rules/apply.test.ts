import { describe, expect, it } from 'vitest'
import type { ChatRequest, Message, Part } from '../canon.ts'
import type { DialectId } from '../dialect-id.ts'
import { applyModelRules } from './apply.ts'
import { ruleRefusal } from './refusal.ts'
import { type ModelRule, nearestEffort, type Rule, rulesOfModel } from './rule.ts'

const text = (words: string): Part => ({ type: 'text', text: words })
const call: Part = { type: 'tool-call', id: 'a', name: 'look', input: '{}' }
const result: Part = { type: 'tool-result', id: 'a', parts: [text('found')] }
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const model = (...parts: Part[]): Message => ({ role: 'assistant', parts })
const tool = (...parts: Part[]): Message => ({ role: 'tool', parts })
const hi = [user(text('Hi'))]
const tools: ChatRequest['tools'] = [{ type: 'function', name: 'look' }]

const stated = (rules: readonly Rule[]): ModelRule[] =>
  rules.map(rule => ({ ...rule, source: 'https://example.com', date: '2026-11-28' }))

const apply = (
  rules: readonly Rule[],
  request: Partial<ChatRequest>,
  dialect: DialectId = 'openai-chat',
) => {
  const found = rulesOfModel(stated(rules), 'm', dialect)
  return applyModelRules({ model: 'm', messages: hi, ...request }, found, dialect)
}

const forced: Partial<ChatRequest> = { tools, toolChoice: { type: 'required' } }
const off = { thinking: { type: 'disabled' } }

it.each<[string, Rule[], Partial<ChatRequest>, string | undefined]>([
  ['a forced tool', [{ kind: 'forced-tools', while: 'always' }], forced, 'forced-tools'],
  [
    'a named tool',
    [{ kind: 'forced-tools', while: 'always' }],
    { tools, toolChoice: { type: 'tool', name: 'look' } },
    'forced-tools',
  ],
  [
    'a forced choice among some tools',
    [{ kind: 'forced-tools', while: 'always' }],
    { tools, toolChoice: { type: 'allowed', mode: 'required', names: ['look'] } },
    'forced-tools',
  ],
  [
    'a forced tool of a model that always thinks',
    [
      { kind: 'forced-tools', while: 'thinking' },
      { kind: 'thinking', byDefault: true },
    ],
    forced,
    'forced-tools',
  ],
  ['a free choice', [{ kind: 'forced-tools', while: 'always' }], { tools }, undefined],
  [
    'a forced choice without tools',
    [{ kind: 'forced-tools', while: 'always' }],
    { toolChoice: { type: 'required' } },
    undefined,
  ],
  [
    'effort none',
    [{ kind: 'thinking', byDefault: true }],
    { reasoning: { effort: 'none' } },
    'thinking-off',
  ],
  [
    'words of the model at the end',
    [{ kind: 'prefill', as: 'refused' }],
    { messages: [...hi, model(text('{'))] },
    'prefill',
  ],
  [
    'a blank at the end',
    [{ kind: 'prefill', as: 'refused' }],
    { messages: [...hi, model(text(' '))] },
    undefined,
  ],
])('the outcome of %s', (_, rules, request, refused) => {
  expect(apply(rules, request).refused).toBe(refused)
})

it('a forced tool counts before thoughts that can be left out', () => {
  const rules: Rule[] = [
    { kind: 'forced-tools', while: 'thinking' },
    { kind: 'thinking', byDefault: true, off },
  ]
  expect(apply(rules, forced)).toMatchObject({
    request: { toolChoice: { type: 'required' }, reasoning: { unknownFields: { fields: off } } },
    notes: ['reasoning (tool_choice)'],
  })
  expect(apply(rules, { ...forced, reasoning: { mode: 'disabled' } }).notes).toEqual([])
  const requested = apply([rules[0]!], { ...forced, reasoning: { effort: 'high' } })
  expect(requested.request.reasoning).toEqual({ mode: 'disabled' })
  expect(apply([rules[0]!], forced).request.reasoning).toBeUndefined()
})

it.each<[string, Rule[], object, object | undefined, string[]]>([
  ['disabled', [], { mode: 'disabled' }, { effort: 'low' }, ['reasoning off']],
  ['a budget of 0', [], { budget: 0 }, { effort: 'low' }, ['reasoning off']],
  ['minimal', [], { effort: 'minimal' }, { effort: 'low' }, ['reasoning.effort minimal']],
  ['xhigh', [], { effort: 'xhigh' }, { effort: 'high' }, ['reasoning.effort xhigh']],
  ['an accepted effort', [], { effort: 'high' }, { effort: 'high' }, []],
  ['a budget', [], { budget: 9_000 }, { effort: 'low', budget: 9_000 }, []],
])('a model with the efforts low and high gets %s', (_, more, reasoning, expected, notes) => {
  const rules: Rule[] = [
    { kind: 'efforts', accepted: ['low', 'high'] },
    { kind: 'thinking', byDefault: true },
    ...(more as Rule[]),
  ]
  const { request, notes: found } = apply(rules, { reasoning })
  expect([request.reasoning, found]).toEqual([expected, notes])
})

it('a model that refuses efforts gets none', () => {
  const rules: Rule[] = [{ kind: 'efforts', accepted: [] }]
  const { request, notes } = apply(rules, { reasoning: { effort: 'low' } })
  expect([request, notes]).toEqual([{ model: 'm', messages: hi }, ['reasoning.effort']])
})

it.each([
  [0, 128],
  [5, 128],
  [999, 999],
  [99_999, 32_768],
])('a budget of %i becomes %i within the bounds of the model', (budget, expected) => {
  const rules: Rule[] = [
    { kind: 'budgets', min: 128, max: 32_768 },
    { kind: 'thinking', byDefault: true },
  ]
  expect(apply(rules, { reasoning: { budget } }, 'gemini').request.reasoning).toEqual({
    budget: expected,
  })
})

it('thinking is turned on and off by the fields of the vendor', () => {
  const on = { enable_thinking: true }
  const rules: Rule[] = [{ kind: 'thinking', byDefault: false, off, on }]
  const fieldsOf = (reasoning: ChatRequest['reasoning']) =>
    apply(rules, { reasoning }).request.reasoning?.unknownFields
  expect(fieldsOf({ mode: 'disabled' })).toEqual({ dialect: 'openai-chat', fields: off })
  expect(fieldsOf({ effort: 'none' })).toEqual({ dialect: 'openai-chat', fields: off })
  expect(fieldsOf({ effort: 'high' })).toEqual({ dialect: 'openai-chat', fields: on })
  const none: Rule[] = [{ kind: 'thinking', byDefault: true, off: 'effort-none' }]
  const quiet = apply(none, { reasoning: { mode: 'disabled' } })
  expect(quiet.request.reasoning).toEqual({ effort: 'none' })
})

it('sampling fields leave only while the model thinks', () => {
  const rules: Rule[] = [
    { kind: 'sampling', fields: ['temperature', 'topP', 'n'], while: 'thinking' },
    { kind: 'thinking', byDefault: true, off: 'effort-none' },
  ]
  const sampled = { temperature: 0.5, topP: 0.9, n: 1 }
  const { request, notes } = apply(rules, sampled)
  expect(request).toEqual({ model: 'm', messages: hi, n: 1 })
  expect(notes).toEqual(['temperature', 'top_p'])
  expect(apply(rules, { ...sampled, reasoning: { effort: 'none' } }).notes).toEqual([])
  expect(apply(rules, { n: 2 }).notes).toEqual(['n'])
})

it('earlier tool calls carry thoughts while the model thinks', () => {
  const rules: Rule[] = [{ kind: 'reasoning-content' }, { kind: 'thinking', byDefault: true, off }]
  const messages = [...hi, model(call), tool(result), model(text('Done'))]
  const blank = { type: 'thinking', text: ' ' }
  const { request, notes } = apply(rules, { messages })
  expect(request.messages[1]?.parts).toEqual([blank, call])
  expect(request.messages[3]?.parts).toEqual([text('Done')])
  expect(notes).toEqual(['reasoning_content (missing)'])
  const own = [...hi, model({ type: 'thinking', text: 'Hm' }, call), tool(result)]
  expect(apply(rules, { messages: own }).request.messages).toBe(own)
  const quiet = apply(rules, { messages, reasoning: { mode: 'disabled' } })
  expect(quiet.request.messages).toBe(messages)
})

it('a turn of the model stands between a result and the user', () => {
  const rules: Rule[] = [{ kind: 'assistant-after-tool' }]
  const rolesOf = (messages: Message[]) =>
    apply(rules, { messages }).request.messages.map(each => each.role)
  const start = [...hi, model(call)]
  const ordered = ['user', 'assistant', 'tool', 'assistant', 'user']
  expect(rolesOf([...start, tool(result), user(text('And?'))])).toEqual(ordered)
  expect(rolesOf([...start, user(result, text('And?'))])).toEqual(ordered)
  const picture: Part = { type: 'media', mime: 'image/png', base64: 'AA==' }
  const shown: Part = { type: 'tool-result', id: 'a', parts: [picture] }
  expect(rolesOf([...start, tool(shown)])).toEqual(ordered)
  const plain = [...start, tool(result), model(text('Done'))]
  expect(apply(rules, { messages: plain }).request.messages).toBe(plain)
})

it('an empty turn of the model is left out, and its own end is marked', () => {
  const empty = [...hi, model(text('')), model({ type: 'thinking', text: 'Hm' }), ...hi]
  const kind = { kind: 'empty-messages', refused: ['string'] } as const
  const { request } = apply([{ ...kind, of: 'assistant' }], { messages: empty })
  expect(request.messages).toEqual([...hi, ...hi])
  const messages = [user(text('')), ...empty]
  const all = apply([{ ...kind, of: 'everybody' }], { messages })
  expect(all.request.messages).toEqual([...hi, ...hi])
  const withThoughts = apply([{ ...kind, of: 'everybody', acceptsThoughts: true }], { messages })
  expect(withThoughts.request.messages).toEqual([...hi, empty[2], ...hi])
  const prefix = apply([{ kind: 'prefill', as: 'prefix' }], { messages: [...hi, model(text('{'))] })
  expect(prefix.request.messages[1]?.unknownFields?.fields).toEqual({ prefix: true })
})

it('the first and the last of many cache marks stay', () => {
  const marked = (words: string): Part => ({ ...text(words), cache: {} }) as Part
  const messages = ['a', 'b', 'c', 'd', 'e', 'f'].map(each => user(marked(each)))
  const { request, notes } = apply([{ kind: 'cache-marks', max: 4 }], { messages })
  expect(request.messages.flatMap(({ parts }) => parts.map(each => 'cache' in each))).toEqual([
    ...[true, false, false],
    ...[true, true, true],
  ])
  expect(notes).toEqual(['cache_control beyond 4'])
  const all = apply([{ kind: 'cache-marks', max: 4 }], { messages: messages.slice(2) })
  expect(all.notes).toEqual([])
})

it('the first rule of a kind that matches model and dialect counts', () => {
  const table: ModelRule[] = [
    ...stated([{ kind: 'stops', max: 1 }]).map(each => ({ ...each, models: /^a/ })),
    ...stated([{ kind: 'stops', max: 2 }]).map(each => ({ ...each, dialect: 'gemini' as const })),
    ...stated([{ kind: 'stops', max: 3 }]),
  ]
  const maxOf = (name: string, dialect: DialectId) => rulesOfModel(table, name, dialect).stops?.max
  expect([maxOf('a', 'gemini'), maxOf('b', 'gemini'), maxOf('b', 'anthropic')]).toEqual([1, 2, 3])
})

it('the nearest effort is the next below, else the lowest', () => {
  const accepted = ['low', 'high']
  expect(
    ['none', 'low', 'medium', 'max', 'odd'].map(each => nearestEffort(each, accepted)),
  ).toEqual(['low', 'low', 'low', 'high', 'low'])
  expect(nearestEffort('minimal', ['none', ...accepted])).toBe('low')
  expect(nearestEffort('none', ['none', ...accepted])).toBe('none')
})

it('a refusal names the field in the caller’s dialect, the model and the remedy', () => {
  for (const dialect of ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)
    for (const refused of ['forced-tools', 'thinking-off', 'prefill'] as const)
      expect(ruleRefusal(refused, dialect, 'my-model')).toMatch(
        /^'\w.+'my-model'.+another model\.$/,
      )
  expect(ruleRefusal('prefill', 'gemini', 'm')).toContain("'contents'")
})

describe('a template that wants one message of instructions before all others', () => {
  const system = (words: string): Message => ({ role: 'system', parts: [text(words)] })
  const developer = (words: string): Message => ({ role: 'developer', parts: [text(words)] })
  const order: Rule[] = [{ kind: 'instructions-first' }]

  it.each<[string, Message[], Message[]]>([
    [
      'a later instruction becomes words of the user at its place',
      [system('Be brief.'), user(text('Hi')), system('You are in /work.'), model(text('Hello'))],
      [system('Be brief.'), ...hi, user(text('You are in /work.')), model(text('Hello'))],
    ],
    [
      'an instruction after a tool result does too',
      [user(text('Hi')), model(call), tool(result), developer('Hurry.')],
      [user(text('Hi')), model(call), tool(result), user(text('Hurry.'))],
    ],
    [
      'the first instructions become one message',
      [system('Be brief.'), developer('Use tools.'), ...hi],
      [{ role: 'system', parts: [text('Be brief.'), text('\n\n'), text('Use tools.')] }, ...hi],
    ],
    [
      'instructions alone become one message',
      [system('Be brief.'), system('Begin.')],
      [{ role: 'system', parts: [text('Be brief.'), text('\n\n'), text('Begin.')] }],
    ],
  ])('%s', (_title, messages, expected) => {
    const { request, notes } = apply(order, { messages })
    expect(request.messages).toEqual(expected)
    expect(notes).toEqual(['messages.system (order)'])
  })

  it('a request that keeps the rule stays as it is', () => {
    const request = { messages: [system('Be brief.'), ...hi] }
    expect(apply(order, request)).toMatchObject({ request, notes: [] })
  })
})

describe('a vendor that has functions only', () => {
  const functions: Rule[] = [{ kind: 'function-tools' }]
  const patcher: NonNullable<ChatRequest['tools']>[number] = {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
  }
  const patched: Part = {
    type: 'tool-call',
    id: 'a',
    name: 'apply_patch',
    input: '*** "x"',
    custom: true,
  }

  it('a tool that takes text, its earlier calls and results, and its choice become those of a function', () => {
    const { request, notes } = apply(functions, {
      tools: [patcher, ...tools!],
      toolChoice: { type: 'tool', name: 'apply_patch', custom: true },
      messages: [...hi, model(patched), tool({ ...result, custom: true } as Part)],
    })
    const schema = {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
    }
    expect(request.tools).toEqual([
      { type: 'function', name: 'apply_patch', description: 'Edits files.', schema },
      ...tools!,
    ])
    expect(request.toolChoice).toEqual({ type: 'tool', name: 'apply_patch' })
    const called = {
      type: 'tool-call',
      id: 'a',
      name: 'apply_patch',
      input: '{"input":"*** \\"x\\""}',
    }
    expect(request.messages).toEqual([...hi, model(called as Part), tool(result)])
    expect(notes).toEqual(['tools.custom.format'])
  })

  it('functions stay as they are', () => {
    const request = { tools, messages: hi }
    expect(apply(functions, request)).toMatchObject({ request, notes: [] })
  })
})
