import type { StreamObserver } from '../dialect.ts'
import type { Usage } from '../usage.ts'
import { forwardBuffer } from './forward-buffer.ts'
import { frameTemplate } from './frame-template.ts'
import {
  dataBehindEvent,
  fieldsOf,
  hasMark,
  isDataLine,
  isErrorEvent,
  trimmedEnd,
  valueStart,
} from './sse-fields.ts'
import { type FastPath, type OnLineGroup, sseSplitter } from './sse-splitter.ts'

/** A frame that is not whole yet is held back, but not without bound. */
export const frameBytesMax = 16 * 1024 * 1024
export const tooLarge = {
  error: { message: 'A frame is larger than 16 MiB.', type: 'frame_too_large', code: null },
}
const nothing: readonly Buffer[] = []
const frameEnd = Buffer.from('\n\n')

/**
 * What becomes of a frame: it goes on, is left out, is kept as the closing one, is held until the next one comes (it may
 * be the last), is no frame, or tells an error.
 */
export type FrameAction = 'forward' | 'drop' | 'closing' | 'hold' | 'malformed' | 'error'

/** What a dialect hears in the data of one frame. */
export type FrameObserver = {
  observe(bytes: Buffer, start: number, end: number): FrameAction
  /** Bytes of the frame just heard that are taken out on the way, if any: [start, end), in the bytes it was given. */
  cutRange?(): readonly [number, number] | undefined
  /** Where the frame just heard goes on for one text's sake: that text, without its quotes. Others will be like it. */
  textRange?(): { textStart: number; textEnd: number } | undefined
  /** A frame like it goes on: the text of this one. */
  observeText?(bytes: Buffer, start: number, end: number): void
  weightedChars(): number
  usage(): Usage | 'broken' | undefined
  /** Where a stream ends without the blank line that ends a frame: what to take its rest for. */
  closingOf?(rest: Buffer): Buffer | undefined
  /** Where its vendor keeps answers: the id of this one. */
  responseId?(): string | undefined
  /** Of a dialect without a closing frame: whether the connection's end would be a good end. */
  isFinished?(): boolean
}

