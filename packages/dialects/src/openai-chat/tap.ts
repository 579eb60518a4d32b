import type { ParsedRequest, StreamObserver } from '../dialect.ts'
import { forwardBuffer } from '../framing/forward-buffer.ts'
import { type FrameTemplate, frameTemplate } from '../framing/frame-template.ts'
import { fieldsOf, hasMark, isDataLine, trimmedEnd, valueStart } from '../framing/sse-fields.ts'
import { type FastPath, type OnLineGroup, sseSplitter } from '../framing/sse-splitter.ts'
import { type Cursor, cursorOf, rewind } from '../json/cursor.ts'
import { weightedCharsInJson } from '../meter.ts'
import { inspect, noFacts, quartersOf } from './inspect.ts'
import { decodeUsage } from './usage.ts'

/** A frame that is not whole yet is held back, but not without bound. */
const frameBytesMax = 16 * 1024 * 1024
const tooLarge = {
  error: { message: 'A frame is larger than 16 MiB.', type: 'frame_too_large', code: null },
}
const nothing: readonly Buffer[] = []

type Fate = 'forward' | 'drop' | 'keep'

/** After a failure nothing goes on: the caller is told in our words. After the closing frame nothing is awaited. */
export const tap = (ask: Pick<ParsedRequest, 'wantsUsage'>): StreamObserver => {
  const ear = listen(ask.wantsUsage)
  const out = forwardBuffer()
  const template = frameTemplate((bytes, start, end, textStart, textEnd) => {
    ear.quarters += weightedCharsInJson(bytes, textStart, textEnd)
    out.add(bytes, start, end, true)
    wasForwarded = true
  })
  let isFirst = true
  let wasForwarded = true
  let closing: Buffer | undefined

  const onUnit: OnLineGroup = (bytes, unitStart, end, fields, isInChunk) => {
    if (ear.failure !== undefined || closing) return
    const start = isFirst && hasMark(bytes, unitStart) ? unitStart + 3 : unitStart
    isFirst = false
    ear.facts.nullEnd = 0
    ear.facts.texts = 0
    // A blank line of its own, or the second half of a line end, goes the way of the frame before it.
    if (fields === 0 && bytes[start] !== 0x3a) {
      if (wasForwarded) out.add(bytes, start, end, isInChunk)
      return
    }
    const fate = fields === 0 ? 'forward' : ear.hear(bytes, start, end, fields)
    wasForwarded = fate === 'forward'
    if (fate === 'keep') closing = Buffer.from(bytes.subarray(start, end))
    if (fate !== 'forward') return
    const { nullStart, nullEnd } = ear.facts
    const hasHole = nullEnd > 0 && !ask.wantsUsage
    out.add(bytes, start, hasHole ? nullStart : end, isInChunk)
    if (hasHole) out.add(bytes, nullEnd, end, isInChunk)
    else ear.learn(template, bytes, start, end)
  }

  const skip: FastPath = (chunk, at) =>
    ear.failure !== undefined || closing ? at : template.pass(chunk, at)
  const splitter = sseSplitter(onUnit, frameBytesMax, skip)
  const closingOf = (): Buffer | undefined =>
    closing ?? (ear.failure === undefined ? unendedDone(splitter.rest()) : undefined)

  return {
    push: chunk => {
      if (ear.failure !== undefined || closing) return nothing
      if (!splitter.push(chunk)) ear.failure ??= tooLarge
      return out.take(chunk)
    },
    isClosed: () => closingOf() !== undefined,
    tail: () => closingOf() ?? Buffer.alloc(0),
    meteredTokens: () => Math.ceil(ear.quarters / 4),
    usage: () => ear.usage(),
    failure: () => ear.failure,
    malformedFrames: () => ear.garbage,
  }
}

const listen = (wantsUsage: boolean) => {
  const facts = noFacts()
  let cursor: Cursor | undefined
  let reportedUsage: Buffer | undefined

  const hearData = (bytes: Buffer, start: number, end: number): Fate => {
    if (isDone(bytes, start, end)) return 'keep'
    if (cursor) rewind(cursor, bytes, start, end)
    else cursor = cursorOf(bytes, start, end)
    if (!inspect(cursor, facts)) {
      ear.garbage += 1
      return 'drop'
    }
    if (facts.isError) return fail(bytes, start, end)
    ear.quarters += quartersOf(facts)
    if (facts.usageEnd === 0) return 'forward'
    // Decoded only when it is asked for: some vendors tell it in every frame.
    reportedUsage = Buffer.from(bytes.subarray(facts.usageStart, facts.usageEnd))
    return facts.isChoiceless && !wantsUsage ? 'drop' : 'forward'
  }

  const fail = (bytes: Buffer, start: number, end: number): Fate => {
    ear.failure = JSON.parse(bytes.toString('utf8', start, end))
    return 'drop'
  }

  /** Several lines: rare, so it may cost something. */
  const hearFields = (bytes: Buffer, start: number, end: number): Fate => {
    const { data, event, isOdd } = fieldsOf(bytes, start, end)
    if (isOdd) ear.garbage += 1
    if (isOdd) return 'drop'
    if (data.length === 0) return 'forward'
    const lines = data.map(each => bytes.toString('utf8', each.start, each.end))
    const whole = data.length === 1 ? bytes : Buffer.from(lines.join('\n'))
    const from = data.length === 1 ? data[0]!.start : 0
    const to = data.length === 1 ? data[0]!.end : whole.length
    const fate = hearData(whole, from, to)
    // Its places are those of the joined lines, not of the frame.
    if (data.length > 1) {
      facts.nullEnd = 0
      facts.texts = 0
    }
    return event === 'error' && fate === 'forward' ? fail(whole, from, to) : fate
  }

  const ear = {
    facts,
    quarters: 0,
    garbage: 0,
    failure: undefined as unknown,
    hear: (bytes: Buffer, start: number, end: number, fields: number): Fate =>
      fields === 1 && isDataLine(bytes, start, end)
        ? hearData(bytes, valueStart(bytes, start + 4, end), trimmedEnd(bytes, start, end))
        : hearFields(bytes, start, end),
    /** A frame that goes on for its one text's sake: others will be like it. */
    learn: (template: FrameTemplate, bytes: Buffer, start: number, end: number) => {
      const { texts, textStart, textEnd, usageEnd } = facts
      if (texts === 1 && usageEnd === 0) template.learn(bytes, start, end, textStart, textEnd)
    },
    usage: () => (reportedUsage ? decodeUsage(JSON.parse(reportedUsage.toString())) : undefined),
  }
  return ear
}

const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b &&
  bytes[start + 1] === 0x44 &&
  bytes.toString('latin1', start, end).trim() === '[DONE]'

/** Some vendors end the connection right behind the last word, without the blank line that ends a frame. */
const unendedDone = (rest: Buffer): Buffer | undefined =>
  rest.length > 10 && rest.length < 32 && /^(\uFEFF)?data: ?\[DONE\]\s*$/.test(rest.toString())
    ? Buffer.concat([rest, Buffer.from('\n\n')])
    : undefined
