import { createHash } from 'node:crypto'
import type { ChatRequest, Message, Part, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import { dialectId, ownFields } from './items.ts'
import { decodeTool } from './tools.ts'

/** A tool as its caller declared it. */
export type DeclaredTool = { name: string; namespace?: string; custom?: true }

/** Tools of a namespace by the names under which other dialects know them, and tools that take a text. */
export type DeclaredTools = ReadonlyMap<string, DeclaredTool>

/** A tool without a namespace belongs to this one: openai/codex, codex-rs/protocol/src/tool_name.rs */
const defaultNamespace = 'functions'

/**
 * Rewrites namespaces of tools, and tools that an item of the input declares, as plain tools. Codex declares MCP servers
 * and sub-agents so: https://github.com/openai/codex/issues/33263. Returns the request itself where it has neither.
 */
export const flattenTools = (request: ChatRequest): ChatRequest => {
  const { tools, messages, toolChoice } = request
  const hasNamespaces =
    tools?.some(isNamespace) || messages.some(each => each.parts.some(isNamespaced))
  if (!hasNamespaces) return request
  const names = new FlatNames()
  const flat = latest(allTools(request).flatMap(each => flattenTool(each, names)))
  return {
    ...request,
    messages: messages.flatMap(each => flattenMessage(each, names)),
    ...(flat.length > 0 ? { tools: flat } : {}),
    ...(toolChoice ? { toolChoice: flattenChoice(toolChoice, names) } : {}),
  }
}

/** The tools that an answer's calls are written as, in the names of `flattenTools`. */
export const declaredToolsOf = (request: ChatRequest | undefined): DeclaredTools => {
  const declared = new Map<string, DeclaredTool>()
  if (!request) return declared
  const names = new FlatNames()
  for (const tool of allTools(request)) {
    if (!isNamespace(tool)) {
      flattenTool(tool, names)
      if (tool.type === 'custom') declared.set(tool.name, { name: tool.name, custom: true })
      continue
    }
    const { name: namespace } = tool.value as Json
    for (const member of membersOf(tool)) {
      const { name } = member
      const custom = member.type === 'custom' ? { custom: true as const } : {}
      declared.set(names.of(namespace, name), { name, namespace, ...custom })
    }
  }
  return declared
}

/** Items of the input declare a tool again in every turn. */
const latest = (tools: readonly Tool[]): Tool[] => {
  const last = new Map(tools.map((tool, at) => [isNamed(tool) ? tool.name : tool, at] as const))
  return tools.filter((tool, at) => last.get(isNamed(tool) ? tool.name : tool) === at)
}

type NamedTool = Exclude<Tool, { type: 'opaque' }>
type OpaqueTool = Extract<Tool, { type: 'opaque' }>

/** Gives each tool one name without its namespace. */
class FlatNames {
  private readonly owners = new Map<string, string>()

  of(namespace: string, name: string): string {
    const owner = JSON.stringify([namespace, name])
    const flat = namespace === defaultNamespace ? name : joined(namespace, name)
    const holder = this.owners.get(flat) ?? owner
    const unique =
      holder === owner
        ? flat
        : `${flat}_${createHash('sha256').update(owner).digest('hex').slice(0, 10)}`
    this.owners.set(unique, owner)
    return unique
  }

  /** The flat names of a whole namespace. */
  membersOf(namespace: string): string[] {
    return [...this.owners].flatMap(([flat, owner]) =>
      JSON.parse(owner)[0] === namespace ? [flat] : [],
    )
  }
}

/** MCP tools are `mcp__server__tool` in the prompts of every client. */
const joined = (namespace: string, name: string): string =>
  namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`

const isNamespace = (tool: Tool): tool is OpaqueTool => {
  if (tool.type !== 'opaque' || tool.dialect !== dialectId) return false
  const { type, name, tools } = (tool.value ?? {}) as Json
  return type === 'namespace' && typeof name === 'string' && Array.isArray(tools)
}

const isAdditionalTools = (part: Part): part is Extract<Part, { type: 'opaque' }> =>
  part.type === 'opaque' &&
  part.dialect === dialectId &&
  (part.value as Json)?.type === 'additional_tools' &&
  Array.isArray((part.value as Json).tools)

const namespaceOf = (part: Part): string | undefined => {
  const namespace =
    part.type === 'tool-call' ? ownFields(part.unknownFields).item?.namespace : undefined
  return typeof namespace === 'string' ? namespace : undefined
}

const isNamespaced = (part: Part): boolean =>
  isAdditionalTools(part) || namespaceOf(part) !== undefined

/** The declared tools, of the request and of items in its input. */
const allTools = ({ tools = [], messages }: ChatRequest): Tool[] => {
  const items = messages.flatMap(each => each.parts.filter(isAdditionalTools))
  return [
    ...tools,
    ...items.flatMap(each => ((each.value as Json).tools as Json[]).map(decodeTool)),
  ]
}

const membersOf = ({ value }: OpaqueTool): NamedTool[] =>
  ((value as Json).tools as Json[]).map(decodeTool).filter(isNamed)

const isNamed = (tool: Tool): tool is NamedTool => tool.type !== 'opaque'

const flattenTool = (tool: Tool, names: FlatNames): Tool[] => {
  if (!isNamespace(tool)) {
    // Takes the name, so that a member of a namespace gets another one.
    if (isNamed(tool)) names.of(defaultNamespace, tool.name)
    return [tool]
  }
  const { name: namespace, description } = tool.value as Json
  return membersOf(tool).map((member, index) => ({
    ...member,
    name: names.of(namespace, member.name),
    ...(index === 0 && isMeaningful(namespace, description)
      ? withLostField(member, 'namespace.description', description)
      : {}),
  }))
}

/** Codex writes a sentence that repeats the name where a namespace has no description. */
const isMeaningful = (namespace: string, description: unknown): boolean =>
  typeof description === 'string' &&
  description !== '' &&
  description !== `Tools in the ${namespace} namespace.`

/** An encoder of another dialect warns of the field. */
const withLostField = ({ unknownFields }: NamedTool, name: string, value: unknown) => ({
  unknownFields: {
    dialect: dialectId as 'openai-responses',
    fields: { ...ownFields(unknownFields), [name]: value },
  },
})

const flattenMessage = (message: Message, names: FlatNames): Message[] => {
  if (!message.parts.some(isNamespaced)) return [message]
  const parts = message.parts
    .filter(part => !isAdditionalTools(part))
    .map(part => {
      const namespace = namespaceOf(part)
      return part.type === 'tool-call' && namespace !== undefined
        ? { ...part, name: names.of(namespace, part.name) }
        : part
    })
  return parts.length > 0 ? [{ ...message, parts }] : []
}

/** A choice that names a tool of a namespace is opaque in canon. */
const flattenChoice = (choice: ToolChoice, names: FlatNames): ToolChoice => {
  if (choice.type !== 'opaque' || choice.dialect !== dialectId) return choice
  const { type, name, namespace, mode, tools } = (choice.value ?? {}) as Json
  const isTool = (type === 'function' || type === 'custom') && typeof name === 'string'
  if (isTool && typeof namespace === 'string') {
    const custom = type === 'custom' ? { custom: true as const } : {}
    return { type: 'tool', name: names.of(namespace, name), ...custom }
  }
  if (type !== 'allowed_tools' || !Array.isArray(tools)) return choice
  const allowed = tools.map((each: Json) => allowedNames(each, names))
  if (allowed.some(each => each === undefined)) return choice
  return {
    type: 'allowed',
    mode: mode === 'required' ? 'required' : 'auto',
    names: allowed.flatMap(each => each ?? []),
  }
}

const allowedNames = (entry: Json, names: FlatNames): string[] | undefined => {
  const { type, name, namespace } = entry ?? {}
  if (typeof name !== 'string') return undefined
  if (type === 'namespace') return names.membersOf(name)
  if (type !== 'function' && type !== 'custom') return undefined
  return [names.of(typeof namespace === 'string' ? namespace : defaultNamespace, name)]
}
