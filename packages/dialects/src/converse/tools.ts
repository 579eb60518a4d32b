import type { ChatRequest, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'
import { cachePoint } from './content-blocks.ts'
import { featuresOf } from './models.ts'

/** Sets `toolConfig`. Requires `body` with messages already set. */
export const encodeTools = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  const { tools = [], toolChoice, parallelTools, model } = request
  const { schemas, cachePoints } = featuresOf(model)
  const calledNames = namesIn(body.messages)
  const isDisabled = toolChoice?.type === 'none'
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : undefined
  const offered = isDisabled
    ? []
    : tools.filter(tool => !allowed || (tool.type !== 'opaque' && allowed.has(tool.name)))
  const encodedTools = offered.flatMap(tool => {
    const encoded = encodeTool(tool, schemas, warnings)
    if (encoded === undefined) return []
    if (tool.type === 'opaque' || !tool.cache) return [encoded]
    if (cachePoints === 'everywhere') return [encoded, cachePoint(tool.cache)]
    warnings.warnDropped('cache marks')
    return [encoded]
  })
  // The vendor rejects messages with tool calls unless the tools are declared.
  if (encodedTools.length === 0) encodedTools.push(...redeclareTools(calledNames, tools, warnings))
  if (encodedTools.length === 0) return
  if (isDisabled) warnings.warnDropped('tool_choice none')
  if (parallelTools === false) warnings.warnDropped('parallel_tool_calls')
  const choice = encodeToolChoice(toolChoice, warnings)
  body.toolConfig = choice ? { tools: encodedTools, toolChoice: choice } : { tools: encodedTools }
}

const namesIn = (messages: Json[]): Set<string> =>
  new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((block: Json) => (block.toolUse ? [block.toolUse.name] : [])),
    ),
  )

const redeclareTools = (
  calledNames: ReadonlySet<string>,
  tools: readonly Tool[],
  warnings: WarningCollector,
): Json[] =>
  [...calledNames].map(name => {
    const tool = tools.find(each => each.type !== 'opaque' && each.name === name)
    const known = tool && encodeTool(tool, false, warnings)
    return known ?? { toolSpec: { name, inputSchema: { json: { type: 'object' } } } }
  })

/** Wraps the free text input of a custom tool, because inputs are objects in this dialect. */
const textSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const encodeTool = (tool: Tool, knowsStrict: boolean, warnings: WarningCollector): Json => {
  if (tool.type === 'opaque') {
    warnings.warnDropped(`tools.${(tool.value as Json)?.type ?? 'opaque'}`)
    return undefined
  }
  warnings.warnForeignFields(tool.unknownFields)
  const toolSpec: Json = { name: tool.name }
  if (tool.description) toolSpec.description = tool.description
  if (tool.type === 'custom') {
    if ((tool.format as Json)?.type === 'grammar') warnings.warnDropped('tools.custom.format')
    toolSpec.inputSchema = { json: textSchema }
    return { toolSpec }
  }
  const given: Json = tool.schema ?? {}
  toolSpec.inputSchema = { json: given.type === 'object' ? given : { ...given, type: 'object' } }
  if (tool.strict && knowsStrict) toolSpec.strict = true
  else if (tool.strict) warnings.warnDropped('tools.strict')
  return { toolSpec }
}

/** Omits `auto`, the default, because some models reject it. */
const encodeToolChoice = (choice: ToolChoice | undefined, warnings: WarningCollector): Json => {
  switch (choice?.type) {
    case 'required':
      return { any: {} }
    case 'tool':
      return { tool: { name: choice.name } }
    case 'allowed':
      return choice.mode === 'required' ? { any: {} } : undefined
    case 'opaque':
      warnings.warnDropped('tool_choice')
      return undefined
    default:
      return undefined
  }
}
