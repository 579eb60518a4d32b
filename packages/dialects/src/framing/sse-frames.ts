import type { FrameReader, OnFrame } from '../frames.ts'
import { type OnUnit, sseSplitter } from './sse.ts'
import { fieldsOf, hasMark } from './sse-fields.ts'
import { frameBytesMax } from './sse-tap.ts'

/** Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const sseFrames = (onFrame: OnFrame): FrameReader => {
  let isFirst = true

  const onUnit: OnUnit = (bytes, start, end) => {
    hearFields(bytes, isFirst && hasMark(bytes, start) ? start + 3 : start, end, onFrame)
    isFirst = false
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
