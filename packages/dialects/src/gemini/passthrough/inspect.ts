import { type Cursor, close, done, isWord, open, step, text } from '../../json/cursor.ts'
import { quarterTokens } from '../../meter.ts'

/** What one frame, or one whole answer, says that matters to the gateway. Reused from frame to frame. */
export type Facts = {
  /** It is an answer: of a chat, of a count or of an embedding. */
  isAnswer: boolean
  isError: boolean
  /** A candidate said why it ended, or the prompt was refused. */
  isFinished: boolean
  /** The bytes of the usage object; usageEnd 0: there is none. */
  usageStart: number
  usageEnd: number
  /** How many searches the answer rests on. */
  searches: number
  /** What the model wrote, in quarters of a token. */
  quarters: number
}

export const noFacts = (): Facts => clear({ usageStart: 0 } as Facts)

const clear = (facts: Facts): Facts => {
  facts.isAnswer = false
  facts.isError = false
  facts.isFinished = false
  facts.usageEnd = 0
  facts.searches = 0
  facts.quarters = 0
  return facts
}

const other = 0
const candidates = 1
const usage = 2
const feedback = 3

/** Keys that only answers have at their top. */
const answers = ['candidates', 'promptFeedback', 'embedding', 'embeddings', 'predictions'] as const

/** Whether it is one JSON object; if so, `facts` is what it says. */
export const inspect = (cursor: Cursor, facts: Facts): boolean => {
  clear(facts)
  if (step(cursor) !== open || cursor.bytes[cursor.start] !== 0x7b) return false
  const walk: Walk = { isContent: false, isQueries: false, args: 0 }
  let top = other
  for (;;) {
    const token = step(cursor)
    if (token <= done) return token === done
    if (cursor.depth === 1) {
      if (token === close && top === usage) facts.usageEnd = cursor.at
      else if (isKey(cursor, 'totalTokens')) facts.isAnswer = true
      else if (isKey(cursor, 'error')) facts.isError ||= token === text
      top = other
    } else if (cursor.depth === 2 && token === open) top = enter(cursor, facts)
    else if (top === candidates) hear(cursor, token, walk, facts)
    else if (top === feedback && cursor.depth === 2 && token === text)
      facts.isFinished ||= isKey(cursor, 'blockReason')
  }
}

const enter = (cursor: Cursor, facts: Facts): number => {
  if (answers.some(each => isKey(cursor, each))) facts.isAnswer = true
  if (isKey(cursor, 'candidates')) return candidates
  if (isKey(cursor, 'promptFeedback')) return feedback
  if (isKey(cursor, 'error')) facts.isError = true
  if (!isKey(cursor, 'usageMetadata')) return other
  facts.usageStart = cursor.start
  return usage
}

type Walk = { isContent: boolean; isQueries: boolean; args: number }

/** Inside the candidates: depth 3 is one of them, 4 its content, 6 a part, 7 what the part is. */
const hear = (cursor: Cursor, token: number, walk: Walk, facts: Facts): void => {
  const { depth } = cursor
  if (depth === 3 && token === text && isKey(cursor, 'finishReason'))
    facts.isFinished ||= !isWord(cursor.bytes, cursor.start, cursor.at, unspecified)
  else if (depth === 4 && token === open) walk.isContent = isKey(cursor, 'content')
  else if (!walk.isContent) countSearches(cursor, token, walk, facts)
  else if (depth === 6 && token === text && isKey(cursor, 'text')) facts.quarters += count(cursor)
  else if (depth >= 7) listen(cursor, token, walk, facts)
}

const unspecified = 'FINISH_REASON_UNSPECIFIED'

/** The model's own words that are no text: the name and the arguments of a call, and code. */
const listen = (cursor: Cursor, token: number, walk: Walk, facts: Facts): void => {
  const { depth, start, at, bytes } = cursor
  if (depth === 8 && token === open && isKey(cursor, 'args')) walk.args = start
  else if (depth === 7 && token === close && walk.args > 0) {
    facts.quarters += quarterTokens(bytes, walk.args, at)
    walk.args = 0
  } else if (token === text && depth === 7 && (isKey(cursor, 'name') || isKey(cursor, 'code')))
    facts.quarters += count(cursor)
  else if (token === text && depth === 9 && isKey(cursor, 'stringValue'))
    facts.quarters += count(cursor)
}

/** Grounded answers name what was looked up. */
const countSearches = (cursor: Cursor, token: number, walk: Walk, facts: Facts): void => {
  if (cursor.depth !== 5) return
  if (token === open) walk.isQueries = isKey(cursor, 'webSearchQueries')
  else if (token === text && walk.isQueries && cursor.keyStart < 0) facts.searches += 1
}

const isKey = ({ bytes, keyStart, keyEnd }: Cursor, word: string): boolean =>
  keyStart >= 0 && isWord(bytes, keyStart, keyEnd, word)

const count = ({ bytes, start, at }: Cursor): number => quarterTokens(bytes, start + 1, at - 1)
