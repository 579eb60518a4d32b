import type { FrameReader, OnFrame } from '../frames.ts'
import { type OnUnit, sseSplitter } from './sse.ts'
import { fieldsOf, hasMark, isDataLine, trimmedEnd, valueStart } from './sse-fields.ts'
import { frameBytesMax } from './sse-tap.ts'

/** Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const sseFrames = (onFrame: OnFrame): FrameReader => {
  let isFirst = true

  const onUnit: OnUnit = (bytes, unitStart, end, fields) => {
    const start = isFirst && hasMark(bytes, unitStart) ? unitStart + 3 : unitStart
    isFirst = false
    if (fields !== 1 || !isDataLine(bytes, start, end))
      return hearFields(bytes, start, end, onFrame)
    // What nearly every frame of a stream is, thousands of times a second.
    const from = valueStart(bytes, start + 4, end)
    onFrame(bytes.toString('utf8', from, trimmedEnd(bytes, from, end)), '')
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
