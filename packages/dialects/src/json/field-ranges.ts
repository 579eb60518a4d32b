import type { ByteRange } from '../parsed-request.ts'
import { bad, type Cursor, close, cursorOf, done, isWord, open, step, tooDeep } from './cursor.ts'

/** Frequent keys, recognised without decoding. None is another spelling of a guarded key. */
const frequentKeys = ['messages', 'tools', 'tool_choice', 'temperature', 'top_p', 'stop', 'user']

/** More than any request has. Bounds the map for a body that consists of keys. */
const keysMax = 512

type InvalidFields = {
  ok: false
  reason: 'unreadable' | 'ambiguous' | 'too-deep' | 'invalid'
  hint: string
}
type FieldRanges = { ok: true; fieldRanges: Map<string, ByteRange> } | InvalidFields

/**
 * Reads the top-level keys of a JSON object in order. Refuses a repeated key, because parsers disagree on which one
 * counts, and a guarded key in another spelling (escaped, other case), because some parsers treat them as equal.
 */
export const readFieldRanges = (
  bytes: Buffer,
  start: number,
  end: number,
  guarded: readonly string[],
  onToken?: (cursor: Cursor, token: number) => void,
): FieldRanges => {
  const cursor = cursorOf(bytes, start, end)
  if (step(cursor) !== open || bytes[cursor.start] !== 0x7b)
    return refuse('unreadable', 'A JSON object is expected.')
  const fieldRanges = new Map<string, ByteRange>()
  let range: ByteRange | undefined
  for (;;) {
    const token = step(cursor)
    if (token === done) return { ok: true, fieldRanges }
    if (token === bad) return refuse('unreadable', `It goes wrong at byte ${cursor.at - start}.`)
    if (token === tooDeep) return refuse('too-deep', '')
    onToken?.(cursor, token)
    const isOpening = token === open && cursor.depth === 2
    if (cursor.depth !== 1 && !isOpening) continue
    if (token !== close) {
      const key = keyAt(bytes, cursor, guarded)
      if (typeof key !== 'string') return key
      if (fieldRanges.has(key)) return refuse('ambiguous', `'${key.slice(0, 64)}' stands twice.`)
      if (fieldRanges.size === keysMax) return refuse('invalid', 'It has too many fields.')
      range = { keyStart: cursor.keyStart, start: cursor.start, end: cursor.at }
      fieldRanges.set(key, range)
    } else if (range) range.end = cursor.at
  }
}

const refuse = (reason: InvalidFields['reason'], hint: string): InvalidFields => ({
  ok: false,
  reason,
  hint,
})

const keyAt = (
  bytes: Buffer,
  { keyStart, keyEnd }: Cursor,
  guarded: readonly string[],
): string | InvalidFields => {
  for (const name of guarded) if (isWord(bytes, keyStart, keyEnd, name)) return name
  for (const name of frequentKeys) if (isWord(bytes, keyStart, keyEnd, name)) return name
  const text = bytes.toString('utf8', keyStart + 1, keyEnd - 1)
  const key = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
  const folded = fold(key)
  return guarded.includes(folded)
    ? refuse('ambiguous', `'${folded}' is written in another way.`)
    : key
}

/** Upper case first: this also folds the long s and the Kelvin sign into s and k, as some parsers do. */
const fold = (key: string): string => key.toUpperCase().toLowerCase()
