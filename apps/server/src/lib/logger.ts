import { hostname } from 'node:os'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { RecentLines } from './recent-lines.ts'
import { version } from './runtime/version.ts'

type LoggerOptions = {
  level: string
  /** Monotonic milliseconds. */
  monotonic?: () => number
  /** Absent: standard output. */
  destination?: DestinationStream
  /** Gets every line too. */
  recentLines?: RecentLines
}

const repeatMs = 1_000
/** Different kinds of lines in one second; more are written as they come. */
const kindsMax = 1_000

/**
 * Makes the logger of the process: one JSON line each, with ISO time, level name, host and version. Lines with the same
 * message and error code are written once per second; the next one says in `repeated` how many were left out.
 */
export const makeLogger = ({
  level,
  monotonic = () => performance.now(),
  destination = pino.destination(1),
  recentLines,
}: LoggerOptions): Logger => {
  const isRepeated = makeRepeatFilter(monotonic)
  const options = {
    level,
    base: { node: hostname(), version },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: {
      logMethod(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn) {
        const [first, message] = args as unknown as [unknown, unknown]
        const isText = typeof first === 'string'
        const fields = isText ? {} : (first as LogFields)
        // Calls of the access log repeat by design.
        if (fields.request !== undefined && fields.err === undefined)
          return method.apply(this, args)
        const repeated = isRepeated(`${isText ? first : message} ${errorCode(fields.err)}`)
        if (repeated === undefined) return
        if (repeated === 0) return method.apply(this, args)
        method.apply(this, [{ ...fields, repeated }, (isText ? first : message) as string])
      },
    },
    // In case a request or an error object is logged by mistake.
    redact: { paths: redactedPaths, censor: '[redacted]' },
  }
  return pino(options, recentLines ? copyTo(recentLines, destination) : destination)
}

const copyTo = (recentLines: RecentLines, destination: DestinationStream): DestinationStream => ({
  write: line => {
    recentLines.add(line)
    destination.write(line)
  },
})

type LogFields = { request?: unknown; err?: unknown }

const redactedPaths = [
  ...['password', 'key', 'token', '*.password', '*.key', '*.token'],
  ...['req.headers', 'headers'],
]

const errorCode = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'code' in error ? String(error.code) : error.message
}

/** Returns undefined for a line to leave out, else how many of its kind were left out before it. */
const makeRepeatFilter = (monotonic: () => number) => {
  const kinds = new Map<string, { until: number; leftOut: number }>()
  return (kind: string): number | undefined => {
    const now = monotonic()
    const known = kinds.get(kind)
    if (known && known.until > now) {
      known.leftOut++
      return undefined
    }
    if (kinds.size >= kindsMax) kinds.clear()
    kinds.set(kind, { until: now + repeatMs, leftOut: 0 })
    return known?.leftOut ?? 0
  }
}
