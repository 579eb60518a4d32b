import type { StreamObserver } from '../../dialect.ts'
import { GrowableBuffer } from '../../framing/growable-buffer.ts'
import { frameBytesMax, tooLarge } from '../../framing/sse-stream-observer.ts'
import { frameObserver } from './frame-observer.ts'

const nothing: readonly Buffer[] = []

const beforeArray = 0
const betweenElements = 1
const insideElement = 2
const afterArray = 3
const unreadable = 4

/** Observes a stream without `alt=sse`: one JSON array whose elements are the frames. */
export const arrayTap = (): StreamObserver => {
  const frames = frameObserver()
  const open = new GrowableBuffer()
  let out: Buffer[] = []
  let held: Buffer | undefined
  let failure: unknown
  let malformedCount = 0
  let state = beforeArray
  let hasEnded = false
  let isBare = false
  const position = { depth: 0, isText: false, isEscaped: false, offset: 0 }

  /** `unit` is an element together with the separator before it. */
  const onElement = (unit: Buffer) => {
    const action = frames.observe(unit, position.offset, unit.length)
    if (action === 'error') failure = JSON.parse(unit.toString('utf8', position.offset))
    if (action === 'error') return
    // A client cannot parse the rest of the array after a dropped element, or an element outside of an array.
    if (isBare || (action !== 'forward' && action !== 'hold')) return markUnreadable()
    if (held) out.push(held)
    held = action === 'hold' ? unit : undefined
    if (action === 'forward') out.push(unit)
  }

  const onOuterByte = (byte: number) => {
    if (isBlank(byte)) return
    if (state === beforeArray && byte === 0x7b) isBare = true
    if (state === beforeArray && byte === 0x5b) state = betweenElements
    else if (state !== afterArray && byte === 0x7b) beginElement()
    else if (state === betweenElements && byte === 0x5d) state = afterArray
    else if (!(state === betweenElements && byte === 0x2c)) markUnreadable()
  }

  const beginElement = () => {
    state = insideElement
    position.depth = 1
  }

  const markUnreadable = () => {
    malformedCount += 1
    state = unreadable
  }

  const push = (chunk: Buffer): readonly Buffer[] => {
    if (failure !== undefined || state === unreadable) return nothing
    let from = 0
    for (let at = 0; at < chunk.length && state !== unreadable; at += 1) {
      const wasInside = state === insideElement
      if (!wasInside) onOuterByte(chunk[at]!)
      else walk(position, chunk[at]!)
      if (!wasInside && state === insideElement) position.offset = open.size + at - from
      if (!wasInside || position.depth > 0) continue
      open.add(chunk, from, at + 1)
      from = at + 1
      state = betweenElements
      onElement(open.take())
      if (failure !== undefined) break
    }
    if (failure === undefined && state !== unreadable) open.add(chunk, from, chunk.length)
    if (open.size > frameBytesMax) failure ??= tooLarge
    if (out.length === 0) return nothing
    const whole = [out.length === 1 ? out[0]! : Buffer.concat(out)]
    out = []
    return whole
  }

  const isClosed = (): boolean =>
    hasEnded && failure === undefined && state === afterArray && frames.isFinished()

  return {
    push,
    end: () => {
      hasEnded = true
      return isClosed()
    },
    isClosed,
    tail: () =>
      isClosed() ? Buffer.concat([...(held ? [held] : []), open.peek()]) : Buffer.alloc(0),
    meteredTokens: () => Math.ceil(frames.weightedChars() / 4),
    usage: frames.usage,
    failure: () => failure,
    malformedFrames: () => malformedCount,
  }
}

/** Tracks depth and strings for one byte inside an element. */
const walk = (position: { depth: number; isText: boolean; isEscaped: boolean }, byte: number) => {
  if (position.isText) {
    if (position.isEscaped) position.isEscaped = false
    else if (byte === 0x5c) position.isEscaped = true
    else if (byte === 0x22) position.isText = false
  } else if (byte === 0x22) position.isText = true
  else if (byte === 0x7b || byte === 0x5b) position.depth += 1
  else if (byte === 0x7d || byte === 0x5d) position.depth -= 1
}

/** White space, or a byte of the UTF-8 byte order mark. */
const isBlank = (byte: number): boolean =>
  byte === 0x20 ||
  byte === 0x0a ||
  byte === 0x0d ||
  byte === 0x09 ||
  byte === 0xef ||
  byte === 0xbb ||
  byte === 0xbf
