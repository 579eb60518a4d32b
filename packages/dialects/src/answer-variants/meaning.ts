import type { Part } from '../canon.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import { decodeStream } from '../generate/streams.ts'
import type { Json } from '../json/json.ts'
import type { Usage } from '../usage.ts'

/** The part of an answer that the variants of vendors and relays must not change. */
export type ComparedAnswer = {
  parts: { type: string; text: string; name?: string; signature?: string }[]
  finish: string | undefined
  usage: { input: number; cached: number; output: number } | undefined
}

const textIn = (part: Part): string => {
  if (part.type === 'tool-call') return part.input
  if (part.type === 'media') return part.base64 ?? ''
  return part.type === 'text' || part.type === 'thinking' ? part.text : JSON.stringify(part)
}

const meaningOfPart = (part: Part): ComparedAnswer['parts'][number] => ({
  type: part.type,
  text: textIn(part),
  ...(part.type === 'tool-call' ? { name: part.name } : {}),
  ...(part.type === 'thinking' && part.signature ? { signature: part.signature.text } : {}),
})

/** Empty parts say nothing. */
const partsOf = (parts: readonly Part[]): ComparedAnswer['parts'] =>
  parts.map(meaningOfPart).filter(each => each.text !== '' || each.name || each.signature)

const countsOf = (usage: Usage | 'broken' | undefined): ComparedAnswer['usage'] =>
  typeof usage === 'object'
    ? {
        input: usage.input,
        cached: usage.cacheRead,
        output: usage.output + usage.reasoning,
      }
    : undefined

/** Decodes a whole answer for a translation. */
export const wholeMeaning = (dialect: UpstreamDialect, body: Json): ComparedAnswer => {
  const { choices, reportedUsage } = dialect.decodeAnswer(structuredClone(body))
  return {
    parts: partsOf(choices[0]?.parts ?? []),
    finish: choices[0]?.finish?.reason,
    usage: countsOf(reportedUsage?.usage),
  }
}

export type Frame = Json | string

/** The bytes of frames, each with the name of its event where it has a type. A text is sent as it is. */
export const bytesOf = (frames: readonly Frame[]): Buffer =>
  Buffer.from(
    frames
      .map(each => {
        if (typeof each === 'string') return each
        const name = typeof each.type === 'string' ? `event: ${each.type}\n` : ''
        return `${name}data: ${JSON.stringify(each)}\n\n`
      })
      .join(''),
  )

/** Decodes a stream for a translation. */
export const streamMeaning = (
  dialect: UpstreamDialect,
  bytes: Buffer,
  framing: 'sse' | 'aws-events' = 'sse',
): ComparedAnswer & { last: string; malformed: number } => {
  const { answer, last, malformedFrames } = decodeStream(dialect, [bytes], framing)
  const { choices, reportedUsage } = answer
  return {
    parts: partsOf(choices[0]?.parts ?? []),
    finish: choices[0]?.finish?.reason,
    usage: countsOf(reportedUsage?.usage),
    last,
    malformed: malformedFrames,
  }
}

/** Learns what the observer of a stream that passes through does. `size` says how long each chunk is. */
export const observedUsage = (dialect: Dialect, bytes: Buffer, size = () => bytes.length) => {
  const observer = dialect.observeStream({ wantsUsage: true, n: 1 } as never)
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + size()
    observer.push(bytes.subarray(at, end))
    at = end
  }
  const isComplete = observer.isClosed() || observer.end?.() === true
  return {
    isComplete,
    failure: observer.failure(),
    hasOutput: observer.emptiness?.() === undefined,
    usage: countsOf(observer.usage()),
  }
}

/** Copies a value, and changes the copy. */
export const changed = <T>(value: T, change: (copy: Json) => void): T => {
  const copy = structuredClone(value)
  change(copy)
  return copy
}
