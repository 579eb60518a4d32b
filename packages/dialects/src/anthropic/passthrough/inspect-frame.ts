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

export const noFacts = (): AnthropicFrame => ({
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

const clear = (facts: AnthropicFrame): void => {
  facts.typeEnd = 0
  facts.usageEnd = 0
  facts.isError = false
  facts.weightedChars = 0
  facts.texts = 0
}

/** Top-level member that the cursor is in. */
const other = 0
const delta = 1
const message = 2
const content = 3
const usage = 4
const error = 5

/** Fills `facts` and returns true if the bytes are one JSON object. */
export const inspect = (cursor: Cursor, facts: AnthropicFrame): boolean => {
  clear(facts)
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
        facts.weightedChars += weightedCharsInJson(cursor.bytes, inputStart, cursor.at)
        // Adding 2 keeps this frame off the fast path for frames with exactly one text.
        facts.texts += 2
        input = 0
      }
      continue
    }
    if (depth === 1) {
      if (token === close) {
        if (top === usage) facts.usageEnd = cursor.at
        top = other
      } else if (token === text && isKey(cursor, 'type')) {
        facts.typeStart = cursor.start
        facts.typeEnd = cursor.at
      }
    } else if (depth === 2 && token === open) {
      top = memberOf(cursor)
      if (top === usage) facts.usageStart = cursor.start
      if (top === error) facts.isError = true
    } else if (top === delta || top === content) {
      if (token === text) countText(cursor, facts)
      else if (token === open && isKey(cursor, 'input') && top === content && depth === 4) {
        input = depth
        inputStart = cursor.start
      }
    } else if (top === message) onMessageMember(cursor, token, facts)
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
const onMessageMember = (cursor: Cursor, token: number, facts: AnthropicFrame): void => {
  if (token === open && cursor.depth === 3 && isKey(cursor, 'usage')) {
    facts.usageStart = cursor.start
    facts.usageEnd = -1
  } else if (token === close && cursor.depth === 2 && facts.usageEnd === -1)
    facts.usageEnd = cursor.at
}

/** Counts output text in a delta or in a content block; results of server tools do not count. */
const countText = (cursor: Cursor, facts: AnthropicFrame): void => {
  const { bytes, start, at, depth } = cursor
  if (depth !== 2 && depth !== 3) return
  if (!isKey(cursor, 'text') && !isKey(cursor, 'thinking') && !isKey(cursor, 'partial_json')) return
  facts.weightedChars += weightedCharsInJson(bytes, start + 1, at - 1)
  facts.texts += 1
  facts.textStart = start + 1
  facts.textEnd = at - 1
}

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)
