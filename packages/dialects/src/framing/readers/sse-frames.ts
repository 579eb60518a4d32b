import type { FrameReader, OnFrame } from '../frame-reader.ts'
import {
  dataBehindEvent,
  eventAt,
  fieldsOf,
  hasByteOrderMark,
  isDataLine,
  trimmedEnd,
  valueStart,
} from '../sse-fields.ts'
import { type OnLineGroup, sseSplitter } from '../sse-splitter.ts'
import { frameBytesMax } from '../sse-stream-observer.ts'

/** Reads server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const sseFrames = (onFrame: OnFrame): FrameReader => {
  let isFirst = true

  const onLineGroup: OnLineGroup = (bytes, groupStart, end, fields) => {
    const start = isFirst && hasByteOrderMark(bytes, groupStart) ? groupStart + 3 : groupStart
    isFirst = false
    // Nearly every frame takes this path.
    const isData = fields === 1 && isDataLine(bytes, start, end)
    const data = fields === 2 ? dataBehindEvent(bytes, start, end) : 0
    if (!isData && data === 0) return readFields(bytes, start, end, onFrame)
    const from = valueStart(bytes, (isData ? start : data) + 4, end)
    const event = isData ? '' : eventAt(bytes, start)
    onFrame(bytes.toString('utf8', from, trimmedEnd(bytes, from, end)), event)
  }

  const splitter = sseSplitter(onLineGroup, frameBytesMax)
  return {
    push: chunk => splitter.push(chunk),
    end: () => {
      // Some upstreams close the connection after the last line, without the blank line.
      const rest = Buffer.from(splitter.rest())
      readFields(rest, isFirst && hasByteOrderMark(rest, 0) ? 3 : 0, rest.length, onFrame)
    },
  }
}

const readFields = (bytes: Buffer, start: number, end: number, onFrame: OnFrame): void => {
  const { data, event } = fieldsOf(bytes, start, end)
  if (data.length > 0)
    onFrame(data.map(each => bytes.toString('utf8', each.start, each.end)).join('\n'), event)
}
