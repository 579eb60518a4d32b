import type { StreamObserver } from '../../dialect.ts'
import { trackEmptiness } from '../../empty-answers/emptiness.ts'
import type { FrameAction, FrameObserver } from '../../framing/frame-observer.ts'
import { sseStreamObserver } from '../../framing/sse-stream-observer.ts'
import { type Cursor, cursorOf, isWord, rewind } from '../../json/cursor.ts'
import { weightedCharsInJson } from '../../meter.ts'
import { containerIn, noAnswerIds } from '../../references/answer-ids.ts'
import type { ToolCounts } from '../../usage.ts'
import { decodeUsage, isSoldSearch, laterUsage, searchResult } from '../usage.ts'
import { readEmptiness } from './emptiness.ts'
import { emptyFrame, inspect } from './inspect-frame.ts'

/** Observes an Anthropic stream that passes through. It holds `message_stop` back until the call is charged. */
export const observeStream = (): StreamObserver => sseStreamObserver(makeFrameObserver())

/** The end of a block, and the event with the stop reason. */
const endTypes = ['content_block_stop', 'message_delta', 'message_stop'] as const

/** The events that name the container in which code was run. */
const containerTypes = ['message_start', 'message_delta'] as const

const makeFrameObserver = (): FrameObserver => {
  const frame = emptyFrame()
  const reportedUsage: Buffer[] = []
  let cursor: Cursor | undefined
  const ids = noAnswerIds()
  const empty = trackEmptiness(readEmptiness)
  let weightedChars = 0
  let searches = 0
  let mayBeComplete = false

  const decode = (bytes: Buffer, start: number, end: number): FrameAction => {
    if (cursor) rewind(cursor, bytes, start, end)
    else cursor = cursorOf(bytes, start, end)
    // Some vendors append the `[DONE]` frame of OpenAI.
    if (!inspect(cursor, frame)) return isDone(bytes, start, end) ? 'drop' : 'malformed'
    const { typeStart, typeEnd, usageStart, usageEnd } = frame
    if (typeEnd === 0) return frame.isError ? 'error' : 'malformed'
    weightedChars += frame.weightedChars
    if (weightedChars === 0) empty.observe(bytes, start, end)
    if (usageEnd > 0) {
      // Usage frames are cumulative, so only the first and the last are kept.
      if (reportedUsage.length > 1) reportedUsage.pop()
      reportedUsage.push(Buffer.from(bytes.subarray(usageStart, usageEnd)))
    }
    if (containerTypes.some(each => isWord(bytes, typeStart, typeEnd, each))) {
      const container = containerIn(bytes, start, end)
      if (container !== undefined) ids.others = [container]
    }
    if (isWord(bytes, typeStart, typeEnd, 'content_block_start'))
      searches += searchesIn(bytes.subarray(start, end))
    mayBeComplete = endTypes.some(each => isWord(bytes, typeStart, typeEnd, each))
    if (isWord(bytes, typeStart, typeEnd, 'error')) return 'error'
    return isWord(bytes, typeStart, typeEnd, 'message_stop') ? 'closing' : 'forward'
  }

  return {
    observe: decode,
    textRange: () => (frame.texts === 1 && frame.usageEnd === 0 ? frame : undefined),
    observeText: (bytes, start, end) => {
      weightedChars += weightedCharsInJson(bytes, start, end)
    },
    mayBeComplete: () => mayBeComplete,
    weightedChars: () => weightedChars,
    emptiness: () => (weightedChars > 0 ? undefined : empty.current()),
    answerIds: () => ids,
    tools: (): ToolCounts => (searches > 0 ? { web_search: searches } : {}),
    usage: () => {
      if (reportedUsage.length === 0) return undefined
      const encoded = reportedUsage.map(each => JSON.parse(each.toString()))
      return decodeUsage(encoded.reduce(laterUsage))
    },
  }
}

const searchesIn = (frame: Buffer): number =>
  frame.includes(searchResult) && isSoldSearch(JSON.parse(frame.toString()).content_block) ? 1 : 0

const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b && bytes.toString('latin1', start, end).trim() === '[DONE]'
