import type { ChatRequest, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'
import { cachePoint } from './content-blocks.ts'
import { abilityOf } from './models.ts'

/** `toolConfig`. `body` has its messages already. */
export const encodeTools = (request: ChatRequest, body: Json, noting: Noting): void => {
  const { tools = [], toolChoice, parallelTools, model } = request
  const { schemas, marks } = abilityOf(model)
  const called = namesIn(body.messages)
  const isOff = toolChoice?.type === 'none'
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : undefined
  const offered = isOff
    ? []
    : tools.filter(tool => !allowed || (tool.type !== 'opaque' && allowed.has(tool.name)))
  const written = offered.flatMap(tool => {
    const said = encodeTool(tool, schemas, noting)
    if (said === undefined) return []
    if (tool.type === 'opaque' || !tool.cache) return [said]
    if (marks === 'everywhere') return [said, cachePoint(tool.cache)]
    noting.drop('cache marks')
    return [said]
  })
  // A conversation in which tools were called is refused without tools.
  if (written.length === 0) written.push(...remembered(called, tools, noting))
  if (written.length === 0) return
  if (isOff) noting.drop('tool_choice none')
  if (parallelTools === false) noting.drop('parallel_tool_calls')
  const choice = encodeToolChoice(toolChoice, noting)
  body.toolConfig = choice ? { tools: written, toolChoice: choice } : { tools: written }
}

const namesIn = (messages: Json[]): Set<string> =>
  new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((block: Json) => (block.toolUse ? [block.toolUse.name] : [])),
    ),
  )

const remembered = (called: ReadonlySet<string>, tools: readonly Tool[], noting: Noting): Json[] =>
  [...called].map(name => {
    const tool = tools.find(each => each.type !== 'opaque' && each.name === name)
    const known = tool && encodeTool(tool, false, noting)
    return known ?? { toolSpec: { name, inputSchema: { json: { type: 'object' } } } }
  })

/** A tool that takes any text gets it as the one field of an object. */
const textSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const encodeTool = (tool: Tool, knowsStrict: boolean, noting: Noting): Json => {
  if (tool.type === 'opaque') {
    noting.drop(`tools.${(tool.value as Json)?.type ?? 'opaque'}`)
    return undefined
  }
  noting.dropForeign(tool.extra)
  const toolSpec: Json = { name: tool.name }
  if (tool.description) toolSpec.description = tool.description
  if (tool.type === 'custom') {
    if ((tool.format as Json)?.type === 'grammar') noting.drop('tools.custom.format')
    toolSpec.inputSchema = { json: textSchema }
    return { toolSpec }
  }
  const given: Json = tool.schema ?? {}
  toolSpec.inputSchema = { json: given.type === 'object' ? given : { ...given, type: 'object' } }
  if (tool.strict && knowsStrict) toolSpec.strict = true
  else if (tool.strict) noting.drop('tools.strict')
  return { toolSpec }
}

/** To choose freely is what it does unasked, and some models refuse the word for it. */
const encodeToolChoice = (choice: ToolChoice | undefined, noting: Noting): Json => {
  switch (choice?.type) {
    case 'required':
      return { any: {} }
    case 'tool':
      return { tool: { name: choice.name } }
    case 'allowed':
      return choice.mode === 'required' ? { any: {} } : undefined
    case 'opaque':
      noting.drop('tool_choice')
      return undefined
    default:
      return undefined
  }
}
