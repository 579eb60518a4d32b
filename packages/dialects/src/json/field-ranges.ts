import type { ByteRange } from '../dialect.ts'
import { bad, type Cursor, close, cursorOf, done, isWord, open, step, tooDeep } from './cursor.ts'

/** What most requests have besides: known without being decoded. None is a guarded key in another spelling. */
const usual = ['messages', 'tools', 'tool_choice', 'temperature', 'top_p', 'stop', 'user']

/** More than any request has; keeps a body made of keys from growing a map without bound. */
const keysMax = 512

type Unplaced = {
  ok: false
  reason: 'unreadable' | 'ambiguous' | 'too-deep' | 'invalid'
  hint: string
}
type FieldRanges = { ok: true; fieldRanges: Map<string, ByteRange> } | Unplaced

/**
 * The top-level keys of a JSON object, in their order. A key that stands twice is refused, since parsers disagree on
 * which one counts; so is one of `guarded` in another spelling (escaped, other case), which some parsers take for it.
 */
export const readFieldRanges = (
  bytes: Buffer,
  start: number,
  end: number,
  guarded: readonly string[],
  watch?: (cursor: Cursor, token: number) => void,
): FieldRanges => {
  const cursor = cursorOf(bytes, start, end)
  if (step(cursor) !== open || bytes[cursor.start] !== 0x7b)
    return refuse('unreadable', 'A JSON object is expected.')
  const fieldRanges = new Map<string, ByteRange>()
  let place: ByteRange | undefined
  for (;;) {
    const token = step(cursor)
    if (token === done) return { ok: true, fieldRanges }
    if (token === bad) return refuse('unreadable', `It goes wrong at byte ${cursor.at - start}.`)
    if (token === tooDeep) return refuse('too-deep', '')
    watch?.(cursor, token)
    const isOpening = token === open && cursor.depth === 2
    if (cursor.depth !== 1 && !isOpening) continue
    if (token !== close) {
      const key = keyAt(bytes, cursor, guarded)
      if (typeof key !== 'string') return key
      if (fieldRanges.has(key)) return refuse('ambiguous', `'${key.slice(0, 64)}' stands twice.`)
      if (fieldRanges.size === keysMax) return refuse('invalid', 'It has too many fields.')
      place = { keyStart: cursor.keyStart, start: cursor.start, end: cursor.at }
      fieldRanges.set(key, place)
    } else if (place) place.end = cursor.at
  }
}

const refuse = (reason: Unplaced['reason'], hint: string): Unplaced => ({ ok: false, reason, hint })

const keyAt = (
  bytes: Buffer,
  { keyStart, keyEnd }: Cursor,
  guarded: readonly string[],
): string | Unplaced => {
  for (const name of guarded) if (isWord(bytes, keyStart, keyEnd, name)) return name
  for (const name of usual) if (isWord(bytes, keyStart, keyEnd, name)) return name
  const written = bytes.toString('utf8', keyStart + 1, keyEnd - 1)
  const key = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
  const folded = fold(key)
  return guarded.includes(folded)
    ? refuse('ambiguous', `'${folded}' is written in another way.`)
    : key
}

/** Upper first: it brings in the long s and the Kelvin sign, which some parsers fold into s and k. */
const fold = (key: string): string => key.toUpperCase().toLowerCase()
