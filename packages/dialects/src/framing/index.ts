import type { FrameReader, Framing, OnFrame } from './frame-reader.ts'
import { awsFrames } from './readers/aws-events.ts'
import { lineFrames } from './readers/json-lines.ts'
import { sseFrames } from './readers/sse-frames.ts'

const readers = { sse: sseFrames, 'json-lines': lineFrames, 'aws-events': awsFrames }

export const frameReader = (framing: Framing, onFrame: OnFrame): FrameReader =>
  readers[framing](onFrame)