/** After a failure nothing goes on: the caller is told in our words. After the closing frame nothing is awaited. */
export const sseStreamObserver = (ear: FrameObserver): StreamObserver => {
  const out = forwardBuffer()
  const held = holding(out)
  const template = frameTemplate((bytes, start, end, textStart, textEnd) => {
    ear.observeText?.(bytes, textStart, textEnd)
    out.add(bytes, start, end, true)
    wasForwarded = true
  })
  let isFirst = true
  let wasForwarded = true
  let closing: Buffer | undefined
  let failure: unknown
  let garbage = 0
  /** Of the frame just looked at: its data was heard, and stood in several lines. */
  let wasHeard = false
  let isJoined = false

  const onUnit: OnLineGroup = (bytes, unitStart, end, fields, isInChunk) => {
    if (failure !== undefined || closing) return
    const start = isFirst && hasMark(bytes, unitStart) ? unitStart + 3 : unitStart
    isFirst = false
    wasHeard = false
    // A blank line of its own, or the second half of a line end, goes the way of the frame before it.
    if (fields === 0 && bytes[start] !== 0x3a) {
      if (held.isHeld()) held.add(bytes, start, end, isInChunk)
      else if (wasForwarded) out.add(bytes, start, end, isInChunk)
      return
    }
    const fate = fields === 0 ? 'forward' : hearUnit(bytes, start, end, fields)
    wasForwarded = fate === 'forward'
    if (fate === 'malformed') garbage += 1
    if (fate === 'closing') closing = Buffer.from(bytes.subarray(start, end))
    if (fate === 'hold' || fate === 'forward') held.release()
    if (fate === 'hold') held.add(bytes, start, end, isInChunk)
    if (fate !== 'forward') return
    const hole = fields === 0 || isJoined ? undefined : ear.cutRange?.()
    out.add(bytes, start, hole ? hole[0] : end, isInChunk)
    if (hole) out.add(bytes, hole[1], end, isInChunk)
    const text = wasHeard && !isJoined && !hole ? ear.textRange?.() : undefined
    if (text) template.learn(bytes, start, end, text.textStart, text.textEnd)
  }

  const hearUnit = (bytes: Buffer, start: number, end: number, fields: number): FrameAction => {
    isJoined = false
    if (fields === 1 && isDataLine(bytes, start, end))
      return hear(bytes, valueStart(bytes, start + 4, end), trimmedEnd(bytes, start, end), false)
    const data = fields === 2 ? dataBehindEvent(bytes, start, end) : 0
    if (data === 0) return hearFields(bytes, start, end)
    const isError = isErrorEvent(bytes, start)
    return hear(bytes, valueStart(bytes, data + 4, end), trimmedEnd(bytes, start, end), isError)
  }

  const hear = (bytes: Buffer, start: number, end: number, isError: boolean): FrameAction => {
    wasHeard = true
    const fate = ear.observe(bytes, start, end)
    if (fate !== 'error' && !(isError && fate === 'forward')) return fate
    failure = JSON.parse(bytes.toString('utf8', start, end))
    return 'error'
  }

  /** Several lines: rare, so it may cost something. */
  const hearFields = (bytes: Buffer, start: number, end: number): FrameAction => {
    const { data, event, isOdd } = fieldsOf(bytes, start, end)
    if (isOdd) return 'malformed'
    if (data.length === 0) return 'forward'
    // Places in the joined lines are none of the frame.
    isJoined = data.length > 1
    const [first] = data
    if (!isJoined) return hear(bytes, first!.start, first!.end, event === 'error')
    const lines = data.map(each => bytes.toString('utf8', each.start, each.end))
    const whole = Buffer.from(lines.join('\n'))
    return hear(whole, 0, whole.length, event === 'error')
  }

  const skip: FastPath = (chunk, at) =>
    failure !== undefined || closing || held.isHeld() ? at : template.pass(chunk, at)
  const splitter = sseSplitter(onUnit, frameBytesMax, skip)
  const closingOf = (): Buffer | undefined =>
    closing ?? (failure === undefined ? ear.closingOf?.(splitter.rest()) : undefined)

  /** What was begun and lacks only its blank line is taken as a frame. */
  const end = (): boolean => {
    if (failure !== undefined || closing) return closing !== undefined
    if (splitter.rest().length > 0) splitter.push(frameEnd)
    held.settle()
    if (failure === undefined && ear.isFinished?.())
      closing = Buffer.concat([...out.take(frameEnd), ...held.take()])
    return closing !== undefined
  }

  return {
    push: chunk => {
      if (failure !== undefined || closing) return nothing
      if (!splitter.push(chunk)) failure ??= tooLarge
      held.settle()
      return out.take(chunk)
    },
    ...(ear.isFinished && { end }),
    isClosed: () => closingOf() !== undefined,
    tail: () => closingOf() ?? Buffer.alloc(0),
    meteredTokens: () => Math.ceil(ear.weightedChars() / 4),
    usage: () => ear.usage(),
    failure: () => failure,
    malformedFrames: () => garbage,
    ...(ear.responseId && { responseId: ear.responseId }),
  }
}

type Piece = { bytes: Buffer; start: number; end: number; isInChunk: boolean }

/** A frame that may be the last one, in pieces. */
const holding = (out: ReturnType<typeof forwardBuffer>) => {
  let pieces: Piece[] = []
  return {
    isHeld: () => pieces.length > 0,
    add: (bytes: Buffer, start: number, end: number, isInChunk: boolean): void => {
      pieces.push({ bytes, start, end, isInChunk })
    },
    release: (): void => {
      if (pieces.length === 0) return
      for (const { bytes, start, end, isInChunk } of pieces) out.add(bytes, start, end, isInChunk)
      pieces = []
    },
    /** The chunk is not ours any longer. */
    settle: (): void => {
      if (pieces.length === 0) return
      pieces = pieces.map(each =>
        each.isInChunk
          ? { bytes: slice(each), start: 0, end: each.end - each.start, isInChunk: false }
          : each,
      )
    },
    take: (): Buffer[] => pieces.map(slice),
  }
}

const slice = ({ bytes, start, end }: Piece): Buffer => Buffer.from(bytes.subarray(start, end))
