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

/** Returns whether a step of the walk is the declaration of a vendor's own tool: by its type, or by one of these keys. */
export const isVendorTool = (
  { bytes, keyStart, keyEnd, start, at }: Cursor,
  token: number,
  keys: readonly string[] | undefined,
): boolean => {
  if (token === open)
    return (
      keys !== undefined &&
      keyStart >= 0 &&
      keys.some(each => isWord(bytes, keyStart, keyEnd, each))
    )
  if (token !== text || keyStart < 0 || keyEnd - keyStart !== 6) return false
  if (!begins.has(bytes[start + 1]! * 256 + bytes[start + 2]!)) return false
  if (at - start > typeMax || !isWord(bytes, keyStart, keyEnd, 'type')) return false
  return vendorTool.test(String.fromCharCode(...bytes.subarray(start + 1, at - 1)))
}
