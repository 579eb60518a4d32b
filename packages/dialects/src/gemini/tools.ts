import type { Format, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'
import { extraOf, isObject, own, ownFields } from './parts.ts'
import { toJsonSchema } from './schema.ts'

/** One entry may hold functions and built-in tools side by side. */
export const decodeTools = (tools: readonly Json[]): Tool[] =>
  tools.flatMap(tool => {
    const { functionDeclarations, ...others } = tool ?? {}
    const declared = Array.isArray(functionDeclarations) ? functionDeclarations : []
    return [
      ...declared.map(decodeFunction),
      ...Object.entries(others).map(
        ([key, value]): Tool => ({ type: 'opaque', dialect: own, value: { [key]: value } }),
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
    // In its own words for its own upstream.
    ...extraOf({ ...(parameters ? { parameters } : {}), ...rest }),
  }
}

/** Functions share one entry; each built-in tool has its own. */
export const encodeTools = (tools: readonly Tool[], notes: Noting): Json[] => {
  const functions: Json[] = []
  const others: Json[] = []
  for (const tool of tools) {
    if (tool.type !== 'opaque') functions.push(encodeFunction(tool, notes))
    else if (tool.dialect === own) others.push(tool.value as Json)
    else notes.drop(kindOf(tool.value as Json))
  }
  return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...others]
}

const kindOf = (value: Json): string => String(value?.type ?? value?.name ?? 'tools')

const encodeFunction = (tool: Exclude<Tool, { type: 'opaque' }>, notes: Noting): Json => {
  notes.dropForeign(tool.extra)
  if (tool.cache) notes.drop('cache_control')
  const { name, description } = tool
  const head = { name, ...(description === undefined ? {} : { description }) }
  if (tool.type === 'custom') {
    if (tool.format !== undefined) notes.drop('format')
    return { ...head, parametersJsonSchema: textInput, ...ownFields(tool.extra) }
  }
  if (tool.strict) notes.drop('strict')
  const own = ownFields(tool.extra)
  const isTold = tool.schema === undefined || own.parameters !== undefined
  return { ...head, ...(isTold ? {} : { parametersJsonSchema: tool.schema }), ...own }
}

/** A tool whose input is a text. */
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
  const { mode, allowedFunctionNames: names, ...rest } = config
  const hasNames = Array.isArray(names) && names.length > 0
  if (mode === undefined && !hasNames) return undefined
  if (Object.keys(rest).length > 0) return { type: 'opaque', dialect: own, value: config }
  if (hasNames && mode === 'ANY')
    return names.length === 1
      ? { type: 'tool', name: names[0] }
      : { type: 'allowed', mode: 'required', names }
  if (hasNames && mode === 'VALIDATED') return { type: 'allowed', mode: 'auto', names }
  const type = modes[mode]
  return type && !hasNames ? { type } : { type: 'opaque', dialect: own, value: config }
}

/** https://ai.google.dev/api/caching#FunctionCallingConfig */
export const encodeToolChoice = (choice: ToolChoice, notes: Noting): Json | undefined => {
  switch (choice.type) {
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return {
        mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED',
        allowedFunctionNames: choice.names,
      }
    case 'opaque':
      if (choice.dialect === own) return choice.value as Json
      notes.drop('tool_choice')
      return undefined
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    default:
      return { mode: 'AUTO' }
  }
}

/** Undefined where nothing is said of it, or something that canon does not model. */
export const decodeFormat = (config: Json): Format | undefined => {
  const { responseMimeType, responseSchema, responseJsonSchema } = config
  if (responseMimeType === 'text/plain') return { type: 'text' }
  if (responseMimeType !== 'application/json') return undefined
  if (isObject(responseJsonSchema)) return { type: 'schema', schema: responseJsonSchema }
  if (!isObject(responseSchema)) return { type: 'json' }
  return { type: 'schema', schema: toJsonSchema(responseSchema), ...extraOf({ responseSchema }) }
}

export const encodeFormat = (format: Format, notes: Noting): Json => {
  if (format.type === 'text') return { responseMimeType: 'text/plain' }
  if (format.type === 'json') return { responseMimeType: 'application/json' }
  notes.dropForeign(format.extra)
  if (format.description !== undefined) notes.drop('description')
  const { responseSchema } = ownFields(format.extra)
  return {
    responseMimeType: 'application/json',
    ...(responseSchema ? { responseSchema } : { responseJsonSchema: format.schema }),
  }
}
