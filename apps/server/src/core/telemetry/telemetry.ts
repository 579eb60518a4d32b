import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Env } from '../../env.ts'
import { version } from '../../lib/runtime/version.ts'
import type { Metrics } from '../metrics.ts'
import { ExportQueue, makeSender } from './exporter.ts'
import { OtlpHistogram } from './histogram.ts'
import { encodeMetrics, encodeTraces, type Resource, type Span } from './otlp.ts'
import { registryMetrics } from './registry-metrics.ts'

/** The tokens and points of the posting of a call. */
export type CallCharge = {
  /** Tokens, as its log row has them. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
  points: number
  estimated: boolean
}

/** The attributes of one operation in the metrics of the GenAI conventions. */
export type OperationLabels = {
  operation: string
  provider: string
  model: string
  /** Undefined: it did not fail. */
  fault: string | undefined
}

/** The defaults of OpenTelemetry: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
const queueMax = 2_048
const batchMax = 512
const traceIntervalMs = 5_000
const metricIntervalMs = 60_000

/** Models that have series of their own; callers choose names, so that further ones are counted together. */
const modelsMax = 1_000

// Names and bounds: https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-metrics.md
const makeGenAiMetrics = () => ({
  tokens: new OtlpHistogram({
    name: 'gen_ai.client.token.usage',
    description: 'Number of input and output tokens used',
    unit: '{token}',
    bounds: Array.from({ length: 14 }, (_, at) => 4 ** at),
  }),
  duration: new OtlpHistogram({
    name: 'gen_ai.client.operation.duration',
    description: 'Duration of an operation',
    unit: 's',
    bounds: Array.from({ length: 14 }, (_, at) => 2 ** at / 100),
  }),
})

type TelemetryParts = {
  metrics: Metrics
  log: Logger
  now(): number
  monotonic(): number
  options: NonNullable<Env['telemetry']>
}

/** Collects spans and metrics, and exports them in the background. Contents of calls never reach it. */
export class Telemetry {
  private readonly parts: TelemetryParts
  private readonly resource: Resource
  private readonly send: ReturnType<typeof makeSender>
  private readonly spans: ExportQueue<Span>
  private readonly genAi = makeGenAiMetrics()
  private readonly models = new Set<string>()
  private readonly startedAt: number
  /** Calls that run, and what was posted for them. */
  private readonly running = new Map<number, CallCharge | undefined>()
  private readonly intervals: NodeJS.Timeout[] = []

  constructor(parts: TelemetryParts) {
    const { options, log, metrics, now } = parts
    this.parts = parts
    this.startedAt = now()
    this.send = makeSender({ ...options, log })
    this.resource = {
      attributes: {
        'service.name': options.serviceName,
        'service.version': version,
        'service.instance.id': `${hostname()}:${process.pid}`,
      },
      scope: { name: 'one-hub', version },
    }
    this.spans = new ExportQueue({
      ...{ max: queueMax, batchMax },
      send: batch => this.send('traces', encodeTraces(this.resource, batch)),
      onDropped: count => metrics.spansDropped.inc(count),
    })
  }

  start(): void {
    const every = (milliseconds: number, work: () => Promise<unknown>) =>
      this.intervals.push(setInterval(() => void work(), milliseconds).unref())
    every(traceIntervalMs, () => this.spans.flush())
    every(metricIntervalMs, () => this.exportMetrics())
  }

  /** Exports what is left, as far as the collector takes it. */
  async stop(): Promise<void> {
    for (const each of this.intervals) clearInterval(each)
    await this.flush()
  }

  async flush(): Promise<void> {
    await Promise.all([this.spans.flush(), this.exportMetrics()])
  }

  addSpan(span: Span): void {
    this.spans.push(span)
    // Once: while the collector is away, the interval tries again, not every span.
    if (this.spans.size === batchMax) void this.spans.flush()
  }

  /** Returns what turns monotonic times of the call into wall clock. It stays as it is when the wall clock is set. */
  beginCall(id: number): number {
    this.running.set(id, undefined)
    return this.parts.now() - this.parts.monotonic()
  }

  /** Called with what is posted. A call that goes on in the background has ended here. */
  addCharge(id: number, charge: CallCharge): void {
    if (this.running.has(id)) this.running.set(id, charge)
  }

  endCall(id: number): CallCharge | undefined {
    const charge = this.running.get(id)
    this.running.delete(id)
    return charge
  }

  observe(
    { operation, provider, model, fault }: OperationLabels,
    seconds: number,
    charge: CallCharge | undefined,
  ): void {
    const labels = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': this.boundedModel(model),
    }
    this.genAi.duration.observe({ ...labels, 'error.type': fault }, seconds)
    if (!charge) return
    this.genAi.tokens.observe({ ...labels, 'gen_ai.token.type': 'input' }, charge.input)
    this.genAi.tokens.observe({ ...labels, 'gen_ai.token.type': 'output' }, charge.output)
  }

  private boundedModel(model: string): string {
    if (this.models.has(model)) return model
    if (this.models.size >= modelsMax) return 'other'
    this.models.add(model)
    return model
  }

  private async exportMetrics(): Promise<void> {
    const times = { startedAt: this.startedAt, now: this.parts.now() }
    const { tokens, duration } = this.genAi
    const metrics = [
      ...(await registryMetrics(this.parts.metrics.readRegistry(), times)),
      ...tokens.encode(times),
      ...duration.encode(times),
    ]
    await this.send('metrics', encodeMetrics(this.resource, metrics))
  }
}
