import type { ResponseFormat, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'
import { dialectId, ownFields, unknownFieldsFor } from './items.ts'

export const decodeTool = (tool: Json): Tool => {
  const { type, name, description, ...more } = tool ?? {}
  if (typeof name !== 'string') return { type: 'opaque', dialect: dialectId, value: tool }
  const head = { name, ...(typeof description === 'string' ? { description } : {}) }
  if (type === 'function') {
    const { parameters, strict, ...rest } = more
    // An absent `strict` means strict here, and a null description differs from an absent one: both are stored.
    const odd = {
      ...(typeof strict === 'boolean' ? {} : { strict: null }),
      ...(description === null ? { description } : {}),
    }
    return {
      type,
      ...head,
      ...(parameters === undefined || parameters === null ? {} : { schema: parameters }),
      ...(typeof strict === 'boolean' ? { strict } : {}),
      ...unknownFieldsFor({ ...odd, ...rest }),
    }
  }
  if (type !== 'custom') return { type: 'opaque', dialect: dialectId, value: tool }
  const { format, ...rest } = more
  return { type, ...head, ...(format === undefined ? {} : { format }), ...unknownFieldsFor(rest) }
}

/** Returns undefined for a tool of another dialect. */
export const encodeTool = (tool: Tool, warnings: WarningCollector): Json | undefined => {
  if (tool.type === 'opaque') {
    if (tool.dialect === dialectId) return tool.value
    warnings.warnDropped(nameOfTool(tool.value))
    return undefined
  }
  warnings.warnForeignFields(tool.unknownFields)
  if (tool.cache) warnings.warnDropped('cache_control')
  const { type, name, description } = tool
  const head = { type, name, ...(description === undefined ? {} : { description }) }
  if (tool.type === 'custom')
    return {
      ...head,
      ...(tool.format === undefined ? {} : { format: tool.format }),
      ...ownFields(tool.unknownFields),
    }
  return {
    ...head,
    parameters: tool.schema ?? { type: 'object', properties: {} },
    // The default is strict here and not strict in other dialects.
    strict: tool.strict ?? false,
    ...ownFields(tool.unknownFields),
  }
}

const nameOfTool = (value: Json): string =>
  String(value?.type ?? value?.name ?? Object.keys(value ?? {})[0] ?? 'tools')

export const decodeToolChoice = (choice: Json): ToolChoice => {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice }
  const { type, name, namespace, mode, tools } = choice ?? {}
  // Only this dialect has namespaces.
  const isPlainName = typeof name === 'string' && namespace === undefined
  if (type === 'function' && isPlainName) return { type: 'tool', name }
  if (type === 'custom' && isPlainName) return { type: 'tool', name, custom: true }
  const isPlainList =
    type === 'allowed_tools' &&
    (mode === 'auto' || mode === 'required') &&
    Array.isArray(tools) &&
    tools.every(
      each =>
        each?.type === 'function' && typeof each.name === 'string' && each.namespace === undefined,
    )
  return isPlainList
    ? { type: 'allowed', mode, names: tools.map(each => each.name) }
    : { type: 'opaque', dialect: dialectId, value: choice }
}

export const encodeToolChoice = (
  choice: ToolChoice,
  warnings: WarningCollector,
): Json | undefined => {
  switch (choice.type) {
    case 'tool':
      return { type: choice.custom ? 'custom' : 'function', name: choice.name }
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.mode,
        tools: choice.names.map(name => ({ type: 'function', name })),
      }
    case 'opaque':
      if (choice.dialect === dialectId) return choice.value as Json
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
  if (format?.type !== 'json_schema') return undefined
  const { type, name, schema, description, strict, ...rest } = format
  return {
    type: 'schema',
    schema,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...unknownFieldsFor({ ...(strict === null ? { strict } : {}), ...rest }),
  }
}

export const encodeFormat = (format: ResponseFormat, warnings: WarningCollector): Json => {
  if (format.type === 'text') return { type: 'text' }
  if (format.type === 'json') return { type: 'json_object' }
  warnings.warnForeignFields(format.unknownFields)
  const { schema, name, description, strict } = format
  return {
    type: 'json_schema',
    // The dialect requires a name.
    name: name ?? 'answer',
    schema,
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
    ...ownFields(format.unknownFields),
  }
}
