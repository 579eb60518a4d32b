import { expect, it } from 'vitest'
import { withoutEmptyMessages } from './empty-messages.ts'
import type { EmptyContent, Rule, RulesOfModel } from './rule.ts'

const kinds: Readonly<Record<EmptyContent, readonly string[]>> = {
  missing: ['', ',"content":null', ', "content" : null'],
  string: [',"content":""', ',"content": ""'],
  list: [',"content":[]', ',"content":[ ]'],
  text: [
    ',"content":[{"type":"text","text":""}]',
    ',"content":[{"text":"","type":"text"},{"type":"text","text":""}]',
  ],
  blank: [',"content":" \\n"', ',"content":[{"type":"text","text":"\\u0020"}]'],
}
const allKinds = Object.keys(kinds) as EmptyContent[]
const roles = ['assistant', 'user', 'system', 'developer', 'tool'] as const

type EmptyRule = Extract<Rule, { kind: 'empty-messages' }>
const source = { source: 'a test', date: '2026-11-29' }
const rulesOf = (rule: Omit<EmptyRule, 'kind'>): RulesOfModel => ({
  'empty-messages': { kind: 'empty-messages', ...rule, ...source },
})
const everything = rulesOf({ of: 'everybody', refused: allKinds })

/** The numbers and spaces would be lost if the body were written anew. */
const head = '{ "model":"m", "temperature":1.0, "messages":[ {"role":"user","content":"H\\u0069"}'
const tail = ',\n {"role":"user","content":"And?"} ], "big":12345678901234567890 }'
const bodyOf = (...messages: string[]): Buffer =>
  Buffer.from(head + messages.map(each => `, ${each}`).join('') + tail)
const cut = (body: Buffer, rules: RulesOfModel, dialect = 'openai-chat'): string =>
  withoutEmptyMessages(body, dialect, rules).toString()

const table = allKinds.flatMap(kind =>
  roles.flatMap(role => kinds[kind].map(content => [kind, role, content] as const)),
)

it.each(table)(
  'leaves out content empty as %s of the role %s where the rule names it: %s',
  (kind, role, content) => {
    const body = bodyOf(`{"role":"${role}"${content}}`)
    const whole = body.toString()
    const bare = bodyOf().toString()
    const resultOf = (of: EmptyRule['of'], refused: EmptyContent[]) =>
      cut(body, rulesOf({ of, refused }))
    const others = allKinds.filter(each => each !== kind)
    expect(resultOf('everybody', others)).toBe(whole)
    // A message that stays loses its empty texts: another test looks at them.
    if (role !== 'tool') expect(resultOf('everybody', [kind])).toBe(bare)
    else if (kind !== 'text') expect(resultOf('everybody', [kind])).toBe(whole)
    if (role === 'assistant') expect(resultOf('assistant', [kind])).toBe(bare)
    else if (kind !== 'text') expect(resultOf('assistant', [kind])).toBe(whole)
  },
)

it.each([
  ['a call', '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function"}]}'],
  ['an old call', '{"role":"assistant","content":"","function_call":{"name":"f"}}'],
  ['a refusal', '{"role":"assistant","content":null,"refusal":"No."}'],
  ['audio', '{"role":"assistant","audio":{"id":"a"}}'],
  ['words', '{"role":"assistant","content":" x "}'],
  ['many words', `{"role":"assistant","content":"${'x'.repeat(2_000)}"}`],
  ['a picture', '{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}'],
  ['thoughts of a block', '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm"}]}'],
  ['a list in a list', '{"role":"user","content":[["text",""]]}'],
])('keeps a message with %s', (_, message) => {
  const body = bodyOf(message)
  expect(withoutEmptyMessages(body, 'openai-chat', everything)).toBe(body)
})

it.each([
  ['a field of no calls', '{"role":"assistant","content":"","tool_calls":[ ],"refusal":null}'],
  ['thoughts beside', '{"role":"assistant","content":"","reasoning_content":"Hm"}'],
  ['a nested role', '{"metadata":{"role":"user"},"role":"assistant","content":""}'],
])('leaves out an empty message with %s', (_, message) => {
  expect(cut(bodyOf(message), everything)).toBe(bodyOf().toString())
})

