import { Fault } from '@hub/contract'
import { scanKeys } from './scan-keys.ts'

/** Fields by which requests name what a vendor stores: an id, a list of ids, or an address that ends in one. */
const fields: ReadonlySet<string> = new Set([
  // https://developers.openai.com/api/docs/guides/pdf-files, and by the same name in Anthropic's Files API
  'file_id',
  'file_ids',
  'input_file_id',
  'vector_store_ids',
  // https://ai.google.dev/gemini-api/docs/files, https://ai.google.dev/gemini-api/docs/caching
  'fileUri',
  'file_uri',
  'cachedContent',
  'cached_content',
])

/** Parts of the names above. Most bodies have none, and are not parsed. */
const needles = [
  ...['file_id', 'vector_store_ids', 'fileUri', 'file_uri', 'cachedContent', 'cached_content'],
].map(each => Buffer.from(each))
/** The beginning of an escaped ASCII letter, since a name may be written with one. */
const escapeStart = Buffer.from('\\u00')

/** Values of the caller's own making, which a vendor passes to the model or to nobody. */
const ownData: ReadonlySet<string> = new Set([
  'metadata',
  'parameters',
  'parametersJsonSchema',
  'input_schema',
  'schema',
  'json_schema',
  'responseSchema',
  'responseJsonSchema',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
])

/** Parts of an answer that a client sends back. They name files without giving access to them. */
const pastOutput: ReadonlySet<unknown> = new Set([
  'file_citation',
  'container_file_citation',
  'file_path',
  'file_search_call',
  'code_interpreter_call',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
])

/** Finds the ids of stored objects that a JSON body names, each once. */
export const findReferences = (body: Buffer): string[] => [...new Set(listReferences(body))]

/**
 * Lists the ids of stored objects as often as a JSON body names them, because a vendor reads each. Throws
 * `request.ambiguous` where a name appears twice in one object, because the vendor could read the other value.
 */
export const listReferences = (body: Buffer): string[] => {
  const isNamed = needles.some(each => body.includes(each))
  if (!isNamed && !body.includes(escapeStart)) return []
  const keys = scanKeys(body)
  if (!isNamed && keys.escaped === 0) return []
  const found: string[] = []
  const count = visit(parse(body), false, found)
  if (count !== keys.count)
    throw new Fault('request.ambiguous', { hint: 'An object that names files has a field twice.' })
  return found
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new Fault('request.unreadable', { cause })
  }
}

/** Collects references; returns the number of keys. */
const visit = (value: unknown, isOpaque: boolean, found: string[]): number => {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value))
    return value.reduce((sum, each) => sum + visit(each, isOpaque, found), 0)
  const isPast = isOpaque || pastOutput.has((value as { type?: unknown }).type)
  let count = 0
  for (const [name, inner] of Object.entries(value)) {
    count += 1 + visit(inner, isPast || ownData.has(name), found)
    if (!isPast && fields.has(name)) found.push(...idsIn(inner))
  }
  return count
}

/** The address under which a request names a file: https://ai.google.dev/gemini-api/docs/files */
export const fileAddressOf = (id: string): string => `${vendorOrigin}/v1beta/${id}`

const vendorOrigin = 'https://generativelanguage.googleapis.com'

const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'string') return []
  if (!/^https?:/i.test(value)) return [value]
  // Any other address is fetched from where everybody may read it.
  const { hostname, pathname } = URL.parse(value) ?? {}
  if (hostname !== undefined && !/^generativelanguage\b.*\.googleapis\.com\.?$/.test(hostname))
    return []
  const [id] = /(?<=\/)files\/[\w-]+$/.exec(pathname ?? '') ?? []
  // An address of the vendor in any other form names nothing that the caller could own.
  return [id ?? value]
}
