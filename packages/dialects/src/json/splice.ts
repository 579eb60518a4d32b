import type { ByteRange, Edits, ParsedRequest } from '../parsed-request.ts'

type Replacement = { start: number; end: number; text: string }

/** Changes top-level fields. All bytes outside an edit stay; without a change it returns the same buffer. */
export const splice = (
  parsed: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  edits: Edits,
): Buffer => {
  const { body, fieldRanges } = parsed
  const replacements: Replacement[] = []
  const removed = new Set<string>()
  let added = ''
  for (const key of Object.keys(edits)) {
    const text = JSON.stringify(edits[key])
    const range = fieldRanges.get(key)
    if (text === undefined) {
      if (range) removed.add(key)
    } else if (!range) added += `,${JSON.stringify(key)}:${text}`
    else if (body.toString('utf8', range.start, range.end) !== text)
      replacements.push({ start: range.start, end: range.end, text })
  }
  const entries = [...fieldRanges]
  if (removed.size > 0) replacements.push(...removals(entries, removed))
  if (added !== '') replacements.push(addition(body, entries, removed, added))
  return replacements.length === 0 ? body : apply(body, replacements)
}

/** Removes each key up to the next remaining key. For the last keys it removes the comma before them instead. */
const removals = (entries: [string, ByteRange][], removed: ReadonlySet<string>): Replacement[] => {
  const replacements: Replacement[] = []
  const lastRemaining = entries.findLastIndex(([key]) => !removed.has(key))
  for (const [index, [key, range]] of entries.entries()) {
    if (index > lastRemaining) break
    if (removed.has(key))
      replacements.push({ start: range.keyStart, end: entries[index + 1]![1].keyStart, text: '' })
  }
  const start = lastRemaining >= 0 ? entries[lastRemaining]![1].end : entries[0]![1].keyStart
  replacements.push({ start, end: entries.at(-1)![1].end, text: '' })
  return replacements
}

const addition = (
  body: Buffer,
  entries: [string, ByteRange][],
  removed: ReadonlySet<string>,
  added: string,
): Replacement => {
  const remaining = entries.findLast(([key]) => !removed.has(key))
  if (remaining) return { start: remaining[1].end, end: remaining[1].end, text: added }
  const start = entries[0]?.[1].keyStart ?? body.indexOf('{') + 1
  return { start, end: start, text: added.slice(1) }
}

const apply = (body: Buffer, replacements: Replacement[]): Buffer => {
  // The sort is stable: an insertion precedes a removal that begins at the same byte.
  replacements.sort((a, b) => a.start - b.start || a.end - b.end)
  let size = body.length
  for (const { start, end, text } of replacements) size += Buffer.byteLength(text) - (end - start)
  const spliced = Buffer.allocUnsafe(size)
  let from = 0
  let to = 0
  for (const { start, end, text } of replacements) {
    to += body.copy(spliced, to, from, start)
    to += spliced.write(text, to)
    from = end
  }
  body.copy(spliced, to, from)
  return spliced
}
