import { Fault } from '@hub/contract'
import { scanKeys } from './scan-keys.ts'

/** Values of the caller's own making, which a vendor passes to the model or to nobody. */
const ownData: ReadonlySet<string> = new Set([
  'metadata',
  'requestMetadata',
  'labels',
  'parameters',
  'parametersJsonSchema',
  'input_schema',
  'inputSchema',
  'input_examples',
  'schema',
  'json_schema',
  'responseSchema',
  'responseJsonSchema',
  'functionCall',
  'function_call',
  'toolUse',
])

/** Members of results that have a tool's own data. The other members may have media. */
const resultData: Readonly<Record<string, string>> = {
  functionResponse: 'response',
  function_response: 'response',
  toolResult: 'json',
}

/** Parts of an answer that a client sends back. They name files and pages without giving access to them. */
const pastOutput: ReadonlySet<unknown> = new Set([
  'file_citation',
  'container_file_citation',
  'url_citation',
  'file_path',
  'file_search_call',
  'web_search_call',
  'web_search_result',
  'web_search_tool_result',
  'code_interpreter_call',
  // Files that code has written: https://docs.claude.com/en/docs/agents-and-tools/tool-use/code-execution-tool
  'code_execution_output',
  'bash_code_execution_output',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
])

/** Calls of tools, whose `input` is the caller's own. */
const toolCalls: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])

/** `isPast`: it is part of an earlier answer. `object` has the field. */
type OnField = (name: string, value: unknown, isPast: boolean, object: JsonFields) => void
export type JsonFields = Readonly<Record<string, unknown>>

/** Keys whose values are the caller's own data in this object. */
type Scope = {
  isPast: boolean
  isOwn: boolean
  hidden?: string | undefined
  /** Vendors read everything in a task. */
  isTask?: boolean | undefined
}

/** Nothing in a task is the caller's own data alone. */
export const taskScope: Scope = { isPast: false, isOwn: false, isTask: true }

/** Calls `onField` for each field that may name something to the vendor. Returns the number of all keys. */
export const visitFields = (
  value: unknown,
  onField: OnField,
  scope: Scope = { isPast: false, isOwn: false },
): number => {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value))
    return value.reduce((sum, each) => sum + visitFields(each, onField, scope), 0)
  const { type } = value as { type?: unknown }
  const isPast = scope.isPast || pastOutput.has(type)
  let count = 0
  for (const [name, inner] of Object.entries(value)) {
    const isInput = name === 'input' && toolCalls.has(type) && !Array.isArray(inner)
    const isOwn = scope.isOwn || isInput || ownData.has(name) || name === scope.hidden
    const hidden = resultData[name] ?? (name === 'content' ? scope.hidden : undefined)
    const inside = scope.isTask ? scope : { isPast, isOwn, hidden }
    count += 1 + visitFields(inner, onField, inside)
    if (!scope.isOwn) onField(name, inner, isPast, value as JsonFields)
  }
  return count
}

const addressField = /ur[il]s?$/i
const mediaField = /^(image|mask|video|audio|file)s?$/

/** The field has addresses. */
export const isAddressField = (name: string): boolean => addressField.test(name)

/** The field has links, or media in their place. */
export const isLinkField = (name: string): boolean => isAddressField(name) || mediaField.test(name)

const taskMediaField = /(^|_)(image|mask|video|audio|file)(s|_tail|_list)?$/i
const promptField = /(prompt|text|lyrics|description|title)$/i

/** Vendors of tasks have a name of their own for each link. Prompts are read by the model alone. */
const isTaskLink = (name: string, text: string): boolean =>
  isAddressField(name) ||
  (taskMediaField.test(name) && isPath(text)) ||
  (!promptField.test(name) && /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text))

/** A field of media may hold a word instead, such as `on`. */
const isPath = (text: string): boolean => /[./:\\]/.test(text)

/** The texts of a field that is a text, or a list of them. */
export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

type IsLink = (name: string) => boolean

/** Lists the links of a request, and how many keys it has. */
const listLinks = (request: unknown, isLink: IsLink): { links: string[]; keyCount: number } => {
  const links: string[] = []
  const keyCount = visitFields(request, (name, value) => {
    if (isLink(name))
      links.push(...textsIn(value).filter(text => isAddressField(name) || isPath(text)))
  })
  return { links, keyCount }
}

/** Lists the links of a task, in which nothing is the caller's own data alone. */
export const listTaskLinks = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string') return isTaskLink(name, value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(each => listTaskLinks(each, name))
  return Object.entries(value).flatMap(([key, inner]) => listTaskLinks(inner, key))
}

/** Lists the links of a JSON body. Throws where a vendor could read another value than the one that was checked. */
export const listLinksIn = (body: Buffer, isLink: IsLink = isLinkField): string[] => {
  let request: unknown
  try {
    request = JSON.parse(body.toString())
  } catch (cause) {
    throw new Fault('request.unreadable', { cause })
  }
  const { links, keyCount } = listLinks(request, isLink)
  if (keyCount !== scanKeys(body).count)
    throw new Fault('request.ambiguous', { hint: 'An object with a link has a field twice.' })
  return links
}
