import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { App } from '../../core/app.ts'
import { type Attributes, spanKinds } from '../../core/telemetry/otlp.ts'
import type { CallCharge, Telemetry } from '../../core/telemetry/telemetry.ts'
import { parseTraceParent } from '../../core/telemetry/traceparent.ts'
import { type Channel, upstreamModelOf } from '../channels/channel.ts'
import type { CallContext, RequestContext } from '../context.ts'
import type { CallTrace } from './call-trace.ts'

/** Callers choose the names of models. */
const modelLength = 200

const newSpanId = () => randomBytes(8).toString('hex')

/** Begins the spans of a call, in the caller's trace if it has one. */
export const beginTrace = (
  telemetry: Telemetry,
  request: IncomingMessage,
  id: number,
): CallTrace => {
  const clockOffset = telemetry.beginCall(id)
  const parent = parseTraceParent(request.headers.traceparent)
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: newSpanId(),
    parentSpanId: parent?.spanId,
    clockOffset,
    attempts: [],
  }
}

/** Names of operations in the GenAI conventions; others keep their own, as the conventions allow. */
const operationNames: Readonly<Record<string, string>> = { completions: 'text_completion' }

const operationOf = ({ operation }: RequestContext): string =>
  operationNames[operation] ?? operation

type TracedAttempt = { channel: Channel; startedAt: number }

/** Adds the span of an attempt at a channel. Neither addresses nor texts of the vendor are part of it. */
export const traceAttempt = (
  app: App,
  context: CallContext,
  { channel, startedAt }: TracedAttempt,
  { outcome, status }: { outcome: string; status?: number | null | undefined },
): void => {
  const { parsed, record } = context
  const { trace } = record
  if (app.telemetry === undefined || trace === undefined) return
  const operation = operationOf(context)
  const model = upstreamModelOf(channel, parsed.model).slice(0, modelLength)
  trace.attempts.push({
    ...{ traceId: trace.traceId, spanId: newSpanId(), parentSpanId: trace.spanId },
    name: `${operation} ${model}`,
    kind: spanKinds.client,
    startedAt: startedAt + trace.clockOffset,
    endedAt: app.monotonic() + trace.clockOffset,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': channel.provider.telemetryName ?? channel.provider.id,
      'gen_ai.request.model': model,
      'http.response.status_code': status ?? undefined,
      'hub.channel.id': channel.id,
    },
    fault: outcome === 'ok' ? undefined : outcome,
  })
}

/** Exports the span of the call and those of its attempts. */
export const endTrace = (app: App, context: RequestContext, outcome: string): void => {
  const { startedAt, record, upstream } = context
  const { trace, streamFault } = record
  const { provider } = upstream
  if (app.telemetry === undefined || trace === undefined) return
  const charge = app.telemetry.endCall(context.id)
  const operation = operationOf(context)
  const model = record.requestedModel?.slice(0, modelLength)
  const fault = outcome === 'ok' ? streamFault?.code : outcome
  const endedAt = app.monotonic()
  const name = trace.attempts.at(-1)?.attributes['gen_ai.provider.name'] as string | undefined
  app.telemetry.addSpan({
    ...{ traceId: trace.traceId, spanId: trace.spanId, parentSpanId: trace.parentSpanId, fault },
    name: model === undefined ? operation : `${operation} ${model}`,
    kind: spanKinds.server,
    startedAt: startedAt + trace.clockOffset,
    endedAt: endedAt + trace.clockOffset,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': name ?? provider,
      'gen_ai.request.model': model,
      ...callAttributes(context),
      ...chargeAttributes(charge),
    },
  })
  for (const each of trace.attempts) app.telemetry.addSpan(each)
  if (model === undefined) return
  const labels = { operation, provider: name ?? provider, model, fault }
  app.telemetry.observe(labels, (endedAt - startedAt) / 1_000, charge)
}

const callAttributes = ({
  record,
  requestId,
  response,
  startedAt,
}: RequestContext): Attributes => ({
  'gen_ai.request.stream': record.requestedModel === undefined ? undefined : record.isStream,
  'hub.request.id': requestId,
  'hub.user.id': record.caller?.userId,
  'hub.token.id': record.caller?.tokenId,
  'hub.group': record.caller?.group,
  'hub.first_byte.ms':
    response.firstByteAt === undefined ? undefined : Math.round(response.firstByteAt - startedAt),
})

const chargeAttributes = (charge: CallCharge | undefined): Attributes =>
  charge === undefined
    ? {}
    : {
        'gen_ai.usage.input_tokens': charge.input,
        'gen_ai.usage.output_tokens': charge.output,
        'gen_ai.usage.cache_read.input_tokens': charge.cacheRead,
        'gen_ai.usage.cache_creation.input_tokens': charge.cacheWrite,
        'gen_ai.usage.reasoning.output_tokens': charge.reasoning,
        'hub.charge.points': charge.points,
        'hub.usage.estimated': charge.estimated,
      }
