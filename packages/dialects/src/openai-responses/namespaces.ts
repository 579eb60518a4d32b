import { createHash } from 'node:crypto'
import type { ChatRequest, Message, Part, Tool, ToolChoice } from '../canon.ts'
import type { Json } from '../json/json.ts'
import { dialectId, ownFields } from './items.ts'
import {
  isClientSearch,
  isSearchItem,
  isSearchOutput,
  searchFunction,
  searchPartOf,
  toolSearch,
} from './request/tool-search.ts'
import { decodeTool } from './tools.ts'

/** A tool as its caller declared it. `isSearch`: its call is a search for tools that the caller executes. */
export type DeclaredTool = { name: string; namespace?: string; custom?: true; isSearch?: true }

/** Tools of a namespace by the names under which other dialects know them, and tools that take a text. */
export type DeclaredTools = ReadonlyMap<string, DeclaredTool>

/** A tool without a namespace belongs to this one: openai/codex, codex-rs/protocol/src/tool_name.rs */
const defaultNamespace = 'functions'

/**
 * Rewrites as plain tools: namespaces, tools that an item of the input declares, and the search for deferred tools with what
 * it has loaded. Codex declares MCP servers and sub-agents so: https://github.com/openai/codex/issues/33263. Returns the
 * request itself where it has none of them.
 */
export const flattenTools = (request: ChatRequest): ChatRequest => {
  const { tools, messages, toolChoice } = request
  const isRewritten =
    tools?.some(each => isNamespace(each) || isClientSearch(each)) ||
    messages.some(each => each.parts.some(isRewrittenPart))
  if (!isRewritten) return request
  const all = allTools(request)
  const names = namesOf(all)
  const flat = latest(all.flatMap(each => flattenTool(each, names)))
  return {
    ...request,
    messages: joinResults(messages.flatMap(each => flattenMessage(each, names))),
    ...(flat.length > 0 ? { tools: flat } : {}),
    ...(toolChoice ? { toolChoice: flattenChoice(toolChoice, names) } : {}),
  }
}

