import type { Tap } from '../dialect.ts'
import type { Usage } from '../usage.ts'
import { frameTemplate } from './frame-template.ts'
import { outflow } from './outflow.ts'
import { type OnUnit, type Skip, sseSplitter } from './sse.ts'
import {
  dataBehindEvent,
  fieldsOf,
  hasMark,
  isDataLine,
  isErrorEvent,
  trimmedEnd,
  valueStart,
} from './sse-fields.ts'

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
export type Fate = 'forward' | 'drop' | 'keep' | 'hold' | 'garbage' | 'failure'

/** What a dialect hears in the data of one frame. */
export type Ear = {
  hear(bytes: Buffer, start: number, end: number): Fate
  /** Bytes of the frame just heard that are taken out on the way, if any: [start, end), in the bytes it was given. */
  hole?(): readonly [number, number] | undefined
  /** Where the frame just heard goes on for one text's sake: that text, without its quotes. Others will be like it. */
  text?(): { textStart: number; textEnd: number } | undefined
  /** A frame like it goes on: the text of this one. */
  hearText?(bytes: Buffer, start: number, end: number): void
  quarters(): number
  usage(): Usage | 'broken' | undefined
  /** Where a stream ends without the blank line that ends a frame: what to take its rest for. */
  unended?(rest: Buffer): Buffer | undefined
  /** Where its vendor keeps answers: the id of this one. */
  answerId?(): string | undefined
  /** Of a dialect without a closing frame: whether the connection's end would be a good end. */
  isFinished?(): boolean
}

/** After a failure nothing goes on: the caller is told in our words. After the closing frame nothing is awaited. */
export const sseTap = (ear: Ear): Tap => {
  const out = outflow()
  const held = holding(out)
  const template = frameTemplate((bytes, start, end, textStart, textEnd) => {
    ear.hearText?.(bytes, textStart, textEnd)
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

  const onUnit: OnUnit = (bytes, unitStart, end, fields, isInChunk) => {
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
    if (fate === 'garbage') garbage += 1
    if (fate === 'keep') closing = Buffer.from(bytes.subarray(start, end))
    if (fate === 'hold' || fate === 'forward') held.release()
    if (fate === 'hold') held.add(bytes, start, end, isInChunk)
    if (fate !== 'forward') return
    const hole = fields === 0 || isJoined ? undefined : ear.hole?.()
    out.add(bytes, start, hole ? hole[0] : end, isInChunk)
    if (hole) out.add(bytes, hole[1], end, isInChunk)
    const text = wasHeard && !isJoined && !hole ? ear.text?.() : undefined
    if (text) template.learn(bytes, start, end, text.textStart, text.textEnd)
  }

  const hearUnit = (bytes: Buffer, start: number, end: number, fields: number): Fate => {
    isJoined = false
    if (fields === 1 && isDataLine(bytes, start, end))
      return hear(bytes, valueStart(bytes, start + 4, end), trimmedEnd(bytes, start, end), false)
    const data = fields === 2 ? dataBehindEvent(bytes, start, end) : 0
    if (data === 0) return hearFields(bytes, start, end)
    const isError = isErrorEvent(bytes, start)
    return hear(bytes, valueStart(bytes, data + 4, end), trimmedEnd(bytes, start, end), isError)
  }

  const hear = (bytes: Buffer, start: number, end: number, isError: boolean): Fate => {
    wasHeard = true
    const fate = ear.hear(bytes, start, end)
    if (fate !== 'failure' && !(isError && fate === 'forward')) return fate
    failure = JSON.parse(bytes.toString('utf8', start, end))
    return 'failure'
  }

  /** Several lines: rare, so it may cost something. */
  const hearFields = (bytes: Buffer, start: number, end: number): Fate => {
    const { data, event, isOdd } = fieldsOf(bytes, start, end)
    if (isOdd) return 'garbage'
    if (data.length === 0) return 'forward'
    // Places in the joined lines are none of the frame.
    isJoined = data.length > 1
    const [first] = data
    if (!isJoined) return hear(bytes, first!.start, first!.end, event === 'error')
    const lines = data.map(each => bytes.toString('utf8', each.start, each.end))
    const whole = Buffer.from(lines.join('\n'))
    return hear(whole, 0, whole.length, event === 'error')
  }

  const skip: Skip = (chunk, at) =>
    failure !== undefined || closing || held.isHeld() ? at : template.pass(chunk, at)
  const splitter = sseSplitter(onUnit, frameBytesMax, skip)
  const closingOf = (): Buffer | undefined =>
    closing ?? (failure === undefined ? ear.unended?.(splitter.rest()) : undefined)

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
    closed: () => closingOf() !== undefined,
    tail: () => closingOf() ?? Buffer.alloc(0),
    metered: () => Math.ceil(ear.quarters() / 4),
    usage: () => ear.usage(),
    failure: () => failure,
    garbage: () => garbage,
    ...(ear.answerId && { answerId: ear.answerId }),
  }
}

type Piece = { bytes: Buffer; start: number; end: number; isInChunk: boolean }

/** A frame that may be the last one, in pieces. */
const holding = (out: ReturnType<typeof outflow>) => {
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
