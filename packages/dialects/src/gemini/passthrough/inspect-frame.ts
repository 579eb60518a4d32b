import { type Cursor, close, done, isWord, isWritten, open, step, text } from '../../json/cursor.ts'
import { audioRates, audioWeight, weightedCharsInJson } from '../../meter.ts'
import { soldSearches } from '../usage.ts'

/** Facts about one frame or one whole response. Reused for every frame. */
export type GeminiFrame = {
  /** The body is a response to a chat, a token count or an embedding. */
  isAnswer: boolean
  isError: boolean
  /** A candidate has a finish reason, or the prompt was blocked. */
  isFinished: boolean
  /** Byte range of the usage object; usageEnd is 0 without one. */
  usageStart: number
  usageEnd: number
  /** Number of web searches that the answer is charged for. */
  searches: number
  /** Size of the model's output, in quarters of a token. */
  weightedChars: number
  /** The part of it that is sound. */
  audio: number
}

export const emptyFrame = (): GeminiFrame => clear({ usageStart: 0 } as GeminiFrame)

const clear = (frame: GeminiFrame): GeminiFrame => {
  frame.isAnswer = false
  frame.isError = false
  frame.isFinished = false
  frame.usageEnd = 0
  frame.searches = 0
  frame.weightedChars = 0
  frame.audio = 0
  return frame
}

const other = 0
const candidates = 1
const usage = 2
const feedback = 3

/** Top-level keys that mark a response. */
const answers = ['candidates', 'promptFeedback', 'embedding', 'embeddings', 'predictions'] as const

/** Fills `frame` and returns true if the bytes are one JSON object. */
export const inspect = (cursor: Cursor, frame: GeminiFrame): boolean => {
  clear(frame)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  const state: CandidateState = { isContent: false, isQueries: false, args: 0, isSound: false }
  let top = other
  let model = { start: 0, end: 0 }
  for (;;) {
    const token = step(cursor)
    if (token <= done) {
      if (frame.searches > 1)
        frame.searches = soldSearches(textOf(cursor.bytes, model), frame.searches)
      return token === done
    }
    if (cursor.depth === 1) {
      if (token === close && top === usage) frame.usageEnd = cursor.at
      else if (isKey(cursor, 'totalTokens')) frame.isAnswer = true
      else if (isKey(cursor, 'error')) frame.isError ||= token === text
      else if (token === text && isKey(cursor, 'modelVersion')) model = rangeOf(cursor)
      top = other
    } else if (cursor.depth === 2 && token === open) top = enter(cursor, frame)
    else if (top === candidates) onCandidateToken(cursor, token, state, frame)
    else if (top === feedback && cursor.depth === 2 && token === text)
      frame.isFinished ||= isKey(cursor, 'blockReason') && cursor.at - cursor.start > 2
  }
}

const enter = (cursor: Cursor, frame: GeminiFrame): number => {
  if (answers.some(each => isKey(cursor, each))) frame.isAnswer = true
  if (isKey(cursor, 'candidates')) return candidates
  if (isKey(cursor, 'promptFeedback')) return feedback
  if (isKey(cursor, 'error')) frame.isError = true
  if (!isKey(cursor, 'usageMetadata')) return other
  frame.usageStart = cursor.start
  return usage
}

type CandidateState = { isContent: boolean; isQueries: boolean; args: number; isSound: boolean }

/** Handles a token inside `candidates`: depth 3 is a candidate, 4 its content, 6 a part, 7 the data of a part. */
const onCandidateToken = (
  cursor: Cursor,
  token: number,
  state: CandidateState,
  frame: GeminiFrame,
): void => {
  const { depth } = cursor
  if (depth === 3 && token === text && isKey(cursor, 'finishReason'))
    frame.isFinished ||=
      !isWord(cursor.bytes, cursor.start, cursor.at, unspecified) && cursor.at - cursor.start > 2
  else if (depth === 4 && token === open) state.isContent = isKey(cursor, 'content')
  else if (!state.isContent) countSearches(cursor, token, state, frame)
  else if (depth === 6 && token === text && isKey(cursor, 'text'))
    frame.weightedChars += count(cursor)
  else if (depth >= 7) countOtherOutput(cursor, token, state, frame)
}

const unspecified = 'FINISH_REASON_UNSPECIFIED'

/** Counts output other than text: name and arguments of a call, code, and sound. */
const countOtherOutput = (
  cursor: Cursor,
  token: number,
  state: CandidateState,
  frame: GeminiFrame,
): void => {
  const { depth, start, at, bytes } = cursor
  if (depth === 7 && token === text && isKey(cursor, 'mimeType'))
    state.isSound = isWritten(bytes, start + 1, start + 7, 'audio/')
  else if (depth === 7 && token === text && state.isSound && isKey(cursor, 'data')) {
    frame.audio += audioWeight(at - start - 2, audioRates.gemini)
    frame.weightedChars += audioWeight(at - start - 2, audioRates.gemini)
  } else if (depth === 8 && token === open && isKey(cursor, 'args')) state.args = start
  else if (depth === 7 && token === close && state.args > 0) {
    frame.weightedChars += weightedCharsInJson(bytes, state.args, at)
    state.args = 0
  } else if (token === text && depth === 7 && (isKey(cursor, 'name') || isKey(cursor, 'code')))
    frame.weightedChars += count(cursor)
  else if (token === text && depth === 9 && isKey(cursor, 'stringValue'))
    frame.weightedChars += count(cursor)
}

/** Grounded answers list their search queries. */
const countSearches = (
  cursor: Cursor,
  token: number,
  state: CandidateState,
  frame: GeminiFrame,
): void => {
  if (cursor.depth !== 5) return
  if (token === open) state.isQueries = isKey(cursor, 'webSearchQueries')
  else if (token === text && state.isQueries && cursor.keyStart < 0) frame.searches += 1
}

/** A string without its quotes. */
const rangeOf = ({ start, at }: Cursor) => ({ start: start + 1, end: at - 1 })

const textOf = (bytes: Uint8Array, { start, end }: ReturnType<typeof rangeOf>): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)

const count = ({ bytes, start, at }: Cursor): number =>
  weightedCharsInJson(bytes, start + 1, at - 1)
