import { type Cursor, isWord, open, text } from './cursor.ts'

/**
 * Types of tools that a vendor runs itself, without a version. Tools that the caller runs (`computer`, `local_shell`,
 * `apply_patch`, `bash`, `memory`, `text_editor`) add nothing that the request does not contain.
 */
const vendorTools = [
  // https://developers.openai.com/api/docs/guides/tools
  ...['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'image_generation'],
  ...['mcp', 'shell', 'tool_search'],
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference
  ...['web_fetch', 'code_execution', 'bash_code_execution'],
  ...['tool_search_tool_regex', 'tool_search_tool_bm25', 'mcp_toolset', 'advisor'],
  // https://docs.x.ai/developers/tools/overview
  ...['x_search', 'live_search', 'collections_search', 'attachment_search'],
  // Interactions of Gemini: https://ai.google.dev/gemini-api/docs/interactions
  ...['google_search', 'google_search_retrieval', 'url_context', 'google_maps', 'mcp_server'],
  ...['enterprise_web_search', 'retrieval'],
  // Groq, Mistral, Moonshot, Qwen, Zhipu
  ...['browser_search', 'browser_automation', 'document_library', 'web_search_premium'],
  ...['builtin_function', 'web_extractor', 'image_search', 'web_search_image'],
]

/** Anything of OpenRouter's own runs there: https://openrouter.ai/docs/guides/features/server-tools */
const isOfVendor = (type: string): boolean =>
  type.startsWith('openrouter:') || vendorToolSet.has(type.replace(/_\d[\d_]*$/, ''))

const vendorToolSet: ReadonlySet<string> = new Set(vendorTools)

const firstTwo = (type: string): number => type.charCodeAt(0) * 256 + type.charCodeAt(1)

/** The first two letters of these types as one number, because nearly all other types differ there. */
const begins = new Set([...vendorTools, 'openrouter:'].map(firstTwo))

const typeMax = 64
const escapeLength = 6
const backslash = 0x5c

/** Returns whether a step of the walk is the declaration of a vendor's own tool: by its type, or by one of these keys. */
export const isVendorTool = (
  cursor: Cursor,
  token: number,
  keys: readonly string[] | undefined,
): boolean => {
  if (token === open) return keys !== undefined && cursor.keyStart >= 0 && isKeyOf(cursor, keys)
  if (token !== text || cursor.keyStart < 0) return false
  const { bytes, keyStart, keyEnd, start, at } = cursor
  const isShort = Math.max(at - start, keyEnd - keyStart) <= typeMax * escapeLength
  if (!isShort || !mayBegin(bytes[start + 1]!, bytes[start + 2]!)) return false
  return isKeyOf(cursor, typeKey) && isOfVendor(decode(bytes, start, at))
}

const typeKey = ['type']

const mayBegin = (first: number, second: number): boolean =>
  first === backslash || second === backslash || begins.has(first * 256 + second)

const isKeyOf = (cursor: Cursor, keys: readonly string[]): boolean => {
  const { bytes, keyStart, keyEnd } = cursor
  return keys.some(each => isWord(bytes, keyStart, keyEnd, each)) || isEscapedKeyOf(cursor, keys)
}

/** Returns whether the key at the cursor has an escape and is one of these. */
export const isEscapedKeyOf = (
  { bytes, keyStart, keyEnd }: Cursor,
  keys: readonly string[],
): boolean =>
  bytes.subarray(keyStart, keyEnd).includes(backslash) &&
  keys.includes(decode(bytes, keyStart, keyEnd))

/** Decodes a string with its quotes. Vendors decode escapes, so a type may be written with them. */
const decode = (bytes: Uint8Array, start: number, end: number): string => {
  const written = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString(
    'latin1',
  )
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
}
