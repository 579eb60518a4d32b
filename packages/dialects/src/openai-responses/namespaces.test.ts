import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type ChatEvent, type ChatRequest, dialectOf } from '../index.ts'
import type { Json } from '../json/json.ts'
import { openaiResponses } from './index.ts'

const fixture = (name: string): Json =>
  JSON.parse(String(readFileSync(new URL(`fixtures/${name}`, import.meta.url))))

const read = (body: object): ChatRequest => {
  const result = openaiResponses.decodeRequest({ model: 'm', ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}

/** A request as another dialect gets it. */
const sentTo = (id: 'openai-chat' | 'anthropic' | 'gemini' | 'converse', body: object) => {
  const { body: sent, warnings } = dialectOf(id).encodeRequest(
    openaiResponses.flattenTools!(read(body)),
  )
  return { sent: sent as Json, dropped: warnings.map(each => each.dropped) }
}

const namespace = (name: string, tools: object[], more: object = {}) => ({
  type: 'namespace',
  name,
  tools,
  ...more,
})
const tool = (name: string) => ({ type: 'function', name, strict: false })

const namesIn: Record<string, (sent: Json) => string[]> = {
  'openai-chat': ({ tools }) => tools.map((each: Json) => (each.function ?? each.custom).name),
  anthropic: ({ tools }) => tools.map((each: Json) => each.name),
  gemini: ({ tools }) => tools[0].functionDeclarations.map((each: Json) => each.name),
  converse: ({ toolConfig }) => toolConfig.tools.map((each: Json) => each.toolSpec.name),
}

it.each(['openai-chat', 'anthropic', 'gemini', 'converse'] as const)(
  'the namespaces of Codex are plain tools in %s, in the history too',
  id => {
    const { sent, dropped } = sentTo(id, fixture('codex-namespaces.request.json'))
    expect(namesIn[id]!(sent)).toEqual([
      'exec_command',
      'multi_agent_v1__spawn_agent',
      'multi_agent_v1__wait_agent',
      'mcp__notes__read_note',
    ])
    const text = JSON.stringify(sent)
    expect(text).toContain('buy milk')
    // The call and its declaration, and the result where the dialect repeats the name.
    expect(text.match(/"mcp__notes__read_note"/g)!.length).toBeGreaterThan(1)
    expect(text).not.toMatch(/"namespace"|"read_note"/)
    expect(dropped).toContain('namespace.description')
    expect(dropped).not.toContain('namespace')
  },
)

it.each(['openai-chat', 'anthropic', 'gemini', 'converse'] as const)(
  'the tools that Codex declares in an item of the input are plain tools in %s',
  id => {
    const { sent, dropped } = sentTo(id, fixture('codex-additional-tools.request.json'))
    expect(namesIn[id]!(sent)).toEqual([
      'exec',
      'wait',
      'collaboration__spawn_agent',
      'collaboration__wait_agent',
    ])
    expect(dropped).not.toContain('additional_tools')
    expect(JSON.stringify(sent)).toContain('mcp__notes__read_note')
  },
)

/** The answer to a request, whole and streamed, when the upstream calls these tools. */
const answered = (body: object, calls: { name: string; input: string; custom?: true }[]) => {
  const request = read(body)
  const parts = calls.map((each, at) => ({ type: 'tool-call' as const, id: `c${at}`, ...each }))
  const answer = { id: 'r', model: 'm', choices: [{ parts, finish: { reason: 'tools' as const } }] }
  const whole = openaiResponses.encodeResponse(answer, { request }).body as Json
  const encoder = openaiResponses.encodeEvents({ request })
  const events: ChatEvent[] = [
    { type: 'start', id: 'r', model: 'm' },
    ...parts.map((part, index): ChatEvent => ({ type: 'part', index, part })),
    { type: 'finish', finish: { reason: 'tools' } },
    { type: 'end' },
  ]
  const frames = [
    ...events
      .map(each => encoder.push(each))
      .join('')
      .matchAll(/^data: (.*)$/gm),
  ].map(([, data]) => JSON.parse(data!))
  const itemsOf = (type: string) => frames.filter(each => each.type === type).map(each => each.item)
  expect(itemsOf('response.output_item.done')).toEqual(whole.output)
  const added = itemsOf('response.output_item.added')
  expect(added.map(each => [each.namespace, each.name])).toEqual(
    whole.output.map((each: Json) => [each.namespace, each.name]),
  )
  return whole.output.map(({ type, namespace, name, arguments: json, input }: Json) => ({
    type,
    namespace,
    name,
    input: json ?? input,
  }))
}

it('a call of such a tool is answered with its namespace and its name', () => {
  const calls = [
    { name: 'mcp__notes__read_note', input: '{"number":"2"}' },
    { name: 'exec_command', input: '{}' },
  ]
  expect(answered(fixture('codex-namespaces.request.json'), calls)).toEqual([
    { type: 'function_call', namespace: 'mcp__notes', name: 'read_note', input: '{"number":"2"}' },
    { type: 'function_call', namespace: undefined, name: 'exec_command', input: '{}' },
  ])
})

it('a custom tool of a namespace is called with its bare text', () => {
  const calls = [{ name: 'exec', input: '{"input":"text(1)"}' }]
  expect(answered(fixture('codex-additional-tools.request.json'), calls)).toEqual([
    { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input: 'text(1)' },
  ])
})

it('tools whose names would be equal without the namespace are kept apart', () => {
  const body = {
    input: [
      { type: 'function_call', call_id: '1', namespace: 'a', name: 'b__c', arguments: '{}' },
      { type: 'function_call', call_id: '2', namespace: 'a__b', name: 'c', arguments: '{}' },
    ],
    tools: [tool('a__b__c'), namespace('a', [tool('b__c')]), namespace('a__b', [tool('c')])],
  }
  const { sent } = sentTo('openai-chat', body)
  const names: string[] = sent.tools.map((each: Json) => each.function.name)
  expect(new Set(names).size).toBe(3)
  const called = sent.messages.flatMap((each: Json) => each.tool_calls ?? [])
  expect(called.map((each: Json) => each.function.name)).toEqual(names.slice(1))
  const calls = names.map(name => ({ name, input: '{}' }))
  expect(answered(body, calls)).toMatchObject([
    { namespace: undefined, name: 'a__b__c' },
    { namespace: 'a', name: 'b__c' },
    { namespace: 'a__b', name: 'c' },
  ])
})

it('a tool that is declared twice is sent once, as it was declared last', () => {
  const again = { ...tool('f'), description: 'new' }
  const input = [{ type: 'additional_tools', role: 'developer', tools: [namespace('n', [again])] }]
  const { sent } = sentTo('openai-chat', { input, tools: [namespace('n', [tool('f')])] })
  expect(sent.tools).toMatchObject([{ function: { name: 'n__f', description: 'new' } }])
})

it.each([
  [
    { type: 'function', namespace: 'n', name: 'f' },
    { type: 'function', function: { name: 'n__f' } },
  ],
  [
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'namespace', name: 'n' }] },
    {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'required',
        tools: ['n__f', 'n__g'].map(name => ({ type: 'function', function: { name } })),
      },
    },
  ],
])('the choice %j names the plain tools', (choice, expected) => {
  const tools = [namespace('n', [tool('f'), tool('g')])]
  const body = { input: 'x', tools, tool_choice: choice }
  expect(sentTo('openai-chat', body).sent.tool_choice).toEqual(expected)
})

it.each(['codex-namespaces', 'codex-additional-tools'])(
  'a request with namespaces is written back as it was read: %s',
  name => {
    const body = fixture(`${name}.request.json`)
    const { body: written, warnings } = openaiResponses.encodeRequest(read(body))
    expect([written.tools, warnings]).toEqual([body.tools, []])
    const pick = (items: Json[]) => items.filter(each => each.type !== 'message')
    expect(pick(written.input as Json[])).toMatchObject(
      pick(body.input).map(({ status, id, ...item }: Json) => item),
    )
  },
)

it('a request without namespaces is the same object', () => {
  const request = read({ input: 'x', tools: [tool('f')] })
  expect(openaiResponses.flattenTools!(request)).toBe(request)
})

it('an upstream of the same dialect answers with its own namespace', () => {
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c1',
    namespace: 'mcp__notes',
    name: 'read_note',
    arguments: '{}',
    status: 'completed',
  }
  const request = read(fixture('codex-namespaces.request.json'))
  const answer = openaiResponses.decodeAnswer({
    id: 'r',
    model: 'm',
    status: 'completed',
    output: [item],
  })
  const { body } = openaiResponses.encodeResponse(answer, { request })
  expect(body.output).toEqual([item])
})
