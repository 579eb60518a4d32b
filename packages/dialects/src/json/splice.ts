import type { ByteRange, Edits, ParsedRequest } from '../dialect.ts'

type Cut = { start: number; end: number; text: string }

/** Changes top-level keys; every byte outside an edit stays as it is. The same buffer where nothing changes. */
export const splice = (ask: Pick<ParsedRequest, 'body' | 'fieldRanges'>, edits: Edits): Buffer => {
  const { body, fieldRanges } = ask
  const cuts: Cut[] = []
  const removed = new Set<string>()
  let added = ''
  for (const key of Object.keys(edits)) {
    const text = JSON.stringify(edits[key])
    const place = fieldRanges.get(key)
    if (text === undefined) {
      if (place) removed.add(key)
    } else if (!place) added += `,${JSON.stringify(key)}:${text}`
    else if (body.toString('utf8', place.start, place.end) !== text)
      cuts.push({ start: place.start, end: place.end, text })
  }
  const entries = [...fieldRanges]
  if (removed.size > 0) cuts.push(...removals(entries, removed))
  if (added !== '') cuts.push(addition(body, entries, removed, added))
  return cuts.length === 0 ? body : apply(body, cuts)
}

/** With each key goes what stands between it and the next one that stays; with the last ones, the comma before. */
const removals = (entries: [string, ByteRange][], removed: ReadonlySet<string>): Cut[] => {
  const cuts: Cut[] = []
  const lastKept = entries.findLastIndex(([key]) => !removed.has(key))
  for (const [index, [key, place]] of entries.entries()) {
    if (index > lastKept) break
    if (removed.has(key))
      cuts.push({ start: place.keyStart, end: entries[index + 1]![1].keyStart, text: '' })
  }
  const start = lastKept >= 0 ? entries[lastKept]![1].end : entries[0]![1].keyStart
  cuts.push({ start, end: entries.at(-1)![1].end, text: '' })
  return cuts
}

const addition = (
  body: Buffer,
  entries: [string, ByteRange][],
  removed: ReadonlySet<string>,
  added: string,
): Cut => {
  const kept = entries.findLast(([key]) => !removed.has(key))
  if (kept) return { start: kept[1].end, end: kept[1].end, text: added }
  const start = entries[0]?.[1].keyStart ?? body.indexOf('{') + 1
  return { start, end: start, text: added.slice(1) }
}

const apply = (body: Buffer, cuts: Cut[]): Buffer => {
  // Stable: an insertion stands where it was put, before a removal that begins at the same byte.
  cuts.sort((a, b) => a.start - b.start || a.end - b.end)
  let size = body.length
  for (const { start, end, text } of cuts) size += Buffer.byteLength(text) - (end - start)
  const spliced = Buffer.allocUnsafe(size)
  let from = 0
  let to = 0
  for (const { start, end, text } of cuts) {
    to += body.copy(spliced, to, from, start)
    to += spliced.write(text, to)
    from = end
  }
  body.copy(spliced, to, from)
  return spliced
}
