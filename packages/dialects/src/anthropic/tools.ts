import type { ChatRequest, Tool, ToolChoice } from '../canon.ts'
import { ownFields, restOf } from '../extra.ts'
import type { Json } from '../json.ts'
import { kindOf, type Noting } from '../notes.ts'
import { decodeCache, encodeCache } from './content-blocks.ts'
import { abilityOf } from './models.ts'

const own = 'anthropic'
const keys = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])

export const decodeTool = (tool: Json): Tool => {
  const isFunction = tool?.type === undefined || tool.type === null || tool.type === 'custom'
  if (!isFunction || typeof tool?.name !== 'string')
    return { type: 'opaque', dialect: own, value: tool }
  const made: Tool & { type: 'function' } = { type: 'function', name: tool.name }
  if (typeof tool.description === 'string') made.description = tool.description
  if (tool.input_schema) made.schema = tool.input_schema
  if (typeof tool.strict === 'boolean') made.strict = tool.strict
  const cache = decodeCache(tool.cache_control)
  if (cache) made.cache = cache
  const extra = restOf(tool, keys, own)
  if (extra) made.extra = extra
  return made
}

/** A tool that takes any text gets it as the one field of an object. */
const textSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const encodeTool = (tool: Tool, knowsStrict: boolean, noting: Noting): Json => {
  if (tool.type === 'opaque') {
    if (tool.dialect === own) return tool.value
    noting.drop(`tools.${kindOf(tool.value)}`)
    return undefined
  }
  noting.dropForeign(tool.extra)
  const said: Json = { name: tool.name }
  if (tool.description !== undefined) said.description = tool.description
  if (tool.type === 'custom') {
    if ((tool.format as Json)?.type === 'grammar') noting.drop('tools.custom.format')
    return { ...said, input_schema: textSchema }
  }
  said.input_schema = schemaOf(tool.schema)
  if (tool.strict !== undefined && knowsStrict) said.strict = tool.strict
  else if (tool.strict) noting.drop('tools.strict')
  if (tool.cache) said.cache_control = encodeCache(tool.cache)
  return Object.assign(said, ownFields(tool.extra, own))
}

/** The vendor wants an object at the top, and says so. */
const schemaOf = (schema: unknown): Json => {
  const given: Json = schema ?? {}
  return given.type === 'object' ? given : { ...given, type: 'object' }
}

export const decodeToolChoice = (choice: Json, request: ChatRequest): void => {
  if (!choice) return
  const parallel = choice.disable_parallel_tool_use
  if (typeof parallel === 'boolean') request.parallelTools = !parallel
  request.toolChoice = choiceOf(choice)
}

const choiceOf = (choice: Json): ToolChoice => {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { type: choice.type }
    case 'any':
      return { type: 'required' }
    case 'tool':
      return { type: 'tool', name: choice.name }
    default:
      return { type: 'opaque', dialect: own, value: choice }
  }
}

export const encodeTools = (request: ChatRequest, body: Json, noting: Noting): void => {
  const { tools, toolChoice, parallelTools } = request
  if (!tools) return
  const { schemas } = abilityOf(request.model)
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : undefined
  const written = tools
    .filter(tool => !allowed || tool.type === 'opaque' || allowed.has(tool.name))
    .map(tool => encodeTool(tool, schemas, noting))
    .filter(tool => tool !== undefined)
  if (written.length === 0) return
  body.tools = written
  const choice = encodeToolChoice(toolChoice, noting)
  if (choice) body.tool_choice = choice
  if (parallelTools === undefined || (parallelTools && !choice) || choice?.type === 'none') return
  body.tool_choice = { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: !parallelTools }
}

const encodeToolChoice = (choice: ToolChoice | undefined, noting: Noting): Json => {
  if (!choice) return undefined
  switch (choice.type) {
    case 'tool':
      return { type: 'tool', name: choice.name }
    case 'required':
      return { type: 'any' }
    case 'allowed':
      return { type: choice.mode === 'required' ? 'any' : 'auto' }
    case 'opaque':
      if (choice.dialect === own) return choice.value
      noting.drop('tool_choice')
      return undefined
    default:
      return { type: choice.type }
  }
}
