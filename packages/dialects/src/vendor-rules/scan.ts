import { isPlain, skipSpace } from '../json/cursor.ts'
import type { ParsedRequest } from '../parsed-request.ts'
import type { ToolRules } from './tool-rules.ts'

/**
 * Searches the bytes of a request for a tool name that the vendor refuses. A schema may contain a `name` too, so a find
 * is a suspicion only.
 */
export const mayBreakToolRules = (
  { body, fieldRanges, hasTools }: Pick<ParsedRequest, 'body' | 'fieldRanges' | 'hasTools'>,
  { names }: ToolRules,
): boolean => {
  const tools = fieldRanges.get('tools')
  return (
    hasTools &&
    tools !== undefined &&
    hasRefused(body.subarray(tools.start, tools.end), '"name"', names)
  )
}

const quote = 0x22
const colon = 0x3a

/** Finds a string under this key that the rule refuses. An escaped string counts as refused. */
const hasRefused = (bytes: Buffer, key: string, accepted: RegExp): boolean => {
  const { length } = bytes
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at)) {
    at = skipSpace(bytes, at + key.length, length)
    if (bytes[at] !== colon) continue
    at = skipSpace(bytes, at + 1, length)
    if (bytes[at] !== quote) continue
    const start = at + 1
    at = start
    while (at < length && isPlain(bytes[at]!)) at += 1
    if (bytes[at] !== quote || !accepted.test(bytes.toString('latin1', start, at))) return true
  }
  return false
}