/** The tools that an answer's calls are written as, in the names of `flattenTools`. */
export const declaredToolsOf = (request: ChatRequest | undefined): DeclaredTools => {
  const declared = new Map<string, DeclaredTool>()
  if (!request) return declared
  const all = allTools(request)
  const names = namesOf(all)
  for (const tool of all) {
    if (isClientSearch(tool)) declared.set(names.ofSearch(), { name: toolSearch, isSearch: true })
    if (!isNamespace(tool)) {
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

/** Plain tools keep their names, so that they take theirs first, and the search takes what is left. */
const namesOf = (tools: readonly Tool[]): FlatNames => {
  const names = new FlatNames()
  for (const tool of tools) if (isNamed(tool)) names.of(defaultNamespace, tool.name)
  for (const tool of tools)
    if (isNamespace(tool))
      for (const { name } of membersOf(tool)) names.of((tool.value as Json).name, name)
  return names
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
    const flat = namespace === defaultNamespace ? name : joined(namespace, name)
    return this.unique(flat, JSON.stringify([namespace, name]))
  }

  ofSearch(): string {
    return this.unique(toolSearch, JSON.stringify(['', toolSearch, 'search']))
  }

  private unique(flat: string, owner: string): string {
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

const isRewrittenPart = (part: Part): boolean =>
  isAdditionalTools(part) || isSearchItem(part) || namespaceOf(part) !== undefined

/**
 * The tools that the model may call: those of the request, of items in its input, and of the outputs of searches. A deferred
 * tool waits for such an output where the caller searches. Where it does not, nothing could load the tool later.
 */
const allTools = ({ tools = [], messages }: ChatRequest): Tool[] => {
  const parts = messages.flatMap(each => each.parts)
  const declared = [...tools, ...parts.filter(isAdditionalTools).flatMap(toolsIn)]
  const loaded = parts.filter(isSearchOutput).flatMap(toolsIn).map(withoutDeferral)
  const atOnce = declared.some(isClientSearch) ? declared.flatMap(withoutDeferred) : declared
  return [...atOnce, ...loaded]
}

/** A tool may be declared by an item of the input alone. */
export const declaresTools = (request: ChatRequest): boolean => allTools(request).length > 0

const toolsIn = ({ value }: { value: unknown }): Tool[] =>
  ((value as Json).tools as Json[]).map(decodeTool)

const isDeferred = (tool: Tool): boolean =>
  isNamed(tool) && ownFields(tool.unknownFields).defer_loading === true

/** The tool without what is deferred of it; nothing where all of it is. */
const withoutDeferred = (tool: Tool): Tool[] => {
  if (!isNamespace(tool)) return isDeferred(tool) ? [] : [tool]
  const value = tool.value as Json
  const tools = (value.tools as Json[]).filter(each => each?.defer_loading !== true)
  return tools.length > 0 ? [{ ...tool, value: { ...value, tools } }] : []
}

/** A loaded tool is deferred no longer. */
const withoutDeferral = (tool: Tool): Tool => {
  if (isNamespace(tool)) {
    const value = tool.value as Json
    const tools = (value.tools as Json[]).map(({ defer_loading, ...each }) => each)
    return { ...tool, value: { ...value, tools } }
  }
  if (!isNamed(tool) || !tool.unknownFields) return tool
  const { defer_loading, ...fields } = tool.unknownFields.fields
  return { ...tool, unknownFields: { ...tool.unknownFields, fields } }
}

const membersOf = ({ value }: OpaqueTool): NamedTool[] =>
  ((value as Json).tools as Json[]).map(decodeTool).filter(isNamed)

const isNamed = (tool: Tool): tool is NamedTool => tool.type !== 'opaque'

const flattenTool = (tool: Tool, names: FlatNames): Tool[] => {
  if (isClientSearch(tool)) return [searchFunction(tool, names.ofSearch())]
  if (!isNamespace(tool)) return [tool]
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

/** A message of the caller's items becomes several where the output of a search stands among them. */
const flattenMessage = (message: Message, names: FlatNames): Message[] => {
  if (!message.parts.some(isRewrittenPart)) return [message]
  const flat: Message[] = []
  for (const each of message.parts) {
    if (isAdditionalTools(each)) continue
    const part = flattenPart(each, names)
    const role = part.type === 'tool-result' ? 'tool' : message.role
    const last = flat.at(-1)
    if (last?.role === role) last.parts.push(part)
    else flat.push({ ...(role === message.role ? message : { role }), parts: [part] })
  }
  return flat
}

const flattenPart = (part: Part, names: FlatNames): Part => {
  if (isSearchItem(part))
    return searchPartOf(part, names.ofSearch(), (namespace, name) =>
      names.of(namespace ?? defaultNamespace, name),
    )
  const namespace = namespaceOf(part)
  return part.type === 'tool-call' && namespace !== undefined
    ? { ...part, name: names.of(namespace, part.name) }
    : part
}

/** The results of one turn are one message, in whichever order their calls were answered. */
const joinResults = (messages: readonly Message[]): Message[] => {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role === 'tool' && last?.role === 'tool')
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else joined.push(message)
  }
  return joined
}

/** A choice that names a tool of a namespace is opaque in canon. */
const flattenChoice = (choice: ToolChoice, names: FlatNames): ToolChoice => {
  if (choice.type !== 'opaque' || choice.dialect !== dialectId) return choice
  const { type, name, namespace, mode, tools } = (choice.value ?? {}) as Json
  if (type === toolSearch) return { type: 'tool', name: names.ofSearch() }
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
  if (type === toolSearch) return [names.ofSearch()]
  if (typeof name !== 'string') return undefined
  if (type === 'namespace') return names.membersOf(name)
  if (type !== 'function' && type !== 'custom') return undefined
  return [names.of(typeof namespace === 'string' ? namespace : defaultNamespace, name)]
}
