import type { StreamObserver } from '../dialect.ts'
import type { Emptiness } from '../empty-answers/emptiness.ts'
import { readFailureOutput } from '../reasons/failure-output.ts'
import { isRequestFailureFrame } from '../reasons/failure-reasons.ts'
import type { AnswerIds } from '../references/answer-ids.ts'
import type { ToolCounts, Usage } from '../usage.ts'
import { ForwardBuffer } from './forward-buffer.ts'
import type { FrameAction, FrameObserver } from './frame-observer.ts'
import { type FrameTemplate, frameTemplate } from './frame-template.ts'
import { HeldFrame } from './held-frame.ts'
import {
  dataBehindEvent,
  fieldsOf,
  hasByteOrderMark,
  isDataLine,
  isErrorEvent,
  trimmedEnd,
  valueStart,
} from './sse-fields.ts'
import { type SseSplitter, sseSplitter } from './sse-splitter.ts'

/** The largest frame that is buffered until it is complete. */
export const frameBytesMax = 16 * 1024 * 1024
export const tooLarge = {
  error: { message: 'A frame is larger than 16 MiB.', type: 'frame_too_large', code: null },
}

const nothing: readonly Buffer[] = []
const frameEnd = Buffer.from('\n\n')
const colon = 0x3a

export const sseStreamObserver = (observer: FrameObserver): StreamObserver =>
  new SseStreamObserver(observer)

/**
 * Forwards an SSE stream and lets the dialect observe each frame. After an error it forwards nothing, because the
 * gateway writes its own error. After the closing frame it ignores all further bytes.
 */
class SseStreamObserver implements StreamObserver {
  private readonly observer: FrameObserver
  private readonly forward = new ForwardBuffer()
  private readonly held = new HeldFrame(this.forward)
  private readonly template: FrameTemplate
  private readonly splitter: SseSplitter
  private isFirst = true
  private wasForwarded = true
  private closing: Buffer | undefined
  private error: unknown
  /** An error that the request itself causes. Its frame is the closing one, or is held until that follows. */
  private refusal: unknown
  /** Set while the refusal is held: the closing frame for an upstream that sends none. */
  private refusalEnd: Buffer | undefined
  /** The weight of the output that stands in that frame alone. */
  private refusalChars = 0
  private malformed = 0
  /** Set where the last frame was observed and not forwarded. */
  private forwardedChars: number | undefined
  /** The observer has seen the data of the current frame, and these data were several lines. */
  private wasObserved = false
  private isJoined = false
  readonly responseId?: () => string | undefined
  readonly answerIds?: () => AnswerIds
  readonly emptiness?: () => Emptiness | undefined
  readonly end?: () => boolean
  readonly audioTokens?: () => number
  readonly tools?: () => ToolCounts

