import type { Tap } from '../../dialect.ts'
import { type Ear, type Fate, sseTap } from '../../framing/sse-tap.ts'
import { type Cursor, cursorOf, isWord, rewind } from '../../json/cursor.ts'
import { quarterTokens } from '../../meter.ts'
import { decodeUsage, laterUsage } from '../usage.ts'
import { inspect, noFacts } from './inspect.ts'

/** Passes every event on but the last one, which waits for the charge. */
export const tap = (): Tap => sseTap(listen())

const listen = (): Ear => {
  const facts = noFacts()
  const reported: Buffer[] = []
  let cursor: Cursor | undefined
  let quarters = 0

  const hear = (bytes: Buffer, start: number, end: number): Fate => {
    if (cursor) rewind(cursor, bytes, start, end)
    else cursor = cursorOf(bytes, start, end)
    // Some vendors send the closing word of another dialect behind their last event.
    if (!inspect(cursor, facts)) return isDone(bytes, start, end) ? 'drop' : 'garbage'
    const { typeStart, typeEnd, usageStart, usageEnd } = facts
    if (typeEnd === 0) return facts.isError ? 'failure' : 'garbage'
    quarters += facts.quarters
    if (usageEnd > 0) {
      // Of many only the first and the last count: the last is the sum of all.
      if (reported.length > 1) reported.pop()
      reported.push(Buffer.from(bytes.subarray(usageStart, usageEnd)))
    }
    if (isWord(bytes, typeStart, typeEnd, 'error')) return 'failure'
    return isWord(bytes, typeStart, typeEnd, 'message_stop') ? 'keep' : 'forward'
  }

  return {
    hear,
    text: () => (facts.texts === 1 && facts.usageEnd === 0 ? facts : undefined),
    hearText: (bytes, start, end) => {
      quarters += quarterTokens(bytes, start, end)
    },
    quarters: () => quarters,
    usage: () => {
      if (reported.length === 0) return undefined
      const told = reported.map(each => JSON.parse(each.toString()))
      return decodeUsage(told.reduce(laterUsage))
    },
  }
}

const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b && bytes.toString('latin1', start, end).trim() === '[DONE]'
