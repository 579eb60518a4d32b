import type { Fate } from '../../framing/sse-tap.ts'
import { type Cursor, cursorOf, rewind } from '../../json/cursor.ts'
import type { Usage } from '../../usage.ts'
import { decodeUsage } from '../usage.ts'
import { inspect, noFacts } from './inspect.ts'

/**
 * What is heard in the frames of a stream, whatever cuts it. There is no closing frame, and some upstreams say in every
 * frame why they ended: from the first such frame on each one is held until the next, or the end, comes.
 */
export const listen = () => {
  const facts = noFacts()
  let cursor: Cursor | undefined
  let reported: Buffer | undefined
  let quarters = 0
  let searches = 0
  let isFinished = false

  return {
    hear: (bytes: Buffer, start: number, end: number): Fate => {
      if (cursor) rewind(cursor, bytes, start, end)
      else cursor = cursorOf(bytes, start, end)
      if (!inspect(cursor, facts)) return isDone(bytes, start, end) ? 'drop' : 'garbage'
      if (facts.isError) return 'failure'
      quarters += facts.quarters
      searches = Math.max(searches, facts.searches)
      if (facts.usageEnd > 0) {
        const told = bytes.subarray(facts.usageStart, facts.usageEnd)
        // Frames before the last may tell the kind of traffic only.
        if (told.includes('TokenCount"')) reported = Buffer.from(told)
      }
      isFinished ||= facts.isFinished
      return isFinished ? 'hold' : 'forward'
    },
    isFinished: () => isFinished,
    quarters: () => quarters,
    usage: () => (reported ? usageOf(reported, searches) : undefined),
  }
}

export const usageOf = (reported: Buffer, searches: number): Usage | 'broken' => {
  const usage = decodeUsage(JSON.parse(reported.toString()))
  if (usage !== 'broken' && searches > 0) usage.tools.web_search = searches
  return usage
}

/** Some gateways in between close every stream as another dialect does. */
const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b && bytes.toString('latin1', start, end).trim() === '[DONE]'
