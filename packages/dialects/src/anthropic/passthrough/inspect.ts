import { type Cursor, close, done, isWord, open, step, text } from '../../json/cursor.ts'
import { quarterTokens } from '../../meter.ts'

/** What one frame, or one whole answer, says that matters to the gateway. Reused from frame to frame. */
export type Facts = {
  /** The bytes of the value of the top's `type`, quotes included; typeEnd 0: there is none. */
  typeStart: number
  typeEnd: number
  /** The bytes of the usage object, of the top or of `message`; usageEnd 0: there is none. */
  usageStart: number
  usageEnd: number
  /** An error told at the top. */
  isError: boolean
  /** What the model wrote, in quarters of a token. */
  quarters: number
  /** How many texts that is, and where the last of them stands, without its quotes. */
  texts: number
  textStart: number
  textEnd: number
}

export const noFacts = (): Facts => ({
  typeStart: 0,
  typeEnd: 0,
  usageStart: 0,
  usageEnd: 0,
  isError: false,
  quarters: 0,
  texts: 0,
  textStart: 0,
  textEnd: 0,
})

const clear = (facts: Facts): void => {
  facts.typeEnd = 0
  facts.usageEnd = 0
  facts.isError = false
  facts.quarters = 0
  facts.texts = 0
}

/** Which member of the top object the walk is in. */
const other = 0
const delta = 1
const message = 2
const content = 3
const usage = 4
const error = 5

/** Whether it is one JSON object; if so, `facts` is what it says. */
export const inspect = (cursor: Cursor, facts: Facts): boolean => {
  clear(facts)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  let top = other
  /** The depth inside the input of a tool, where every byte is the model's; 0: outside. */
  let input = 0
  let inputStart = 0
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    const { depth } = cursor
    if (input > 0) {
      if (token === close && depth < input) {
        facts.quarters += quarterTokens(cursor.bytes, inputStart, cursor.at)
        // No single text.
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
      if (token === text) listen(cursor, facts)
      else if (token === open && isKey(cursor, 'input') && top === content && depth === 4) {
        input = depth
        inputStart = cursor.start
      }
    } else if (top === message) hearMessage(cursor, token, facts)
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

/** The usage of the first event stands in its message. */
const hearMessage = (cursor: Cursor, token: number, facts: Facts): void => {
  if (token === open && cursor.depth === 3 && isKey(cursor, 'usage')) {
    facts.usageStart = cursor.start
    facts.usageEnd = -1
  } else if (token === close && cursor.depth === 2 && facts.usageEnd === -1)
    facts.usageEnd = cursor.at
}

/** The model's words, in a piece of a block or in a block of a whole answer. Results of a server's tools are none. */
const listen = (cursor: Cursor, facts: Facts): void => {
  const { bytes, start, at, depth } = cursor
  if (depth !== 2 && depth !== 3) return
  if (!isKey(cursor, 'text') && !isKey(cursor, 'thinking') && !isKey(cursor, 'partial_json')) return
  facts.quarters += quarterTokens(bytes, start + 1, at - 1)
  facts.texts += 1
  facts.textStart = start + 1
  facts.textEnd = at - 1
}

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)
