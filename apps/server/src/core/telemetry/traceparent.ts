export type TraceParent = { traceId: string; spanId: string }

/** https://www.w3.org/TR/trace-context/#traceparent-header. Later versions may append fields after the flags. */
const format = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/

/** The trace that the caller's own span belongs to. Undefined: the header is absent or not valid. */
export const parseTraceParent = (header: unknown): TraceParent | undefined => {
  const match = typeof header === 'string' ? format.exec(header.trim()) : null
  return match ? { traceId: match[1]!, spanId: match[2]! } : undefined
}
