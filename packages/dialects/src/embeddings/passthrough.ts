import type { Ask } from '../dialect.ts'
import { type Cursor, done, isWord, step, text } from '../json/cursor.ts'

const bytesPerToken = 3

/** Whether a string or a scalar, at which the cursor stands, is something to be read. */
type Choice = (cursor: Cursor, token: number) => boolean

/** What reading an input costs, by the same cautious measure as of a chat; a number is a token that was counted already. */
export const inputTokensIn = (cursor: Cursor, isInput: Choice): number => {
  let tokens = 0
  for (let token = step(cursor); token > done; token = step(cursor)) {
    if (!isInput(cursor, token)) continue
    tokens += token === text ? Math.ceil((cursor.at - cursor.start - 2) / bytesPerToken) : 1
  }
  return tokens
}

/** An answer is as long as its input wants it: there is nothing that a caller could limit, and nothing is written. */
export const plainAsk = { stream: false, outputMax: 0, n: 1, hasTools: false, wantsUsage: false }

export const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)

/** The bytes of a top-level value, as they stand; undefined where it is absent, or null. */
export const valueAt = ({ body, places }: Pick<Ask, 'body' | 'places'>, key: string) => {
  const place = places.get(key)
  const written = place && body.toString('utf8', place.start, place.end)
  return written === 'null' ? undefined : written
}
