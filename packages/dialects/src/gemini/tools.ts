import type { ResponseFormat, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'
import { asUnknownFields, dialectId, isObject, ownFields } from './parts.ts'
import { toJsonSchema } from './schema.ts'

/** One entry may hold both functions and built-in tools. */
export const decodeTools = (tools: readonly Json[]): Tool[] =>
  tools.flatMap(tool => {
    const { functionDeclarations, ...others } = tool ?? {}
    const declared = Array.isArray(functionDeclarations) ? functionDeclarations : []
    return [
      ...declared.map(decodeFunction),
      ...Object.entries(others).map(
        ([key, value]): Tool => ({ type: 'opaque', dialect: dialectId, value: { [key]: value } }),
      ),
    ]
  })

const decodeFunction = (declared: Json): Tool => {
  const { name, description, parameters, parametersJsonSchema, ...rest } = declared ?? {}
  const schema = parametersJsonSchema ?? (parameters ? toJsonSchema(parameters) : undefined)
  return {
    type: 'function',
    name: name ?? '',
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { schema }),
    // The original schema is kept for upstreams of this dialect.
    ...asUnknownFields({ ...(parameters ? { parameters } : {}), ...rest }),
  }
}

/** All functions share one entry; each built-in tool gets its own. */
export const encodeTools = (tools: readonly Tool[], warnings: WarningCollector): Json[] => {
  const functions: Json[] = []
  const others: Json[] = []
  for (const tool of tools) {
    if (tool.type !== 'opaque') functions.push(encodeFunction(tool, warnings))
    else if (tool.dialect === dialectId) others.push(tool.value as Json)
    else warnings.warnDropped(kindOf(tool.value as Json))
  }
  return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...others]
}

const kindOf = (value: Json): string => String(value?.type ?? value?.name ?? 'tools')

const encodeFunction = (
  tool: Exclude<Tool, { type: 'opaque' }>,
  warnings: WarningCollector,
): Json => {
  warnings.warnForeignFields(tool.unknownFields)
  if (tool.cache) warnings.warnDropped('cache_control')
  const { name, description } = tool
  const head = { name, ...(description === undefined ? {} : { description }) }
  if (tool.type === 'custom') {
    if (tool.format !== undefined) warnings.warnDropped('format')
    return { ...head, parametersJsonSchema: textInput, ...ownFields(tool.unknownFields) }
  }
  if (tool.strict) warnings.warnDropped('strict')
  const fields = ownFields(tool.unknownFields)
  const hasOwnSchema = tool.schema === undefined || fields.parameters !== undefined
  return { ...head, ...(hasOwnSchema ? {} : { parametersJsonSchema: tool.schema }), ...fields }
}

/** Schema for a custom tool, whose input is plain text. */
const textInput = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const modes: Readonly<Record<string, 'auto' | 'none' | 'required'>> = {
  AUTO: 'auto',
  NONE: 'none',
  ANY: 'required',
}

export const decodeToolChoice = (config: Json): ToolChoice | undefined => {
  const { mode, allowedFunctionNames, ...rest } = config
  const hasNames = Array.isArray(allowedFunctionNames) && allowedFunctionNames.length > 0
  if (mode === undefined && !hasNames) return undefined
  if (Object.keys(rest).length > 0) return { type: 'opaque', dialect: dialectId, value: config }
  if (hasNames && mode === 'ANY')
    return allowedFunctionNames.length === 1
      ? { type: 'tool', name: allowedFunctionNames[0] }
      : { type: 'allowed', mode: 'required', names: allowedFunctionNames }
  if (hasNames && mode === 'VALIDATED')
    return { type: 'allowed', mode: 'auto', names: allowedFunctionNames }
  const type = modes[mode]
  return type && !hasNames ? { type } : { type: 'opaque', dialect: dialectId, value: config }
}

/** https://ai.google.dev/api/caching#FunctionCallingConfig */
export const encodeToolChoice = (
  choice: ToolChoice,
  warnings: WarningCollector,
): Json | undefined => {
  switch (choice.type) {
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return {
        mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED',
        allowedFunctionNames: choice.names,
      }
    case 'opaque':
      if (choice.dialect === dialectId) return choice.value as Json
      warnings.warnDropped('tool_choice')
      return undefined
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    default:
      return { mode: 'AUTO' }
  }
}

/** Returns undefined without a format, or for one that canon does not model. */
export const decodeFormat = (config: Json): ResponseFormat | undefined => {
  const { responseMimeType, responseSchema, responseJsonSchema } = config
  if (responseMimeType === 'text/plain') return { type: 'text' }
  if (responseMimeType !== 'application/json') return undefined
  if (isObject(responseJsonSchema)) return { type: 'schema', schema: responseJsonSchema }
  if (!isObject(responseSchema)) return { type: 'json' }
  return {
    type: 'schema',
    schema: toJsonSchema(responseSchema),
    ...asUnknownFields({ responseSchema }),
  }
}

export const encodeFormat = (format: ResponseFormat, warnings: WarningCollector): Json => {
  if (format.type === 'text') return { responseMimeType: 'text/plain' }
  if (format.type === 'json') return { responseMimeType: 'application/json' }
  warnings.warnForeignFields(format.unknownFields)
  if (format.description !== undefined) warnings.warnDropped('description')
  const { responseSchema } = ownFields(format.unknownFields)
  return {
    responseMimeType: 'application/json',
    ...(responseSchema ? { responseSchema } : { responseJsonSchema: format.schema }),
  }
}
