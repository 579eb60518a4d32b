import { type Cursor, close, done, isWord, open, step, text } from '../../json/cursor.ts'
import { weightedCharsInJson } from '../../meter.ts'

/** The relevant content of one frame or of one complete response. One object is reused for all frames. */
export type ResponseFrame = {
  /** The bytes of the value of `type` with quotes; `typeEnd` is 0 for none. */
  typeStart: number
  typeEnd: number
  /** A complete response: `"object":"response"` or a compacted one. */
  isResponse: boolean
  /** A top-level error. */
  isError: boolean
  /** The bytes of the response id with quotes; the end is 0 for none. */
  idStart: number
  idEnd: number
  /** The bytes of the usage objects of the response and of its tools; the end is 0 for none. */
  usageStart: number
  usageEnd: number
  toolsStart: number
  toolsEnd: number
  /** The service tier of the response with quotes; `tierEnd` is 0 for none. */
  tierStart: number
  tierEnd: number
  /** The bytes of the item in a frame, or of the item list in a complete response. */
  itemStart: number
  itemEnd: number
  /** Weighted characters of the output. */
  weightedChars: number
}

const clear = (frame: ResponseFrame): ResponseFrame => {
  frame.typeStart = 0
  frame.typeEnd = 0
  frame.isResponse = false
  frame.isError = false
  frame.idStart = 0
  frame.idEnd = 0
  frame.usageStart = 0
  frame.usageEnd = 0
  frame.toolsStart = 0
  frame.toolsEnd = 0
  frame.tierStart = 0
  frame.tierEnd = 0
  frame.itemStart = 0
  frame.itemEnd = 0
  frame.weightedChars = 0
  return frame
}

export const emptyFrame = (): ResponseFrame => clear({} as ResponseFrame)

/** The member of the top-level object that the walk is in. */
const other = 0
const response = 1
const item = 2
const output = 3
const usage = 4
const tools = 5
const failed = 6

/** Reads one JSON object into `frame`. Returns false for anything else. */
export const inspect = (cursor: Cursor, frame: ResponseFrame): boolean => {
  clear(frame)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  let top = other
  let inner = other
  let isOutput = false
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    if (cursor.depth === 1) {
      if (token === close) leave(cursor, top, frame)
      else inspectMember(cursor, token, frame)
      top = other
    } else if (cursor.depth === 2 && token === open) {
      top = memberOf(cursor)
      enter(cursor, top, frame)
    } else if (top === response) {
      // The usage of an event is one level deeper than that of a complete response.
      if (cursor.depth === 3 && token === open) {
        inner = memberOf(cursor)
        if (inner === usage || inner === tools) enter(cursor, inner, frame)
      } else if (cursor.depth === 2 && token === close) {
        if (inner === usage || inner === tools) leave(cursor, inner, frame)
        inner = other
      } else if (cursor.depth === 2 && token === text) inspectText(cursor, frame)
    } else if (top === output) {
      // Only the lists `content` and `summary` contain model output.
      if (cursor.depth === 4 && token === open)
        isOutput = isKey(cursor, 'content') || isKey(cursor, 'summary')
      else if (token === text) weighOutputText(cursor, isOutput, frame)
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

const enter = ({ start }: Cursor, member: number, frame: ResponseFrame): void => {
  if (member === failed) frame.isError = true
  else if (member === usage) frame.usageStart = start
  else if (member === tools) frame.toolsStart = start
  else if (member === item || member === output) frame.itemStart = start
}

const leave = ({ at }: Cursor, member: number, frame: ResponseFrame): void => {
  if (member === usage) frame.usageEnd = at
  else if (member === tools) frame.toolsEnd = at
  else if (member === item || member === output) frame.itemEnd = at
}

/** Inspects a top-level member that is neither object nor list. */
const inspectMember = (cursor: Cursor, token: number, frame: ResponseFrame): void => {
  if (token !== text) return
  const { bytes, start, at } = cursor
  if (isKey(cursor, 'type')) {
    frame.typeStart = start
    frame.typeEnd = at
  } else if (isKey(cursor, 'id')) setId(cursor, frame)
  else if (isKey(cursor, 'service_tier')) setTier(cursor, frame)
  else if (isKey(cursor, 'delta')) frame.weightedChars = weigh(cursor)
  else if (isKey(cursor, 'object'))
    frame.isResponse = responseTypes.some(each => isWord(bytes, start, at, each))
  else if (isKey(cursor, 'error')) frame.isError = at - start > 2
}

/** Inspects a text of the response inside an event. */
const inspectText = (cursor: Cursor, frame: ResponseFrame): void => {
  if (isKey(cursor, 'id')) setId(cursor, frame)
  else if (isKey(cursor, 'service_tier')) setTier(cursor, frame)
}

/** A compacted conversation is a response too. */
const responseTypes = ['response', 'response.compaction'] as const

const setId = ({ start, at }: Cursor, frame: ResponseFrame): void => {
  frame.idStart = start
  frame.idEnd = at
}

const setTier = ({ start, at }: Cursor, frame: ResponseFrame): void => {
  frame.tierStart = start
  frame.tierEnd = at
}

/** Weighs a text inside the output of a complete response. */
const weighOutputText = (cursor: Cursor, isOutput: boolean, frame: ResponseFrame): void => {
  if (cursor.depth === 5) {
    if (isOutput && (isKey(cursor, 'text') || isKey(cursor, 'refusal')))
      frame.weightedChars += weigh(cursor)
  } else if (
    cursor.depth === 3 &&
    (isKey(cursor, 'arguments') || isKey(cursor, 'input') || isKey(cursor, 'code'))
  )
    frame.weightedChars += weigh(cursor)
}

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)

const weigh = ({ bytes, start, at }: Cursor): number =>
  weightedCharsInJson(bytes, start + 1, at - 1)
