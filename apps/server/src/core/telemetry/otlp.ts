/** OTLP in its JSON form: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. 64-bit integers are texts. */
type AttributeValue = string | number | boolean | readonly string[]

/** Undefined values are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

export const spanKinds = { server: 2, client: 3 } as const

export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: (typeof spanKinds)[keyof typeof spanKinds]
  /** Wall clock in milliseconds, with a fraction. */
  startedAt: number
  endedAt: number
  attributes: Attributes
  /** The code of the fault. Undefined: the span did not fail. */
  fault: string | undefined
}

const encodeValue = (value: AttributeValue): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(encodeValue) } }
}

export const encodeAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )

/** Nanoseconds, which are beyond the exact numbers of JavaScript. */
export const nanoseconds = (milliseconds: number): string =>
  String(BigInt(Math.round(milliseconds * 1_000)) * 1_000n)

const [statusUnset, statusError] = [0, 2]

const encodeSpan = (span: Span): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: encodeAttributes({ ...span.attributes, 'error.type': span.fault }),
  status: { code: span.fault === undefined ? statusUnset : statusError },
})

/** The process that spans and metrics belong to. */
export type Resource = { attributes: Attributes; scope: { name: string; version: string } }

export const encodeTraces = ({ attributes, scope }: Resource, spans: readonly Span[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(attributes) },
        scopeSpans: [{ scope, spans: spans.map(encodeSpan) }],
      },
    ],
  })

export const encodeMetrics = (
  { attributes, scope }: Resource,
  metrics: readonly object[],
): string =>
  JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: encodeAttributes(attributes) },
        scopeMetrics: [{ scope, metrics }],
      },
    ],
  })
