import { type Cursor, isWord, open, text } from './cursor.ts'

/** Types of tools that a vendor runs itself, in the dialects that name them by a type, with or without a version. */
const vendorTool =
  /^(?:web_search(?:_preview|_premium)?|web_fetch|web_extractor|file_search|code_interpreter|code_execution|mcp|mcp_toolset|browser_search|x_search|live_search|collections_search|document_library|builtin_function)(?:_\d[\d_]*)?$/

/** The first two letters of these types as one number, because nearly all types differ there. */
const begins = new Set(
  ['we', 'fi', 'co', 'mc', 'br', 'x_', 'li', 'do', 'bu'].map(
    each => each.charCodeAt(0) * 256 + each.charCodeAt(1),
  ),
)

const typeMax = 40
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
  return decode(bytes, keyStart, keyEnd) === 'type' && vendorTool.test(decode(bytes, start, at))
}

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
