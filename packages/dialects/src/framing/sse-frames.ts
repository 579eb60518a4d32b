import type { FrameReader, OnFrame } from '../frames.ts'
import {
  dataBehindEvent,
  eventAt,
  fieldsOf,
  hasMark,
  isDataLine,
  trimmedEnd,
  valueStart,
} from './sse-fields.ts'
import { type OnLineGroup, sseSplitter } from './sse-splitter.ts'
import { frameBytesMax } from './sse-stream-observer.ts'

/** Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const sseFrames = (onFrame: OnFrame): FrameReader => {
  let isFirst = true

  const onUnit: OnLineGroup = (bytes, unitStart, end, fields) => {
    const start = isFirst && hasMark(bytes, unitStart) ? unitStart + 3 : unitStart
    isFirst = false
    // What nearly every frame of a stream is, thousands of times a second.
    const isData = fields === 1 && isDataLine(bytes, start, end)
    const data = fields === 2 ? dataBehindEvent(bytes, start, end) : 0
    if (!isData && data === 0) return hearFields(bytes, start, end, onFrame)
    const from = valueStart(bytes, (isData ? start : data) + 4, end)
    const event = isData ? '' : eventAt(bytes, start)
    onFrame(bytes.toString('utf8', from, trimmedEnd(bytes, from, end)), event)
  }

  const splitter = sseSplitter(onUnit, frameBytesMax)
  return {
    push: chunk => splitter.push(chunk),
    end: () => {
      // Some upstreams end the connection right behind the last line, without the blank one.
      const rest = Buffer.from(splitter.rest())
      hearFields(rest, isFirst && hasMark(rest, 0) ? 3 : 0, rest.length, onFrame)
    },
  }
}

const hearFields = (bytes: Buffer, start: number, end: number, onFrame: OnFrame): void => {
  const { data, event } = fieldsOf(bytes, start, end)
  if (data.length > 0)
    onFrame(data.map(each => bytes.toString('utf8', each.start, each.end)).join('\n'), event)
}
