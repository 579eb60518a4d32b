import type { FrameReader, OnFrame } from '../frame-reader.ts'
import { GrowableBuffer } from '../growable-buffer.ts'
import { frameBytesMax } from '../sse-stream-observer.ts'

const lineFeed = 0x0a

/** Reads one JSON value per line, and skips blank lines. */
export const lineFrames = (onFrame: OnFrame): FrameReader => {
  const open = new GrowableBuffer()

  const emit = (line: string): void => {
    const trimmed = line.trim()
    if (trimmed !== '') onFrame(trimmed, '')
  }

  return {
    push: chunk => {
      let from = 0
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
        if (open.size > 0) {
          open.add(chunk, from, end)
          emit(open.take().toString())
        } else emit(chunk.toString('utf8', from, end))
        from = end + 1
      }
      if (from < chunk.length) open.add(chunk, from, chunk.length)
      return open.size <= frameBytesMax
    },
    end: () => emit(open.take().toString()),
  }
}
