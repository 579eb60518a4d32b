import type { ChatRequest, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import { ownFields, unknownFieldsOf } from '../unknown-fields.ts'
import { typeNameOf, type WarningCollector } from '../warnings.ts'
import { decodeCache, encodeCache } from './content-blocks.ts'
import { featuresOf } from './models.ts'

const dialectId = 'anthropic'
const keys = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])

export const decodeTool = (tool: Json): Tool => {
  const isFunction = tool?.type === undefined || tool.type === null || tool.type === 'custom'
  if (!isFunction || typeof tool?.name !== 'string')
    return { type: 'opaque', dialect: dialectId, value: tool }
  const decoded: Tool & { type: 'function' } = { type: 'function', name: tool.name }
  if (typeof tool.description === 'string') decoded.description = tool.description
  if (tool.input_schema) decoded.schema = tool.input_schema
  if (typeof tool.strict === 'boolean') decoded.strict = tool.strict
  const cache = decodeCache(tool.cache_control)
  if (cache) decoded.cache = cache
  const unknownFields = unknownFieldsOf(tool, keys, dialectId)
  if (unknownFields) decoded.unknownFields = unknownFields
  return decoded
}

/** Wraps the free text input of a custom tool, because inputs are objects in this dialect. */
const textSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const encodeTool = (tool: Tool, knowsStrict: boolean, warnings: WarningCollector): Json => {
  if (tool.type === 'opaque') {
    if (tool.dialect === dialectId) return tool.value
    warnings.warnDropped(`tools.${typeNameOf(tool.value)}`)
    return undefined
  }
  warnings.warnForeignFields(tool.unknownFields)
  const encoded: Json = { name: tool.name }
  if (tool.description !== undefined) encoded.description = tool.description
  if (tool.type === 'custom') {
    if ((tool.format as Json)?.type === 'grammar') warnings.warnDropped('tools.custom.format')
    return { ...encoded, input_schema: textSchema }
  }
  encoded.input_schema = objectSchema(tool.schema)
  if (tool.strict !== undefined && knowsStrict) encoded.strict = tool.strict
  else if (tool.strict) warnings.warnDropped('tools.strict')
  if (tool.cache) encoded.cache_control = encodeCache(tool.cache)
  return Object.assign(encoded, ownFields(tool.unknownFields, dialectId))
}

/** The vendor rejects schemas whose top level is not an object. */
const objectSchema = (schema: unknown): Json => {
  const given: Json = schema ?? {}
  return given.type === 'object' ? given : { ...given, type: 'object' }
}

export const decodeToolChoice = (choice: Json, request: ChatRequest): void => {
  if (!choice) return
  const parallel = choice.disable_parallel_tool_use
  if (typeof parallel === 'boolean') request.parallelTools = !parallel
  request.toolChoice = decodeChoice(choice)
}

const decodeChoice = (choice: Json): ToolChoice => {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { type: choice.type }
    case 'any':
      return { type: 'required' }
    case 'tool':
      return { type: 'tool', name: choice.name }
    default:
      return { type: 'opaque', dialect: dialectId, value: choice }
  }
}

export const encodeTools = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  const { tools, toolChoice, parallelTools } = request
  if (!tools) return
  const { schemas } = featuresOf(request.model)
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : undefined
  const encodedTools = tools
    .filter(tool => !allowed || tool.type === 'opaque' || allowed.has(tool.name))
    .map(tool => encodeTool(tool, schemas, warnings))
    .filter(tool => tool !== undefined)
  if (encodedTools.length === 0) return
  body.tools = encodedTools
  const choice = encodeToolChoice(toolChoice, warnings)
  if (choice) body.tool_choice = choice
  if (parallelTools === undefined || (parallelTools && !choice) || choice?.type === 'none') return
  body.tool_choice = { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: !parallelTools }
}

const encodeToolChoice = (choice: ToolChoice | undefined, warnings: WarningCollector): Json => {
  if (!choice) return undefined
  switch (choice.type) {
    case 'tool':
      return { type: 'tool', name: choice.name }
    case 'required':
      return { type: 'any' }
    case 'allowed':
      return { type: choice.mode === 'required' ? 'any' : 'auto' }
    case 'opaque':
      if (choice.dialect === dialectId) return choice.value
      warnings.warnDropped('tool_choice')
      return undefined
    default:
      return { type: choice.type }
  }
}
