import { isJsonObject, type Json } from '../json/json.ts'

/**
 * How an answer without output ended so far. Text, tool calls, visible reasoning, refusals, audio and images are output;
 * roles, ids, usage, signatures and pings are not. `unfinished`: neither output nor a finish. `stopped`: the model ended by
 * itself. `limited`: a limit, a filter or the caller ended it, so that another try would end alike.
 */
export type Emptiness = 'unfinished' | 'stopped' | 'limited'

/** Reads a frame of a stream, or a whole answer, whose texts have no weight. Undefined: it has output. */
export type ReadEmptiness = (value: Json) => Emptiness | undefined

/** Follows the frames of a stream up to its first output. */
export type EmptinessTracker = {
  /** Observes a frame without text. It is decoded, so this runs only before the first output. */
  observe(bytes: Buffer, start: number, end: number): void
  current(): Emptiness | undefined
}

export const trackEmptiness = (read: ReadEmptiness): EmptinessTracker => {
  let state: Emptiness | undefined = 'unfinished'
  return {
    observe: (bytes, start, end) => {
      if (state === undefined) return
      const value: Json = JSON.parse(bytes.toString('utf8', start, end))
      // `reasons/failure-output.ts` reads the output that a failure shows.
      if (value.type === 'error' || isJsonObject(value.error)) return
      const found = read(value)
      if (found !== 'unfinished') state = found
    },
    current: () => state,
  }
}

/** Texts that name or describe a part, and are not its content. */
const labels: ReadonlySet<string> = new Set([
  ...['type', 'role', 'format', 'status', 'phase', 'object', 'mimeType', 'language'],
  ...['item_id', 'response_id', 'event_id', 'obfuscation'],
  ...['signature', 'thoughtSignature', 'encrypted_content'],
])

/** Says whether a part has any text or data. */
export const hasText = (value: unknown): boolean => {
  if (typeof value === 'string') return value !== ''
  if (Array.isArray(value)) return value.some(hasText)
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([key, each]) => !labels.has(key) && hasText(each))
  )
}

/** The end that a finish reason stands for; undefined reasons are absent, null or empty. */
export const endOf = (reason: unknown, ownReasons: ReadonlySet<string>): Emptiness => {
  if (typeof reason !== 'string' || reason === '') return 'unfinished'
  return ownReasons.has(reason) ? 'stopped' : 'limited'
}

/** The emptiness of several choices: one that has an end counts before one that has none. */
export const joinEmptiness = (all: readonly (Emptiness | undefined)[]): Emptiness | undefined => {
  if (all.includes(undefined)) return undefined
  return (
    all.find(each => each === 'limited') ?? all.find(each => each === 'stopped') ?? 'unfinished'
  )
}
