import { type Cursor, done, isWord, step, text } from '../json/cursor.ts'
import type { ParsedRequest } from '../parsed-request.ts'

const bytesPerToken = 3

/** Tells whether the string or scalar at the cursor is model input. */
type InputFilter = (cursor: Cursor, token: number) => boolean

/** Estimates input tokens cautiously, as for chat; each number is one token id. */
export const inputTokensIn = (cursor: Cursor, isInput: InputFilter): number => {
  let tokens = 0
  for (let token = step(cursor); token > done; token = step(cursor)) {
    if (!isInput(cursor, token)) continue
    tokens += token === text ? Math.ceil((cursor.at - cursor.start - 2) / bytesPerToken) : 1
  }
  return tokens
}

/** Fixed parameters: embeddings produce no output tokens and cannot be streamed. */
export const plainAsk = { stream: false, outputMax: 0, n: 1, hasTools: false, wantsUsage: false }

export const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)

/** Returns the raw JSON of a top-level value, or undefined if it is absent or null. */
export const valueAt = (
  { body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  key: string,
) => {
  const place = fieldRanges.get(key)
  const written = place && body.toString('utf8', place.start, place.end)
  return written === 'null' ? undefined : written
}
