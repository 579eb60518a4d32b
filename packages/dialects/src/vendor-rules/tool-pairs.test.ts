import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../canon.ts'
import { dialectOf, pairToolResults } from '../index.ts'
import type { Json } from '../json/json.ts'

const text = (words: string): Part => ({ type: 'text', text: words })
const call = (id: string): Part => ({ type: 'tool-call', id, name: `tool_${id}`, input: '{}' })
const result = (id: string): Part => ({ type: 'tool-result', id, parts: [text(`from ${id}`)] })
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const model = (...parts: Part[]): Message => ({ role: 'assistant', parts })
const tool = (...parts: Part[]): Message => ({ role: 'tool', parts })

/**
 * "each tool_use must have a single result", "`tool_use` ids were found without `tool_result` blocks immediately after" and "unexpected `tool_use_id` found in
 * `tool_result` blocks": https://github.com/anthropics/claude-code/issues/8612 and 18947
 */
const anthropicRefusal = ({ messages }: Json): string | undefined => {
  const blocksIn = (message: Json, type: string): Json[] =>
    Array.isArray(message?.content)
      ? message.content.filter((each: Json) => each.type === type)
      : []
  for (const [at, message] of messages.entries()) {
    const called = blocksIn(message, 'tool_use').map(each => each.id)
    const answered = blocksIn(messages[at + 1], 'tool_result').map(each => each.tool_use_id)
    if (called.some(each => !answered.includes(each))) return 'tool_use without tool_result'
    const before = blocksIn(messages[at - 1], 'tool_use').map(each => each.id)
    const results = blocksIn(message, 'tool_result').map(each => each.tool_use_id)
    if (results.some(each => !before.includes(each))) return 'unexpected tool_use_id'
    if (new Set(results).size < results.length) return 'several results of one call'
  }
  return undefined
}

/**
 * "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
 * https://github.com/langgenius/dify/issues/32222
 */
const chatRefusal = ({ messages }: Json): string | undefined => {
  let open: string[] = []
  for (const { role, tool_calls = [], tool_call_id } of messages) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id)) return 'a tool message without its call'
      open = open.filter(each => each !== tool_call_id)
      continue
    }
    if (open.length > 0) return 'calls without tool messages'
    open = tool_calls.map((each: Json) => each.id)
  }
  return open.length > 0 ? 'calls without tool messages' : undefined
}

/**
 * "Please ensure that the number of function response parts is equal to the number of function call parts of the
 * function call turn." https://github.com/google-gemini/gemini-cli/issues/4217
 */
const geminiRefusal = ({ contents }: Json): string | undefined => {
  const countIn = (content: Json, key: string) =>
    (content?.parts ?? []).filter((each: Json) => each[key]).length
  const isUnequal = (content: Json, at: number) =>
    countIn(content, 'functionCall') !== countIn(contents[at + 1], 'functionResponse') ||
    (at === 0 && countIn(content, 'functionResponse') > 0)
  return contents.some(isUnequal) ? 'unequal numbers' : undefined
}

const vendors = [
  ['anthropic', anthropicRefusal],
  ['openai-chat', chatRefusal],
  ['gemini', geminiRefusal],
] as const

const histories: [string, Message[]][] = [
  ['a result without its call', [user(text('Hi')), tool(result('a')), user(text('Go on'))]],
  ['a result at the beginning', [tool(result('a')), user(text('Go on'))]],
  ['a call without a result', [user(text('Hi')), model(call('a')), user(text('Go on'))]],
  ['a call at the end', [user(text('Hi')), model(text('Let me see'), call('a'))]],
  ['one of two results', [user(text('Hi')), model(call('a'), call('b')), tool(result('b'))]],
  [
    'a result behind words of the user',
    [user(text('Hi')), model(call('a')), user(text('Wait')), tool(result('a'))],
  ],
  [
    'two results of one call',
    [user(text('Hi')), model(call('a')), tool(result('a'), result('a')), user(text('Go on'))],
  ],
  [
    'a result in another turn',
    [user(text('Hi')), model(call('a')), model(text('Then')), user(text('Go')), tool(result('a'))],
  ],
]

describe.each(vendors)('the history that %s gets', (id, refusalOf) => {
  it.each(histories)('is accepted after %s', (_, messages) => {
    const encode = (each: Message[]) =>
      dialectOf(id).encodeRequest({ model: 'm', messages: each }).body
    const { request, repairs } = pairToolResults({ model: 'm', messages })
    expect(refusalOf(encode(messages))).toBeDefined()
    expect(refusalOf(encode(request.messages))).toBeUndefined()
    const sent = JSON.stringify(encode(request.messages))
    for (const word of ['Go on', 'Wait', ...(repairs.length === 0 ? ['from a'] : [])])
      if (JSON.stringify(messages).includes(word)) expect(sent).toContain(word)
  })
})

it('no word of a result without its call is lost, and the repair has a name', () => {
  const { request, repairs } = pairToolResults({ model: 'm', messages: histories[0]![1] })
  expect(request.messages[1]).toEqual(user(text('Result of the tool a:'), text('from a')))
  expect(repairs).toEqual(['tool result without a call'])
})

it('a history in order stays as it is', () => {
  const messages = [
    user(text('Hi')),
    model(call('a'), call('b')),
    tool(result('b')),
    user(result('a'), text('And more')),
    model(text('Well')),
  ]
  const request = { model: 'm', messages }
  expect(pairToolResults(request).request).toBe(request)
})
