import { type Cursor, close, done, isWord, open, step, text } from '../../json/cursor.ts'
import { weightedCharsInJson } from '../../meter.ts'

/** What one frame, or one whole answer, says that matters to the gateway. Reused from frame to frame. */
export type Facts = {
  /** The bytes of the value of `type`, quotes included; typeEnd 0: there is none. */
  typeStart: number
  typeEnd: number
  /** `"object":"response"`, or one made shorter: a whole answer. */
  isResponse: boolean
  /** An error told at the top. */
  isError: boolean
  /** The bytes of the answer's id, quotes included; an end of 0: there is none. */
  idStart: number
  idEnd: number
  /** The bytes of the usage object, and of what tools used; an end of 0: there is none. */
  usageStart: number
  usageEnd: number
  toolsStart: number
  toolsEnd: number
  /** The bytes of the item of a frame, or of the list of them in a whole answer. */
  itemStart: number
  itemEnd: number
  /** What the model wrote, in quarters of a token. */
  quarters: number
}

/** As before anything was heard. */
const clear = (facts: Facts): Facts => {
  facts.typeStart = 0
  facts.typeEnd = 0
  facts.isResponse = false
  facts.isError = false
  facts.idStart = 0
  facts.idEnd = 0
  facts.usageStart = 0
  facts.usageEnd = 0
  facts.toolsStart = 0
  facts.toolsEnd = 0
  facts.itemStart = 0
  facts.itemEnd = 0
  facts.quarters = 0
  return facts
}

export const noFacts = (): Facts => clear({} as Facts)

/** Which member of the top object the walk is in. */
const other = 0
const response = 1
const item = 2
const output = 3
const usage = 4
const tools = 5
const failed = 6

/** Whether it is one JSON object; if so, `facts` is what it says. */
export const inspect = (cursor: Cursor, facts: Facts): boolean => {
  clear(facts)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  let top = other
  let inner = other
  let isWritten = false
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    if (cursor.depth === 1) {
      if (token === close) leave(cursor, top, facts)
      else hear(cursor, token, facts)
      top = other
    } else if (cursor.depth === 2 && token === open) {
      top = memberOf(cursor)
      enter(cursor, top, facts)
    } else if (top === response) {
      // The usage of an event stands one deeper than that of a whole answer.
      if (cursor.depth === 3 && token === open) {
        inner = memberOf(cursor)
        if (inner === usage || inner === tools) enter(cursor, inner, facts)
      } else if (cursor.depth === 2 && token === close) {
        if (inner === usage || inner === tools) leave(cursor, inner, facts)
        inner = other
      } else if (cursor.depth === 2 && token === text && isKey(cursor, 'id')) hearId(cursor, facts)
    } else if (top === output) {
      // Of what stands in lists only `content` and `summary` are the model's own words.
      if (cursor.depth === 4 && token === open)
        isWritten = isKey(cursor, 'content') || isKey(cursor, 'summary')
      else if (token === text) listen(cursor, isWritten, facts)
    }
  }
}

const memberOf = (cursor: Cursor): number => {
  switch (cursor.keyEnd - cursor.keyStart) {
    case 6:
      return isKey(cursor, 'item') ? item : other
    case 7:
      return isKey(cursor, 'usage') ? usage : isKey(cursor, 'error') ? failed : other
    case 8:
      return isKey(cursor, 'output') ? output : other
    case 10:
      return isKey(cursor, 'response') ? response : other
    case 12:
      return isKey(cursor, 'tool_usage') ? tools : other
    default:
      return other
  }
}

const enter = ({ start }: Cursor, member: number, facts: Facts): void => {
  if (member === failed) facts.isError = true
  else if (member === usage) facts.usageStart = start
  else if (member === tools) facts.toolsStart = start
  else if (member === item || member === output) facts.itemStart = start
}

const leave = ({ at }: Cursor, member: number, facts: Facts): void => {
  if (member === usage) facts.usageEnd = at
  else if (member === tools) facts.toolsEnd = at
  else if (member === item || member === output) facts.itemEnd = at
}

/** A member of the top object that is no object and no list. */
const hear = (cursor: Cursor, token: number, facts: Facts): void => {
  if (token !== text) return
  const { bytes, start, at } = cursor
  if (isKey(cursor, 'type')) {
    facts.typeStart = start
    facts.typeEnd = at
  } else if (isKey(cursor, 'id')) hearId(cursor, facts)
  else if (isKey(cursor, 'delta')) facts.quarters = count(cursor)
  else if (isKey(cursor, 'object'))
    facts.isResponse = answers.some(each => isWord(bytes, start, at, each))
  else if (isKey(cursor, 'error')) facts.isError = at - start > 2
}

/** A conversation that was made shorter is an answer too. */
const answers = ['response', 'response.compaction'] as const

const hearId = ({ start, at }: Cursor, facts: Facts): void => {
  facts.idStart = start
  facts.idEnd = at
}

/** Inside the output of a whole answer. */
const listen = (cursor: Cursor, isWritten: boolean, facts: Facts): void => {
  if (cursor.depth === 5) {
    if (isWritten && (isKey(cursor, 'text') || isKey(cursor, 'refusal')))
      facts.quarters += count(cursor)
  } else if (
    cursor.depth === 3 &&
    (isKey(cursor, 'arguments') || isKey(cursor, 'input') || isKey(cursor, 'code'))
  )
    facts.quarters += count(cursor)
}

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)

const count = ({ bytes, start, at }: Cursor): number =>
  weightedCharsInJson(bytes, start + 1, at - 1)
