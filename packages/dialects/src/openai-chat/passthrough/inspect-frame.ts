import { type Cursor, close, done, isWord, open, scalar, step, text } from '../../json/cursor.ts'
import { audioRates, audioWeight, weightedCharsInJson } from '../../meter.ts'

/** The relevant content of one frame or of one complete response. One object is reused for all frames. */
export type ChatFrame = {
  hasChoices: boolean
  /** `"choices":[]`: a frame that contains only usage. */
  isChoiceless: boolean
  /** The bytes of the usage object; `usageEnd` is 0 for none. */
  usageStart: number
  usageEnd: number
  /** The start of a usage object that is being read; -1 for none. */
  openUsage: number
  /** The service tier with quotes; `tierEnd` is 0 for none. */
  tierStart: number
  tierEnd: number
  /** The bytes of `"usage":null` with one comma; `cutEnd` is 0 for none. */
  cutStart: number
  cutEnd: number
  isError: boolean
  /** The indices of the choices with a finish reason. */
  finishedChoices: number[]
  /** The index of the choice that is read, and whether it has a finish reason. */
  choiceIndex: number
  isChoiceFinished: boolean
  /** Weighted characters of the output: the answer, and its reasoning under each of three keys. */
  answer: number
  reasoning: number
  reasoningContent: number
  parts: number
  /** Weight of the sound of an answer. */
  audio: number
  /** Ids of audio in the answer, by which later requests may name it. */
  audioIds: string[]
  /** The number of weighted texts, and the range of the last one without quotes. */
  texts: number
  textStart: number
  textEnd: number
}

/** Sets all keys at once, because an object that grows key by key is copied repeatedly. */
export const emptyFrame = (): ChatFrame => ({
  hasChoices: false,
  isChoiceless: false,
  usageStart: 0,
  usageEnd: 0,
  openUsage: -1,
  tierStart: 0,
  tierEnd: 0,
  cutStart: 0,
  cutEnd: 0,
  isError: false,
  finishedChoices: [],
  choiceIndex: 0,
  isChoiceFinished: false,
  answer: 0,
  reasoning: 0,
  reasoningContent: 0,
  parts: 0,
  audio: 0,
  audioIds: [],
  texts: 0,
  textStart: 0,
  textEnd: 0,
})

const clear = (frame: ChatFrame): void => {
  frame.hasChoices = false
  frame.isChoiceless = false
  frame.usageStart = 0
  frame.usageEnd = 0
  frame.openUsage = -1
  frame.tierStart = 0
  frame.tierEnd = 0
  frame.cutStart = 0
  frame.cutEnd = 0
  frame.isError = false
  frame.finishedChoices.length = 0
  frame.choiceIndex = 0
  frame.isChoiceFinished = false
  frame.answer = 0
  frame.reasoning = 0
  frame.reasoningContent = 0
  frame.parts = 0
  frame.audio = 0
  frame.audioIds.length = 0
  frame.texts = 0
}

/** Some vendors send the same reasoning under two keys in one frame; it counts once. */
export const weightedCharsOf = ({
  answer,
  reasoning,
  reasoningContent,
  parts,
  audio,
}: ChatFrame): number => answer + audio + Math.max(reasoning, reasoningContent, parts)

const other = 0
const choices = 1
const usage = 2
const error = 3
const objectType = 4
const tier = 5
const groq = 6

/**
 * Reads one JSON object into `frame`. Returns false for anything else. Unless `isWeighed` is set, a text counts by its
 * length, which only tells whether there is any.
 */
export const inspectFrame = (cursor: Cursor, frame: ChatFrame, isWeighed = true): boolean => {
  clear(frame)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  let member = other
  let lastEnd = 0
  let isNullFirst = false
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    if (cursor.depth > 2 || (cursor.depth === 2 && token !== open)) {
      if (member === choices) inspectChoices(cursor, token, frame, isWeighed)
      else if (member === groq) inspectGroq(cursor, token, frame)
      continue
    }
    if (token === close) {
      if (member === usage && cursor.depth === 1) endUsage(cursor, frame)
    } else {
      if (isNullFirst) frame.cutEnd = cursor.keyStart
      isNullFirst = false
      member = memberAt(cursor)
      if (member === usage && isNull(cursor, token)) {
        isNullFirst = lastEnd === 0
        frame.cutStart = isNullFirst ? cursor.keyStart : lastEnd
        frame.cutEnd = cursor.at
      } else if (member !== other) inspectMember(cursor, token, member, frame)
    }
    lastEnd = cursor.at
  }
}

