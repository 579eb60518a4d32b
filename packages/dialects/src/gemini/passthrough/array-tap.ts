import type { Tap } from '../../dialect.ts'
import { growing } from '../../framing/sse.ts'
import { frameBytesMax, tooLarge } from '../../framing/sse-tap.ts'
import { listen } from './listen.ts'

const nothing: readonly Buffer[] = []

const before = 0
const between = 1
const inside = 2
const after = 3
const lost = 4

/** A stream without `alt=sse`: one JSON array whose elements are the frames. */
export const arrayTap = (): Tap => {
  const ear = listen()
  const open = growing()
  let out: Buffer[] = []
  let held: Buffer | undefined
  let failure: unknown
  let garbage = 0
  let state = before
  let hasEnded = false
  let isBare = false
  const place = { depth: 0, isText: false, isEscaped: false, offset: 0 }

  /** `unit` is an element with what separates it from the one before. */
  const hear = (unit: Buffer) => {
    const fate = ear.hear(unit, place.offset, unit.length)
    if (fate === 'failure') failure = JSON.parse(unit.toString('utf8', place.offset))
    if (fate === 'failure') return
    // Without this element, or without a list around it, nothing that follows could be read.
    if (isBare || (fate !== 'forward' && fate !== 'hold')) return lose()
    if (held) out.push(held)
    held = fate === 'hold' ? unit : undefined
    if (fate === 'forward') out.push(unit)
  }

  const outside = (byte: number) => {
    if (isBlank(byte)) return
    if (state === before && byte === 0x7b) isBare = true
    if (state === before && byte === 0x5b) state = between
    else if (state !== after && byte === 0x7b) begin()
    else if (state === between && byte === 0x5d) state = after
    else if (!(state === between && byte === 0x2c)) lose()
  }

  const begin = () => {
    state = inside
    place.depth = 1
  }

  const lose = () => {
    garbage += 1
    state = lost
  }

  const push = (chunk: Buffer): readonly Buffer[] => {
    if (failure !== undefined || state === lost) return nothing
    let from = 0
    for (let at = 0; at < chunk.length && state !== lost; at += 1) {
      const wasInside = state === inside
      if (!wasInside) outside(chunk[at]!)
      else walk(place, chunk[at]!)
      if (!wasInside && state === inside) place.offset = open.size() + at - from
      if (!wasInside || place.depth > 0) continue
      open.add(chunk, from, at + 1)
      from = at + 1
      state = between
      hear(open.take())
      if (failure !== undefined) break
    }
    if (failure === undefined && state !== lost) open.add(chunk, from, chunk.length)
    if (open.size() > frameBytesMax) failure ??= tooLarge
    if (out.length === 0) return nothing
    const whole = [out.length === 1 ? out[0]! : Buffer.concat(out)]
    out = []
    return whole
  }

  const isClosed = (): boolean =>
    hasEnded && failure === undefined && state === after && ear.isFinished()

  return {
    push,
    end: () => {
      hasEnded = true
      return isClosed()
    },
    closed: isClosed,
    tail: () =>
      isClosed() ? Buffer.concat([...(held ? [held] : []), open.peek()]) : Buffer.alloc(0),
    metered: () => Math.ceil(ear.quarters() / 4),
    usage: ear.usage,
    failure: () => failure,
    garbage: () => garbage,
  }
}

/** One byte inside an element. */
const walk = (place: { depth: number; isText: boolean; isEscaped: boolean }, byte: number) => {
  if (place.isText) {
    if (place.isEscaped) place.isEscaped = false
    else if (byte === 0x5c) place.isEscaped = true
    else if (byte === 0x22) place.isText = false
  } else if (byte === 0x22) place.isText = true
  else if (byte === 0x7b || byte === 0x5b) place.depth += 1
  else if (byte === 0x7d || byte === 0x5d) place.depth -= 1
}

/** The mark of UTF-8 counts as none. */
const isBlank = (byte: number): boolean =>
  byte === 0x20 ||
  byte === 0x0a ||
  byte === 0x0d ||
  byte === 0x09 ||
  byte === 0xef ||
  byte === 0xbb ||
  byte === 0xbf
