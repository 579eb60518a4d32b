import { type Cursor, close, done, isWord, open, step, text } from '../../json/cursor.ts'
import { weightedCharsInJson } from '../../meter.ts'

/** Facts about one frame or one whole response. Reused for every frame. */
export type AnthropicFrame = {
  /** Byte range of the top-level `type` value, quotes included; typeEnd is 0 without one. */
  typeStart: number
  typeEnd: number
  /** Byte range of the usage object, at the top or in `message`; usageEnd is 0 without one. */
  usageStart: number
  usageEnd: number
  /** The frame has a top-level `error`. */
  isError: boolean
  /** Size of the model's output, in quarters of a token. */
  weightedChars: number
  /** Number of output texts, and the byte range of the last one without its quotes. */
  texts: number
  textStart: number
  textEnd: number
}

export const emptyFrame = (): AnthropicFrame => ({
  typeStart: 0,
  typeEnd: 0,
  usageStart: 0,
  usageEnd: 0,
  isError: false,
  weightedChars: 0,
  texts: 0,
  textStart: 0,
  textEnd: 0,
})

const clear = (frame: AnthropicFrame): void => {
  frame.typeEnd = 0
  frame.usageEnd = 0
  frame.isError = false
  frame.weightedChars = 0
  frame.texts = 0
}

/** Top-level member that the cursor is in. */
const other = 0
const delta = 1
const message = 2
const content = 3
const usage = 4
const error = 5

/** Fills `frame` and returns true if the bytes are one JSON object. */
export const inspect = (cursor: Cursor, frame: AnthropicFrame): boolean => {
  clear(frame)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  let top = other
  /** Depth of the tool input that the cursor is in, whose bytes all count as output; 0 outside of one. */
  let input = 0
  let inputStart = 0
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    const { depth } = cursor
    if (input > 0) {
      if (token === close && depth < input) {
        frame.weightedChars += weightedCharsInJson(cursor.bytes, inputStart, cursor.at)
        // Adding 2 keeps this frame off the fast path for frames with exactly one text.
        frame.texts += 2
        input = 0
      }
      continue
    }
    if (depth === 1) {
      if (token === close) {
        if (top === usage) frame.usageEnd = cursor.at
        top = other
      } else if (token === text && isKey(cursor, 'type')) {
        frame.typeStart = cursor.start
        frame.typeEnd = cursor.at
      }
    } else if (depth === 2 && token === open) {
      top = memberOf(cursor)
      if (top === usage) frame.usageStart = cursor.start
      if (top === error) frame.isError = true
    } else if (top === delta || top === content) {
      if (token === text) countText(cursor, frame)
      else if (token === open && isKey(cursor, 'input') && top === content && depth === 4) {
        input = depth
        inputStart = cursor.start
      }
    } else if (top === message) onMessageMember(cursor, token, frame)
  }
}

const memberOf = (cursor: Cursor): number => {
  switch (cursor.keyEnd - cursor.keyStart) {
    case 7:
      return isKey(cursor, 'usage')
        ? usage
        : isKey(cursor, 'delta')
          ? delta
          : isKey(cursor, 'error')
            ? error
            : other
    case 9:
      return isKey(cursor, 'message') ? message : isKey(cursor, 'content') ? content : other
    default:
      return other
  }
}

/** The first event of a stream reports its usage inside `message`. */
const onMessageMember = (cursor: Cursor, token: number, frame: AnthropicFrame): void => {
  if (token === open && cursor.depth === 3 && isKey(cursor, 'usage')) {
    frame.usageStart = cursor.start
    frame.usageEnd = -1
  } else if (token === close && cursor.depth === 2 && frame.usageEnd === -1)
    frame.usageEnd = cursor.at
}

/** Counts output text in a delta or in a content block; results of server tools do not count. */
const countText = (cursor: Cursor, frame: AnthropicFrame): void => {
  const { bytes, start, at, depth } = cursor
  if (depth !== 2 && depth !== 3) return
  if (!isKey(cursor, 'text') && !isKey(cursor, 'thinking') && !isKey(cursor, 'partial_json')) return
  frame.weightedChars += weightedCharsInJson(bytes, start + 1, at - 1)
  frame.texts += 1
  frame.textStart = start + 1
  frame.textEnd = at - 1
}

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)
