import type { OpaquePart, Part, Tool, ToolCallPart, ToolResultPart } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import { dialectId } from '../items.ts'

// The caller executes the search: https://developers.openai.com/api/docs/guides/tools-tool-search#client-executed-tool-search

/** The type of the tool, and the name of the function that stands for it in other dialects. */
export const toolSearch = 'tool_search'

type OpaqueTool = Extract<Tool, { type: 'opaque' }>

/** The vendor itself executes a search without `execution`. */
export const isClientSearch = (tool: Tool): boolean => {
  if (tool.type !== 'opaque' || tool.dialect !== dialectId) return false
  const { type, execution } = (tool.value ?? {}) as Json
  return type === toolSearch && execution === 'client'
}

/** The fields of Codex's own declaration, for callers that declare none. */
const defaultParameters = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tools that you need do.' },
    limit: { type: 'number', description: 'The most tools to load.' },
  },
  required: ['query'],
  additionalProperties: false,
}

const defaultDescription =
  'Searches for tools that are not declared yet. The tools that it finds can be called afterwards.'

export const searchFunction = (tool: Tool, name: string): Tool => {
  const { description, parameters } = (tool as OpaqueTool).value as Json
  return {
    type: 'function',
    name,
    description: typeof description === 'string' ? description : defaultDescription,
    schema: parameters ?? defaultParameters,
  }
}

/** A search that a vendor executed has no id of a call, so that no function can stand for it. */
const isItemOf = (part: Part, type: string): part is OpaquePart => {
  if (part.type !== 'opaque' || part.dialect !== dialectId) return false
  const value = (part.value ?? {}) as Json
  return value.type === type && typeof value.call_id === 'string' && value.execution !== 'server'
}

export const isSearchOutput = (part: Part): part is OpaquePart =>
  isItemOf(part, 'tool_search_output') && Array.isArray((part.value as Json).tools)

/** A search of the caller's or its output. */
export const isSearchItem = (part: Part): part is OpaquePart =>
  isItemOf(part, 'tool_search_call') || isSearchOutput(part)

/** `flatName` returns the name under which a loaded tool is declared. */
export const searchPartOf = (
  { value }: OpaquePart,
  name: string,
  flatName: (namespace: string | undefined, name: string) => string,
): ToolCallPart | ToolResultPart => {
  const { type, call_id: id, arguments: input, tools } = value as Json
  if (type === 'tool_search_call')
    return {
      type: 'tool-call',
      id,
      name,
      input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    }
  const loaded = (tools as Json[]).flatMap(each => loadedTools(each ?? {}, flatName))
  return {
    type: 'tool-result',
    id,
    name,
    parts: [{ type: 'text', text: JSON.stringify({ tools: loaded }) }],
  }
}

/** Name and description suffice, because the request declares the tools with their parameters. */
const loadedTools = (
  { type, name, description, tools }: Json,
  flatName: (namespace: string | undefined, name: string) => string,
): object[] => {
  if (type !== 'namespace' || !Array.isArray(tools))
    return [{ name: typeof name === 'string' ? flatName(undefined, name) : type, description }]
  return tools.map((each: Json) => ({
    name: flatName(name, each?.name),
    description: each?.description,
  }))
}

/** The arguments of a call as the item has them: an object, and a text only where the model wrote no JSON. */
export const searchArguments = (input: string): unknown => {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
