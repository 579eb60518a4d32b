import { describe, expect, it } from 'vitest'
import type { ChatRequest, Tool, ToolChoice } from '../canon.ts'
import { anthropic } from './index.ts'

const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })
const opaque = (value: unknown, dialect: 'anthropic' | 'openai-chat' = 'anthropic') => ({
  type: 'opaque' as const,
  dialect,
  value,
})

const read = (body: object): ChatRequest => {
  const result = anthropic.decodeRequest({ model: 'm', messages: [], ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}

const ask = (request: Partial<ChatRequest>) => {
  const { body, warnings } = anthropic.encodeRequest({
    model: 'claude-sonnet-4-5',
    messages: [],
    ...request,
  })
  const { tools, tool_choice } = body
  return { tools, tool_choice, warnings: warnings.map(each => each.dropped) }
}

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use
describe('tools', () => {
  it.each<[unknown, Tool]>([
    [{ name: 'f' }, { type: 'function', name: 'f' }],
    [
      { type: null, name: 'f' },
      { type: 'function', name: 'f' },
    ],
    [
      {
        type: 'custom',
        name: 'f',
        description: 'd',
        input_schema: { type: 'object' },
        strict: false,
        cache_control: { type: 'ephemeral' },
        defer_loading: true,
      },
      {
        type: 'function',
        name: 'f',
        description: 'd',
        schema: { type: 'object' },
        strict: false,
        cache: {},
        unknownFields: dialectId({ defer_loading: true }),
      },
    ],
    [
      { name: 'f', description: 7, strict: 'yes' },
      { type: 'function', name: 'f' },
    ],
    [{ type: 'custom' }, opaque({ type: 'custom' })],
    [
      { type: 'web_search_20250305', name: 'web_search' },
      opaque({ type: 'web_search_20250305', name: 'web_search' }),
    ],
    [null, opaque(null)],
  ])('%j is read', (tool, made) => expect(read({ tools: [tool] }).tools).toStrictEqual([made]))

  const object = { type: 'object' }
  it.each<[Tool, unknown, string[]]>([
    [{ type: 'function', name: 'f' }, { name: 'f', input_schema: object }, []],
    [
      {
        type: 'function',
        name: 'f',
        description: 'd',
        schema: { ...object, properties: {} },
        strict: true,
        cache: { ttl: '1h' },
        unknownFields: dialectId({ defer_loading: true }),
      },
      {
        name: 'f',
        description: 'd',
        input_schema: { ...object, properties: {} },
        strict: true,
        cache_control: { type: 'ephemeral', ttl: '1h' },
        defer_loading: true,
      },
      [],
    ],
    [
      { type: 'function', name: 'f', schema: { anyOf: [] }, strict: false },
      { name: 'f', input_schema: { anyOf: [], type: 'object' }, strict: false },
      [],
    ],
    [
      { type: 'function', name: 'f', unknownFields: { dialect: 'openai-chat', fields: { x: 1 } } },
      { name: 'f', input_schema: object },
      ['x'],
    ],
    [
      { type: 'custom', name: 'f', format: { type: 'text' } },
      {
        name: 'f',
        input_schema: { ...object, properties: { input: { type: 'string' } }, required: ['input'] },
      },
      [],
    ],
    [
      { type: 'custom', name: 'f', description: 'd', format: { type: 'grammar' } },
      {
        name: 'f',
        description: 'd',
        input_schema: { ...object, properties: { input: { type: 'string' } }, required: ['input'] },
      },
      ['tools.custom.format'],
    ],
    [opaque({ type: 'bash_20250124', name: 'bash' }), { type: 'bash_20250124', name: 'bash' }, []],
  ])('%j is told, and %j is all that is said of it', (tool, content, warnings) =>
    expect(ask({ tools: [tool] })).toStrictEqual({
      tools: [content],
      tool_choice: undefined,
      warnings,
    }),
  )

  it('a model that knows no strict tools is asked for none', () => {
    const strictly = (strict: boolean) =>
      ask({ model: 'claude-opus-4-1', tools: [{ type: 'function', name: 'f', strict }] })
    const tools = [{ name: 'f', input_schema: object }]
    expect(strictly(true)).toMatchObject({ tools, warnings: ['tools.strict'] })
    expect(strictly(false)).toStrictEqual({ tools, tool_choice: undefined, warnings: [] })
  })

  it('where no tool is left, there is none to choose', () => {
    const tools = [opaque({ type: 'x_tool' }, 'openai-chat')]
    const nothing = { tools: undefined, tool_choice: undefined }
    const toolChoice = { type: 'required' as const }
    expect(ask({ tools, toolChoice })).toEqual({ ...nothing, warnings: ['tools.x_tool'] })
    expect(ask({ toolChoice, parallelTools: false })).toEqual({ ...nothing, warnings: [] })
    expect(ask({ tools: [], toolChoice })).toEqual({ ...nothing, warnings: [] })
  })
})

describe('the choice of a tool', () => {
  it.each<[object, ToolChoice, boolean | undefined]>([
    [{ type: 'auto' }, { type: 'auto' }, undefined],
    [{ type: 'none' }, { type: 'none' }, undefined],
    [{ type: 'any', disable_parallel_tool_use: true }, { type: 'required' }, false],
    [{ type: 'auto', disable_parallel_tool_use: false }, { type: 'auto' }, true],
    [{ type: 'any', disable_parallel_tool_use: 'no' }, { type: 'required' }, undefined],
    [{ type: 'tool', name: 'f' }, { type: 'tool', name: 'f' }, undefined],
    [{ type: 'x' }, opaque({ type: 'x' }), undefined],
  ])('%j is read', (tool_choice, toolChoice, parallelTools) => {
    const request = read({ tool_choice })
    expect([request.toolChoice, request.parallelTools]).toStrictEqual([toolChoice, parallelTools])
  })

  it.each<[ToolChoice | undefined, boolean | undefined, unknown, string[]]>([
    [undefined, undefined, undefined, []],
    [undefined, true, undefined, []],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }, []],
    [{ type: 'auto' }, undefined, { type: 'auto' }, []],
    [{ type: 'auto' }, true, { type: 'auto', disable_parallel_tool_use: false }, []],
    [{ type: 'none' }, false, { type: 'none' }, []],
    [{ type: 'required' }, false, { type: 'any', disable_parallel_tool_use: true }, []],
    [{ type: 'tool', name: 'f' }, undefined, { type: 'tool', name: 'f' }, []],
    [opaque({ type: 'x' }), undefined, { type: 'x' }, []],
    [opaque({ type: 'x' }, 'openai-chat'), undefined, undefined, ['tool_choice']],
  ])('%j, parallel: %j, is told as %j', (toolChoice, parallelTools, content, warnings) => {
    const tools: Tool[] = [{ type: 'function', name: 'f' }]
    const encoded = ask({
      tools,
      ...(toolChoice && { toolChoice }),
      ...(parallelTools !== undefined && { parallelTools }),
    })
    expect([encoded.tool_choice, encoded.warnings]).toStrictEqual([content, warnings])
  })

  it.each([
    ['auto', 'auto'],
    ['required', 'any'],
  ] as const)('only the tools that are allowed are told (%s)', (mode, type) => {
    const server = { type: 'bash_20250124', name: 'bash' }
    const encoded = ask({
      tools: [
        { type: 'function', name: 'a' },
        { type: 'custom', name: 'b' },
        { type: 'function', name: 'c' },
        opaque(server),
      ],
      toolChoice: { type: 'allowed', mode, names: ['b', 'c'] },
    })
    expect(encoded.tools).toMatchObject([{ name: 'b' }, { name: 'c' }, server])
    expect(encoded.tool_choice).toEqual({ type })
  })
})
