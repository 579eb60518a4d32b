import type { Json } from '../json/json.ts'
import type { Edits, ParsedRequest } from '../parsed-request.ts'

/**
 * Claude Code begins `system` with a line by which Anthropic recognises it. The line differs between conversations, so no
 * other vendor can cache a prompt behind it: https://github.com/anthropics/claude-code/issues/68900
 */
export const mark = 'x-anthropic-billing-header:'
const needle = Buffer.from(mark)

/** The first block has at most its type and a cache mark before its text. */
const headMax = 256

/** The edits that remove the line from the top of `system`; none where it is not there. */
export const attributionEdits = ({
  body,
  fieldRanges,
}: Pick<ParsedRequest, 'body' | 'fieldRanges'>): Edits => {
  const range = fieldRanges.get('system')
  if (!range) return {}
  const head = body.subarray(range.start, Math.min(range.end, range.start + headMax))
  if (!head.includes(needle)) return {}
  const system: Json = JSON.parse(body.toString('utf8', range.start, range.end))
  const rest = withoutLine(system)
  return rest === system ? {} : { system: rest }
}

/** Returns the same value where it does not begin with the line, and undefined where nothing else is in it. */
const withoutLine = (system: Json): Json => {
  if (typeof system === 'string') return withoutLeadingLines(system) || undefined
  if (!Array.isArray(system)) return system
  for (const [index, block] of system.entries()) {
    if (block?.type !== 'text' || typeof block.text !== 'string') return after(system, index)
    const text = withoutLeadingLines(block.text)
    if (text === block.text) return after(system, index)
    if (text !== '') return [{ ...block, text }, ...system.slice(index + 1)]
  }
  return undefined
}

const after = (system: readonly Json[], index: number): readonly Json[] =>
  index === 0 ? system : system.slice(index)

const withoutLeadingLines = (text: string): string => {
  let rest = text
  while (rest.startsWith(mark)) {
    const end = rest.indexOf('\n')
    rest = end < 0 ? '' : rest.slice(end + 1)
  }
  return rest
}