const memberAt = ({ bytes, keyStart, keyEnd }: Cursor): number => {
  switch (keyEnd - keyStart) {
    case 9:
      return isWord(bytes, keyStart, keyEnd, 'choices') ? choices : other
    case 7:
      if (isWord(bytes, keyStart, keyEnd, 'usage')) return usage
      return isWord(bytes, keyStart, keyEnd, 'error') ? error : other
    case 8:
      if (isWord(bytes, keyStart, keyEnd, 'object')) return objectType
      return isWord(bytes, keyStart, keyEnd, 'x_groq') ? groq : other
    case 14:
      return isWord(bytes, keyStart, keyEnd, 'service_tier') ? tier : other
    default:
      return other
  }
}

const inspectMember = (cursor: Cursor, token: number, member: number, frame: ChatFrame): void => {
  if (member === choices && token === open) {
    frame.hasChoices = true
    frame.isChoiceless = true
  } else if (member === usage) {
    if (token === open) startUsage(cursor, frame)
    else if (cursor.at - cursor.start > 2 || hasCount(cursor.bytes, cursor.start, cursor.at)) {
      frame.usageStart = cursor.start
      frame.usageEnd = cursor.at
    }
  } else if (member === tier) {
    frame.tierStart = cursor.start
    frame.tierEnd = token === text ? cursor.at : 0
  } else if (member === error)
    frame.isError = token === open || (token === text && cursor.at - cursor.start > 2)
  else if (member === objectType && isWord(cursor.bytes, cursor.start, cursor.at, 'error'))
    frame.isError = true
}

const isNull = ({ bytes, start }: Cursor, token: number): boolean =>
  token === scalar && bytes[start] === 0x6e

/**
 * Members of an object in the message or delta of a choice: `audio` alone is one with an `id`.
 * https://developers.openai.com/api/docs/guides/audio
 */
const audioDepth = 5

const inspectChoices = (
  cursor: Cursor,
  token: number,
  frame: ChatFrame,
  isWeighed: boolean,
): void => {
  frame.isChoiceless = false
  const { bytes, keyStart, keyEnd } = cursor
  if (token === text) {
    if (cursor.depth === audioDepth && keyStart >= 0) inspectAudio(cursor, frame, isWeighed)
    if (keyStart >= 0) weighText(cursor, frame, isWeighed)
    return
  }
  if (cursor.depth <= 3) inspectChoice(cursor, token, frame)
  // Moonshot sends the usage inside the last choice.
  if (token === open && cursor.depth === 4 && isWord(bytes, keyStart, keyEnd, 'usage'))
    startUsage(cursor, frame)
  else if (token === close && cursor.depth === 3) endUsage(cursor, frame)
}

/** Groq's last frame has the usage in a field of its own: https://console.groq.com/docs/text-chat */
const inspectGroq = (cursor: Cursor, token: number, frame: ChatFrame): void => {
  const { bytes, keyStart, keyEnd, depth } = cursor
  if (token === open && depth === 3 && isWord(bytes, keyStart, keyEnd, 'usage'))
    startUsage(cursor, frame)
  else if (token === close && depth === 2) endUsage(cursor, frame)
}

const startUsage = ({ start }: Cursor, frame: ChatFrame): void => {
  frame.openUsage = start
}

/** A usage without any count but 0 replaces none, and one without a number reports nothing. */
const endUsage = ({ bytes, at }: Cursor, frame: ChatFrame): void => {
  if (frame.openUsage < 0) return
  const isFirst = frame.usageEnd === 0 && hasZero(bytes, frame.openUsage, at)
  if (isFirst || hasCount(bytes, frame.openUsage, at)) {
    frame.usageStart = frame.openUsage
    frame.usageEnd = at
  }
  frame.openUsage = -1
}

