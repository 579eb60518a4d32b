import { awsFrames } from './framing/aws-events.ts'
import { lineFrames } from './framing/json-lines.ts'
import { sseFrames } from './framing/sse-frames.ts'

/** How a stream is cut; what it says is the dialect's. */
export type Framing = 'sse' | 'json-lines' | 'aws-events'

/** `event`: the frame's name, '' where it has none. */
export type OnFrame = (data: string, event: string) => void

export type FrameReader = {
  /** Hands on the frames that this chunk completes; false once an open one is larger than allowed, or is no frame. */
  push(chunk: Buffer): boolean
  /** The bytes are at their end: a last frame may lack what ends one. */
  end(): void
}

const readers = { sse: sseFrames, 'json-lines': lineFrames, 'aws-events': awsFrames }

export const frameReader = (framing: Framing, onFrame: OnFrame): FrameReader =>
  readers[framing](onFrame)
