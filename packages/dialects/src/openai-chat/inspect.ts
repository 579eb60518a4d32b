import { type Cursor, close, done, isWord, open, scalar, step, text } from '../json/cursor.ts'
import { weightedCharsInJson } from '../meter.ts'

/** What one frame, or one whole answer, says that matters to the gateway. Reused from frame to frame. */
export type Facts = {
  hasChoices: boolean
  /** `"choices":[]`: a frame for figures only. */
  isChoiceless: boolean
  /** The bytes of the usage object; usageEnd 0: there is none. */
  usageStart: number
  usageEnd: number
  /** The bytes of `"usage":null` with one comma; nullEnd 0: there is none. */
  nullStart: number
  nullEnd: number
  isError: boolean
  /** What the model wrote, in quarters of a token: the answer, and its reasoning in each of three spellings. */
  answer: number
  reasoning: number
  reasoningContent: number
  parts: number
  /** How many texts were counted, and where the last of them stands, without its quotes. */
  texts: number
  textStart: number
  textEnd: number
}

/** All at once: an object that grows key by key is copied again and again. */
export const noFacts = (): Facts => ({
  hasChoices: false,
  isChoiceless: false,
  usageStart: 0,
  usageEnd: 0,
  nullStart: 0,
  nullEnd: 0,
  isError: false,
  answer: 0,
  reasoning: 0,
  reasoningContent: 0,
  parts: 0,
  texts: 0,
  textStart: 0,
  textEnd: 0,
})

const clear = (facts: Facts): void => {
  facts.hasChoices = false
  facts.isChoiceless = false
  facts.usageStart = 0
  facts.usageEnd = 0
  facts.nullStart = 0
  facts.nullEnd = 0
  facts.isError = false
  facts.answer = 0
  facts.reasoning = 0
  facts.reasoningContent = 0
  facts.parts = 0
  facts.texts = 0
}

/** Some vendors tell the same reasoning in two spellings in one frame: it counts once. */
export const quartersOf = ({ answer, reasoning, reasoningContent, parts }: Facts): number =>
  answer + Math.max(reasoning, reasoningContent, parts)

const other = 0
const choices = 1
const usage = 2
const error = 3
const kind = 4

/** Whether it is one JSON object; if so, `facts` is what it says; of what the model wrote only where it `counts`. */
export const inspect = (cursor: Cursor, facts: Facts, counts = true): boolean => {
  clear(facts)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  let top = other
  let lastEnd = 0
  let isNullFirst = false
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    if (cursor.depth > 2 || (cursor.depth === 2 && token !== open)) {
      if (top === choices) listen(cursor, token, facts, counts)
      continue
    }
    if (token === close) {
      if (top === usage && cursor.depth === 1) facts.usageEnd = cursor.at
    } else {
      if (isNullFirst) facts.nullEnd = cursor.keyStart
      isNullFirst = false
      top = topOf(cursor)
      if (top === usage && isNull(cursor, token)) {
        isNullFirst = lastEnd === 0
        facts.nullStart = isNullFirst ? cursor.keyStart : lastEnd
        facts.nullEnd = cursor.at
      } else if (top !== other) hear(cursor, token, top, facts)
    }
    lastEnd = cursor.at
  }
}

const topOf = ({ bytes, keyStart, keyEnd }: Cursor): number => {
  switch (keyEnd - keyStart) {
    case 9:
      return isWord(bytes, keyStart, keyEnd, 'choices') ? choices : other
    case 7:
      if (isWord(bytes, keyStart, keyEnd, 'usage')) return usage
      return isWord(bytes, keyStart, keyEnd, 'error') ? error : other
    case 8:
      return isWord(bytes, keyStart, keyEnd, 'object') ? kind : other
    default:
      return other
  }
}

const hear = (cursor: Cursor, token: number, top: number, facts: Facts): void => {
  if (top === choices && token === open) {
    facts.hasChoices = true
    facts.isChoiceless = true
  } else if (top === usage) {
    facts.usageStart = cursor.start
    facts.usageEnd = cursor.at
  } else if (top === error)
    facts.isError = token === open || (token === text && cursor.at - cursor.start > 2)
  else if (top === kind && isWord(cursor.bytes, cursor.start, cursor.at, 'error'))
    facts.isError = true
}

const isNull = ({ bytes, start }: Cursor, token: number): boolean =>
  token === scalar && bytes[start] === 0x6e

/** Inside `choices`. */
const listen = (cursor: Cursor, token: number, facts: Facts, counts: boolean): void => {
  facts.isChoiceless = false
  const { bytes, keyStart, keyEnd, start, at } = cursor
  if (token === text) {
    if (counts && keyStart >= 0) countText(cursor, facts)
    return
  }
  // Moonshot tells the usage inside the last choice.
  if (token === open && cursor.depth === 4 && isWord(bytes, keyStart, keyEnd, 'usage')) {
    facts.usageStart = start
    facts.usageEnd = -1
  } else if (token === close && cursor.depth === 3 && facts.usageEnd === -1) facts.usageEnd = at
}

const countText = (cursor: Cursor, facts: Facts): void => {
  const { bytes, keyStart, keyEnd } = cursor
  switch (keyEnd - keyStart) {
    case 6: // name of a tool, text of a part
      if (isWord(bytes, keyStart, keyEnd, 'name')) facts.answer += count(cursor, facts)
      else if (isWord(bytes, keyStart, keyEnd, 'text')) facts.parts += count(cursor, facts)
      return
    case 9:
      if (isWord(bytes, keyStart, keyEnd, 'content') || isWord(bytes, keyStart, keyEnd, 'refusal'))
        facts.answer += count(cursor, facts)
      return
    case 11:
      if (isWord(bytes, keyStart, keyEnd, 'arguments')) facts.answer += count(cursor, facts)
      else if (isWord(bytes, keyStart, keyEnd, 'reasoning')) facts.reasoning += count(cursor, facts)
      return
    case 19:
      if (isWord(bytes, keyStart, keyEnd, 'reasoning_content'))
        facts.reasoningContent += count(cursor, facts)
  }
}

const count = ({ bytes, start, at }: Cursor, facts: Facts): number => {
  facts.texts += 1
  facts.textStart = start + 1
  facts.textEnd = at - 1
  return weightedCharsInJson(bytes, start + 1, at - 1)
}
