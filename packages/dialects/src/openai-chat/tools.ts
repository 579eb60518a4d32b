import type { ResponseFormat, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import { ownFields, unknownFieldsOf } from '../unknown-fields.ts'
import { typeNameOf, type WarningCollector } from '../warnings.ts'

type FunctionTool = Tool & { type: 'function' }

const dialectId = 'openai-chat'
const toolKeys = new Set(['type', 'function'])

export const decodeTool = (tool: Json): Tool => {
  if (tool?.type === 'custom' && tool.custom) {
    const { name, description, format } = tool.custom
    return {
      type: 'custom',
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(format ? { format } : {}),
    }
  }
  if (tool?.type !== 'function' || typeof tool.function?.name !== 'string')
    return { type: 'opaque', dialect: dialectId, value: tool }
  const made = decodeFunction(tool.function)
  const unknownFields = unknownFieldsOf(tool, toolKeys, dialectId)
  if (!unknownFields) return made
  made.unknownFields = unknownFields
  const mark = tool.cache_control
  if (mark?.type === 'ephemeral')
    made.cache = mark.ttl === '5m' || mark.ttl === '1h' ? { ttl: mark.ttl } : {}
  return made
}

/** Decodes entries of the old field `functions` too. */
export const decodeFunction = (definition: Json): FunctionTool => {
  const { name, description, parameters, strict } = definition
  const made: FunctionTool = { type: 'function', name }
  if (typeof description === 'string') made.description = description
  if (parameters !== undefined && parameters !== null) made.schema = parameters
  if (typeof strict === 'boolean') made.strict = strict
  return made
}

/** Returns undefined for a tool that this dialect lacks. */
export const encodeTool = (tool: Tool, warnings: WarningCollector): Json => {
  if (tool.type === 'opaque') {
    if (tool.dialect === dialectId) return tool.value
    warnings.warnDropped(`tools.${typeNameOf(tool.value)}`)
    return undefined
  }
  if (tool.type === 'custom') {
    warnings.warnForeignFields(tool.unknownFields)
    const { name, description, format } = tool
    const custom: Json = { name }
    if (description !== undefined) custom.description = description
    if (format !== undefined) custom.format = format
    return { type: 'custom', custom }
  }
  const fields = ownFields(tool.unknownFields, dialectId)
  warnings.warnForeignFields(tool.unknownFields)
  if (tool.cache && !fields) warnings.warnDropped('cache_control')
  const definition: Json = { name: tool.name }
  if (tool.description !== undefined) definition.description = tool.description
  if (tool.schema !== undefined) definition.parameters = tool.schema
  if (tool.strict !== undefined) definition.strict = tool.strict
  return { type: 'function', function: definition, ...fields }
}

export const decodeToolChoice = (choice: Json): ToolChoice => {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { type: choice }
  // Mistral's name for it.
  if (choice === 'any') return { type: 'required' }
  if (choice?.type === 'function' && choice.function)
    return { type: 'tool', name: choice.function.name }
  if (choice?.type === 'custom' && choice.custom)
    return { type: 'tool', name: choice.custom.name, custom: true }
  const allowed = choice?.type === 'allowed_tools' ? choice.allowed_tools : undefined
  const names: unknown[] | undefined = Array.isArray(allowed?.tools)
    ? allowed.tools.map((each: Json) => each?.function?.name)
    : undefined
  if (names?.every(name => typeof name === 'string'))
    return { type: 'allowed', mode: allowed.mode === 'required' ? 'required' : 'auto', names }
  return { type: 'opaque', dialect: dialectId, value: choice }
}

export const encodeToolChoice = (choice: ToolChoice, warnings: WarningCollector): Json => {
  switch (choice.type) {
    case 'tool':
      return choice.custom
        ? { type: 'custom', custom: { name: choice.name } }
        : { type: 'function', function: { name: choice.name } }
    case 'allowed': {
      const tools = choice.names.map(name => ({ type: 'function', function: { name } }))
      return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } }
    }
    case 'opaque':
      if (choice.dialect === dialectId) return choice.value
      warnings.warnDropped('tool_choice')
      return undefined
    default:
      return choice.type
  }
}

/** Returns undefined for a format that canon does not model. */
export const decodeFormat = (format: Json): ResponseFormat | undefined => {
  if (format?.type === 'text') return { type: 'text' }
  if (format?.type === 'json_object') return { type: 'json' }
  const definition = format?.type === 'json_schema' ? format.json_schema : undefined
  if (!definition) return undefined
  const { schema, name, description, strict } = definition
  return {
    type: 'schema',
    schema,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export const encodeFormat = (format: ResponseFormat, warnings: WarningCollector): Json => {
  if (format.type === 'text') return { type: 'text' }
  if (format.type === 'json') return { type: 'json_object' }
  warnings.warnForeignFields(format.unknownFields)
  const { schema, description, strict } = format
  // The dialect requires a name; others have none.
  const definition: Json = { name: format.name ?? 'answer', schema }
  if (description !== undefined) definition.description = description
  if (strict !== undefined) definition.strict = strict
  return { type: 'json_schema', json_schema: definition }
}
