import { awsFrames } from './aws-events.ts'
import type { FrameReader, Framing, OnFrame } from './frame-reader.ts'
import { lineFrames } from './json-lines.ts'
import { sseFrames } from './sse-frames.ts'

const readers = { sse: sseFrames, 'json-lines': lineFrames, 'aws-events': awsFrames }

export const frameReader = (framing: Framing, onFrame: OnFrame): FrameReader =>
  readers[framing](onFrame)
