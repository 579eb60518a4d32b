import type { StreamObserver } from '../dialect.ts'
import type { FrameAction, FrameObserver } from '../framing/frame-observer.ts'
import { sseStreamObserver } from '../framing/sse-stream-observer.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import { literal } from '../json/read-request.ts'
import { weightedCharsInJson } from '../meter.ts'
import type { Usage } from '../usage.ts'

type EventRules = {
  /** Types of the events that may be the last one; they carry the usage. */
  final: readonly string[]
  /** The field with the text of an event. Absent: events are counted. */
  text?: string
  /** Counts the tokens of sound in base64, where an event has it in this field. */
  audio?: { field: string; push(base64: string): void; tokens(): number }
  decodeUsage(usage: unknown): Usage | 'broken' | undefined
}

/**
 * Observes a stream of OpenAI's audio and image events: JSON objects with a type, the last of which carries the usage. An
 * event may be megabytes of base64, so its values are not built.
 */
export const observeTypedEvents = (rules: EventRules): StreamObserver =>
  sseStreamObserver(makeFrameObserver(rules))

/** Output that is no text counts by events: as a share of the whole, and to tell whether there was any. */
const weightPerEvent = 4

const makeFrameObserver = ({ final, text, audio, decodeUsage }: EventRules): FrameObserver => {
  let usage: Usage | 'broken' | undefined
  let weight = 0
  let isFinished = false
  const observe = (bytes: Buffer, start: number, end: number): FrameAction => {
    if (bytes.toString('latin1', start, Math.min(end, start + 8)).trim() === '[DONE]')
      return 'closing'
    const top = readFieldRanges(bytes, start, end, [])
    if (!top.ok) return 'malformed'
    const { fieldRanges } = top
    const type = literal(bytes, fieldRanges.get('type')) ?? ''
    if (type === '"error"' || literal(bytes, fieldRanges.get('error')) !== undefined) return 'error'
    const range = fieldRanges.get('usage')
    if (range && literal(bytes, range) !== undefined)
      usage = decodeUsage(JSON.parse(bytes.toString('utf8', range.start, range.end)))
    isFinished = final.includes(type.slice(1, -1))
    const words = text === undefined ? undefined : fieldRanges.get(text)
    const sound = audio && fieldRanges.get(audio.field)
    if (sound) audio.push(bytes.toString('latin1', sound.start + 1, sound.end - 1))
    else if (words) weight += weightedCharsInJson(bytes, words.start + 1, words.end - 1)
    else if (!audio && (!isFinished || weight === 0)) weight += weightPerEvent
    return isFinished ? 'hold' : 'forward'
  }
  const audioChars = () => (audio?.tokens() ?? 0) * weightPerEvent
  return {
    observe,
    mayBeComplete: () => isFinished,
    weightedChars: () => weight + audioChars(),
    ...(audio && { audioChars }),
    usage: () => usage,
    isFinished: () => isFinished,
  }
}
