import type { Span } from '../../core/telemetry/otlp.ts'

/** The spans of one call, which are exported when it has ended. */
export type CallTrace = {
  readonly traceId: string
  readonly spanId: string
  /** The caller's own span. */
  readonly parentSpanId: string | undefined
  /** Milliseconds from the monotonic clock to the wall clock. */
  readonly clockOffset: number
  readonly attempts: Span[]
}