it('cuts empty messages at the start, in a row and at the end', () => {
  const empty = '{"role":"assistant","content":""}'
  const hi = '{"role":"user","content":"Hi"}'
  const list = (...messages: string[]) => Buffer.from(`{"messages":[${messages.join(', ')}]}`)
  const cases: [string[], string[]][] = [
    [[empty, hi], [hi]],
    [[hi, empty], [hi]],
    [
      [empty, empty, hi, empty, empty, hi, empty],
      [hi, hi],
    ],
  ]
  for (const [given, left] of cases)
    expect(JSON.parse(cut(list(...given), everything))).toEqual(
      JSON.parse(list(...left).toString()),
    )
})

it('leaves a body alone that would have no message of the user', () => {
  for (const text of [
    '{"messages":[{"role":"user","content":""}]}',
    '{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":""}]}',
    '{"messages":[]}',
    '{"messages":{"role":"user"}}',
    '{"messages":[1,null,"x"]}',
    '{"model":"m"}',
    '[]',
  ]) {
    const body = Buffer.from(text)
    expect(withoutEmptyMessages(body, 'openai-chat', everything)).toBe(body)
  }
})

it('cuts an empty text beside other content, and writes an empty text where no part is left', () => {
  const call = '"tool_calls":[{"id":"a"}]'
  const textOf = (value: string) => `{"type":"text","text":"${value}"}`
  const rules = rulesOf({ of: 'everybody', refused: ['text'] })
  const cases = [
    [
      `{"role":"user","content":[${textOf('')}, ${textOf('Look')}]}`,
      `{"role":"user","content":[${textOf('Look')}]}`,
    ],
    [
      `{"role":"user","content":[${textOf('Look')} ,${textOf('')}]}`,
      `{"role":"user","content":[${textOf('Look')}]}`,
    ],
    [
      `{"role":"assistant","content":[${textOf('')}],${call}}`,
      `{"role":"assistant","content":"",${call}}`,
    ],
    [`{"role":"tool","content":[${textOf('')}]}`, '{"role":"tool","content":""}'],
    [
      `{"role":"user","content":[{"type":"tool_result","content":[${textOf('')}]},${textOf('And?')}]}`,
      `{"role":"user","content":[{"type":"tool_result","content":""},${textOf('And?')}]}`,
    ],
  ] as const
  for (const [given, left] of cases) expect(cut(bodyOf(given), rules)).toBe(bodyOf(left).toString())
})

it('keeps the last message of the model where the vendor accepts it empty', () => {
  const last = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":""}]}'
  const accepting = rulesOf({ of: 'everybody', refused: allKinds, acceptsLast: true })
  expect(cut(Buffer.from(last), accepting, 'anthropic')).toBe(last)
  expect(cut(Buffer.from(last), everything, 'anthropic')).not.toBe(last)
})

it('fills the turn between a result and the user where the vendor wants one', () => {
  const rules: RulesOfModel = {
    ...rulesOf({ of: 'assistant', refused: ['string'] }),
    'assistant-after-tool': { kind: 'assistant-after-tool', ...source },
  }
  const result = '{"role":"tool","tool_call_id":"a","content":"x"}'
  const empty = '{"role":"assistant","content":""}'
  const words = '{"role":"assistant","content":"Understood."}'
  expect(cut(bodyOf(result, empty), rules)).toBe(bodyOf(result, words).toString())
  expect(cut(bodyOf(result, empty, empty), rules)).toBe(bodyOf(result, words).toString())
  expect(cut(bodyOf(empty), rules)).toBe(bodyOf().toString())
  expect(cut(bodyOf(result, empty, words), rules)).toBe(bodyOf(result, words).toString())
})

it('reads the contents of Gemini', () => {
  const rules = rulesOf({ of: 'everybody', refused: ['missing', 'list'] })
  const hi = '{"role":"user","parts":[{"text":"Hi"}]}'
  for (const empty of ['{"role":"model","parts":[]}', '{"role":"model"}', '{"parts":[]}'])
    expect(cut(Buffer.from(`{"contents":[${hi},${empty},${hi}]}`), rules, 'gemini')).toBe(
      `{"contents":[${hi},${hi}]}`,
    )
})

it('returns the same buffer without a rule and in dialects without such messages', () => {
  const body = bodyOf('{"role":"assistant","content":""}')
  expect(withoutEmptyMessages(body, 'openai-chat', {})).toBe(body)
  expect(withoutEmptyMessages(body, 'openai-responses', everything)).toBe(body)
})
