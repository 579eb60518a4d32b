import { trackEmptiness } from '../../empty-answers/emptiness.ts'
import type { FrameAction } from '../../framing/frame-observer.ts'
import { type Cursor, cursorOf, rewind } from '../../json/cursor.ts'
import type { ToolCounts, Usage } from '../../usage.ts'
import { decodeUsage } from '../usage.ts'
import { readEmptiness } from './emptiness.ts'
import { emptyFrame, inspect } from './inspect-frame.ts'

/**
 * Observes the frames of an SSE or array stream. The dialect has no closing frame, and some upstreams repeat the finish
 * reason in every frame. So each frame from the first finish reason on is held until the next one, or the end.
 */
export const frameObserver = () => {
  const frame = emptyFrame()
  const empty = trackEmptiness(readEmptiness)
  let cursor: Cursor | undefined
  let reportedUsage: Buffer | undefined
  let weightedChars = 0
  let audio = 0
  let searches = 0
  let isFinished = false

  return {
    observe: (bytes: Buffer, start: number, end: number): FrameAction => {
      if (cursor) rewind(cursor, bytes, start, end)
      else cursor = cursorOf(bytes, start, end)
      if (!inspect(cursor, frame)) return isDone(bytes, start, end) ? 'drop' : 'malformed'
      if (frame.isError) return 'error'
      weightedChars += frame.weightedChars
      audio += frame.audio
      if (weightedChars === 0) empty.observe(bytes, start, end)
      searches = Math.max(searches, frame.searches)
      if (frame.usageEnd > 0) {
        const bytesOfUsage = bytes.subarray(frame.usageStart, frame.usageEnd)
        // Frames before the last may contain only `trafficType`.
        if (bytesOfUsage.includes('TokenCount"')) reportedUsage = Buffer.from(bytesOfUsage)
      }
      isFinished ||= frame.isFinished
      return isFinished ? 'hold' : 'forward'
    },
    isFinished: () => isFinished,
    mayBeComplete: () => isFinished,
    weightedChars: () => weightedChars,
    audioChars: () => audio,
    emptiness: () => (weightedChars > 0 ? undefined : empty.current()),
    tools: (): ToolCounts => (searches > 0 ? { web_search: searches } : {}),
    usage: () => (reportedUsage ? usageOf(reportedUsage, searches) : undefined),
  }
}

export const usageOf = (reportedUsage: Buffer, searches: number): Usage | 'broken' => {
  const usage = decodeUsage(JSON.parse(reportedUsage.toString()))
  if (usage !== 'broken' && searches > 0) usage.tools.web_search = searches
  return usage
}

/** Some gateways append the `[DONE]` frame of OpenAI. */
const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b && bytes.toString('latin1', start, end).trim() === '[DONE]'
