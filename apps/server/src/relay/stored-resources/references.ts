import { Fault } from '@hub/contract'
import { isApiHost } from '@hub/providers'
import { hostOf, objectAt } from '../links/check-links.ts'
import { isLinkField, textsIn, visitFields } from '../links/find-links.ts'
import { scanKeys } from '../links/scan-keys.ts'

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

/** Finds the ids of stored objects that a JSON body names, each once. */
export const findReferences = (body: Buffer, hasAddresses?: boolean): string[] => [
  ...new Set(listReferences(body, hasAddresses)),
]

/**
 * Lists the ids of stored objects as often as a JSON body names them, because a vendor reads each. Throws
 * `request.ambiguous` where a name appears twice in one object, because the vendor could read the other value.
 */
export const listReferences = (body: Buffer, hasAddresses = false): string[] => {
  const isNamed = hasAddresses || needles.some(each => body.includes(each))
  if (!isNamed && !body.includes(escapeStart)) return []
  const keys = scanKeys(body)
  if (!isNamed && keys.escaped === 0) return []
  const found: string[] = []
  const count = visitFields(parse(body), (name, value, isPast) => {
    if (isPast) return
    if (fields.has(name)) found.push(...idsIn(value))
    else if (isLinkField(name)) found.push(...textsIn(value).flatMap(fileIdIn))
  })
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

/** The address under which a request names a file: https://ai.google.dev/gemini-api/docs/files */
export const fileAddressOf = (id: string): string => `${vendorOrigin}/v1beta/${id}`

const vendorOrigin = 'https://generativelanguage.googleapis.com'

const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'string') return []
  const address = /^https?:/i.test(value) ? URL.parse(value) : null
  if (!address) return /^(https?|gs|s3|data):/i.test(value) ? [] : [value]
  // Any other address is fetched from where everybody may read it.
  if (!isApiHost(hostOf(address))) return []
  // An address of the vendor in any other form names nothing that the caller could own.
  return [objectAt(address) ?? value]
}

/** The file that a link of another dialect names. Whatever else it names is checked when it leaves. */
const fileIdIn = (text: string): string[] => {
  if (/^files\/[\w-]+$/.test(text)) return [text]
  const address = /^https?:/i.test(text) ? URL.parse(text) : null
  const id = address && isApiHost(hostOf(address)) ? objectAt(address) : undefined
  return id === undefined ? [] : [id]
}
