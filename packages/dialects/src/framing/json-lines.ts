import type { FrameReader, OnFrame } from '../frames.ts'
import { growableBuffer } from './sse-splitter.ts'
import { frameBytesMax } from './sse-stream-observer.ts'

const lineFeed = 0x0a

/** One JSON value a line. Blank lines are none. */
export const lineFrames = (onFrame: OnFrame): FrameReader => {
  const open = growableBuffer()

  const hand = (line: string): void => {
    const trimmed = line.trim()
    if (trimmed !== '') onFrame(trimmed, '')
  }

  return {
    push: chunk => {
      let from = 0
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
        if (open.size() > 0) {
          open.add(chunk, from, end)
          hand(open.take().toString())
        } else hand(chunk.toString('utf8', from, end))
        from = end + 1
      }
      if (from < chunk.length) open.add(chunk, from, chunk.length)
      return open.size() <= frameBytesMax
    },
    end: () => hand(open.take().toString()),
  }
}
