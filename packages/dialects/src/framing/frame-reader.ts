/** Formats in which an upstream separates the frames of a stream. */
export type Framing = 'sse' | 'json-lines' | 'aws-events'

/** `event` is the name of the frame, '' for none. */
export type OnFrame = (data: string, event: string) => void

export type FrameReader = {
  /** Emits the frames that this chunk completes. Returns false for a malformed frame or one above the size limit. */
  push(chunk: Buffer): boolean
  /** Ends the stream. The last frame may lack its terminator. */
  end(): void
}