const hasZero = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes.subarray(start, end).includes(0x30)

/** Tells whether there is a digit other than 0. */
export const hasCount = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) if (bytes[at]! >= 0x31 && bytes[at]! <= 0x39) return true
  return false
}

/** Its transcript is text that the vendor counts too. */
const inspectAudio = (cursor: Cursor, frame: ChatFrame, isWeighed: boolean): void => {
  const { bytes, keyStart, keyEnd, start, at } = cursor
  if (isWord(bytes, keyStart, keyEnd, 'id'))
    frame.audioIds.push(JSON.parse(Buffer.from(bytes.subarray(start, at)).toString()))
  else if (isWord(bytes, keyStart, keyEnd, 'transcript'))
    frame.answer += weigh(cursor, frame, isWeighed)
  else if (isWord(bytes, keyStart, keyEnd, 'data')) {
    frame.audio += audioWeight(at - start - 2, audioRates.openai)
    // A frame that differs in its transcript only would not be weighed again.
    frame.texts += 2
  }
}

const inspectChoice = (cursor: Cursor, token: number, frame: ChatFrame): void => {
  const { bytes, keyStart, keyEnd, start, at } = cursor
  if (token === scalar && isWord(bytes, keyStart, keyEnd, 'index'))
    frame.choiceIndex = numberAt(bytes, start, at)
  else if (token === close && cursor.depth === 2) {
    if (frame.isChoiceFinished) frame.finishedChoices.push(frame.choiceIndex)
    frame.isChoiceFinished = false
    frame.choiceIndex = 0
  }
}

/** A vendor's `null` counts as the first choice. */
const numberAt = (bytes: Uint8Array, start: number, end: number): number => {
  let number = 0
  for (let at = start; at < end; at += 1) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return 0
    number = number * 10 + digit
  }
  return number
}

const weighText = (cursor: Cursor, frame: ChatFrame, isWeighed: boolean): void => {
  const { bytes, keyStart, keyEnd } = cursor
  switch (keyEnd - keyStart) {
    case 6: // name of a tool, text of a part
      if (isWord(bytes, keyStart, keyEnd, 'name')) frame.answer += weigh(cursor, frame, isWeighed)
      else if (isWord(bytes, keyStart, keyEnd, 'text'))
        frame.parts += weigh(cursor, frame, isWeighed)
      return
    case 9:
      if (isWord(bytes, keyStart, keyEnd, 'content') || isWord(bytes, keyStart, keyEnd, 'refusal'))
        frame.answer += weigh(cursor, frame, isWeighed)
      return
    case 11:
      if (isWord(bytes, keyStart, keyEnd, 'arguments'))
        frame.answer += weigh(cursor, frame, isWeighed)
      else if (isWord(bytes, keyStart, keyEnd, 'reasoning'))
        frame.reasoning += weigh(cursor, frame, isWeighed)
      return
    case 19:
      if (isWord(bytes, keyStart, keyEnd, 'reasoning_content'))
        frame.reasoningContent += weigh(cursor, frame, isWeighed)
      return
    case 15:
      // Some vendors send an empty reason until the finish.
      if (cursor.depth === 3 && isWord(bytes, keyStart, keyEnd, 'finish_reason'))
        frame.isChoiceFinished = cursor.at - cursor.start > 2
  }
}

const weigh = ({ bytes, start, at }: Cursor, frame: ChatFrame, isWeighed: boolean): number => {
  frame.texts += 1
  frame.textStart = start + 1
  frame.textEnd = at - 1
  return isWeighed ? weightedCharsInJson(bytes, start + 1, at - 1) : at - start - 2
}

/** The service tier that a frame names. */
export const tierIn = (bytes: Buffer, { tierStart, tierEnd }: ChatFrame): string | undefined =>
  tierEnd > 0 ? (JSON.parse(bytes.toString('utf8', tierStart, tierEnd)) as string) : undefined