  constructor(observer: FrameObserver) {
    this.observer = observer
    if (observer.responseId) this.responseId = observer.responseId
    if (observer.answerIds) this.answerIds = observer.answerIds
    if (observer.emptiness)
      // Another try of the same request would end alike.
      this.emptiness = () =>
        observer.emptiness!() && (this.refusal === undefined ? observer.emptiness!() : 'limited')
    if (observer.tools) this.tools = () => observer.tools!()
    if (observer.audioChars) this.audioTokens = () => Math.ceil(observer.audioChars!() / 4)
    if (observer.isFinished || observer.endOfFailure) this.end = () => this.endStream()
    this.template = frameTemplate((bytes, start, end, textStart, textEnd) => {
      observer.observeText?.(bytes, textStart, textEnd)
      this.forward.add(bytes, start, end, true)
      this.wasForwarded = true
    })
    this.splitter = sseSplitter(
      (bytes, start, end, fields, isInChunk) =>
        this.onLineGroup(bytes, start, end, fields, isInChunk),
      frameBytesMax,
      (chunk, at) => (this.isOver || !this.held.isEmpty ? at : this.template.match(chunk, at)),
    )
  }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.isOver) return nothing
    if (!this.splitter.push(chunk)) this.error ??= tooLarge
    this.held.detach()
    return this.forward.take(chunk)
  }

  isClosed(): boolean {
    return this.closingFrame() !== undefined
  }

  mayBeComplete(): boolean {
    return this.observer.mayBeComplete()
  }

  tail(): Buffer {
    return this.closingFrame() ?? Buffer.alloc(0)
  }

  meteredTokens(): number {
    const chars = this.forwardedChars ?? this.observer.weightedChars()
    return Math.ceil((chars + this.refusalChars) / 4)
  }

  answerTokens(): number {
    const chars = this.observer.answerChars?.() ?? this.observer.weightedChars()
    return Math.ceil((chars + this.refusalChars) / 4)
  }

  usage(): Usage | 'broken' | undefined {
    return this.observer.usage()
  }

  failure(): unknown {
    return this.error
  }

  requestFailure(): unknown {
    return this.refusal
  }

  malformedFrames(): number {
    return this.malformed
  }

  private get isOver(): boolean {
    return this.error !== undefined || this.closing !== undefined
  }

  private closingFrame(): Buffer | undefined {
    if (this.closing) return this.closing
    return this.error === undefined ? this.observer.closingOf?.(this.splitter.rest()) : undefined
  }

  /** Treats a last frame that lacks only its blank line as complete. */
  private endStream(): boolean {
    if (this.isOver) return this.closing !== undefined
    const before = this.observer.weightedChars()
    if (this.splitter.rest().length > 0) this.splitter.push(frameEnd)
    this.held.detach()
    if (this.refusalEnd && this.closing === undefined) this.closeRefusal(this.refusalEnd)
    if (this.error === undefined && this.closing === undefined && this.observer.isFinished?.())
      this.closing = Buffer.concat([
        ...this.forward.take(frameEnd),
        ...this.held.take(),
        this.observer.omittedClosing ?? Buffer.alloc(0),
      ])
    if (this.closing === undefined) this.forwardedChars = before
    return this.closing !== undefined
  }

  private onLineGroup(
    bytes: Buffer,
    groupStart: number,
    end: number,
    fields: number,
    isInChunk: boolean,
  ): void {
    if (this.isOver) return
    const start = this.isFirst && hasByteOrderMark(bytes, groupStart) ? groupStart + 3 : groupStart
    this.isFirst = false
    this.wasObserved = false
    if (fields === 0 && bytes[start] !== colon) {
      this.onBlankLine(bytes, start, end, isInChunk)
      return
    }
    const { refusalEnd } = this
    const action = fields === 0 ? 'forward' : this.observeLines(bytes, start, end, fields)
    // Behind a refusal only the frame that ends it is for the caller. A vendor that sends a comment goes on to wait.
    if (refusalEnd) {
      const isEnd = fields > 0 && this.refusalEnd === undefined
      this.closeRefusal(isEnd ? bytes.subarray(start, end) : refusalEnd)
      return
    }
    this.wasForwarded = action === 'forward'
    if (action === 'forward') {
      this.held.release()
      this.forwardFrame(bytes, start, end, isInChunk)
    } else if (action === 'hold') {
      this.held.release()
      this.held.add(bytes, start, end, isInChunk)
    } else if (action === 'malformed') this.malformed += 1
    else if (action === 'closing') this.closing = Buffer.from(bytes.subarray(start, end))
  }

  private closeRefusal(last: Buffer): void {
    this.closing = Buffer.concat([...this.held.take(), last])
  }

  /** A blank line, or the second half of a line end, follows the frame before it. */
  private onBlankLine(bytes: Buffer, start: number, end: number, isInChunk: boolean): void {
    if (!this.held.isEmpty) this.held.add(bytes, start, end, isInChunk)
    else if (this.wasForwarded) this.forward.add(bytes, start, end, isInChunk)
  }

  private forwardFrame(bytes: Buffer, start: number, end: number, isInChunk: boolean): void {
    const hasRanges = this.wasObserved && !this.isJoined
    const cut = hasRanges ? this.observer.cutRange?.() : undefined
    if (cut) {
      this.forward.add(bytes, start, cut.cutStart, isInChunk)
      this.forward.add(bytes, cut.cutEnd, end, isInChunk)
      return
    }
    this.forward.add(bytes, start, end, isInChunk)
    const text = hasRanges ? this.observer.textRange?.() : undefined
    if (text) this.template.remember(bytes, start, end, text.textStart, text.textEnd)
  }

  private observeLines(bytes: Buffer, start: number, end: number, fields: number): FrameAction {
    this.isJoined = false
    const lineEnd = trimmedEnd(bytes, start, end)
    if (fields === 1 && isDataLine(bytes, start, end))
      return this.observeData(bytes, valueStart(bytes, start + 4, end), lineEnd, false)
    const data = fields === 2 ? dataBehindEvent(bytes, start, end) : 0
    if (data === 0) return this.observeFields(bytes, start, end)
    const isError = isErrorEvent(bytes, start)
    return this.observeData(bytes, valueStart(bytes, data + 4, end), lineEnd, isError)
  }

  private observeData(bytes: Buffer, start: number, end: number, isError: boolean): FrameAction {
    this.wasObserved = true
    const action = this.observer.observe(bytes, start, end)
    if (action !== 'error' && !(isError && action === 'forward')) return action
    const failure: unknown = JSON.parse(bytes.toString('utf8', start, end))
    if (!this.refusalEnd && !isRequestFailureFrame(failure)) {
      this.error = failure
      return 'error'
    }
    const { own, repeated } = readFailureOutput(failure)
    this.refusal = failure
    this.refusalChars = own + Math.max(0, repeated - this.observer.weightedChars())
    this.refusalEnd = this.observer.endOfFailure?.(failure)
    return this.refusalEnd ? 'hold' : 'closing'
  }

  /** Handles frames of any other lines. They are rare, so this path may allocate. */
  private observeFields(bytes: Buffer, start: number, end: number): FrameAction {
    const { data, event, isMalformed } = fieldsOf(bytes, start, end)
    if (isMalformed) return 'malformed'
    const [first] = data
    if (!first) return 'forward'
    // Offsets in the joined lines are not offsets in the frame.
    this.isJoined = data.length > 1
    if (!this.isJoined) return this.observeData(bytes, first.start, first.end, event === 'error')
    const lines = data.map(each => bytes.toString('utf8', each.start, each.end))
    const joined = Buffer.from(lines.join('\n'))
    return this.observeData(joined, 0, joined.length, event === 'error')
  }
}
