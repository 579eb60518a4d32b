import type { Logger } from 'pino'
import { request } from 'undici'

export type ExporterOptions = {
  /** The endpoint without the path of the signal. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  log: Logger
}

/** Statuses after which the collector may take the same batch later: https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const retryable = new Set([429, 502, 503, 504])
const timeoutMs = 5_000

type SendResult = 'sent' | 'refused' | 'later'

/** Posts one body to the collector. Never rejects. */
export const makeSender =
  ({ endpoint, headers, log }: ExporterOptions) =>
  async (signal: 'traces' | 'metrics', body: string): Promise<SendResult> => {
    try {
      const response = await request(`${endpoint.replace(/\/+$/, '')}/v1/${signal}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body.dump()
      const { statusCode } = response
      if (statusCode < 300) return 'sent'
      log.warn({ status: statusCode, signal }, 'the collector did not take the telemetry')
      return retryable.has(statusCode) ? 'later' : 'refused'
    } catch (error) {
      log.warn(
        { code: (error as NodeJS.ErrnoException).code, signal },
        'the collector is not there',
      )
      return 'later'
    }
  }

type QueueOptions<T> = {
  /** Items that wait; further ones are dropped. */
  max: number
  /** Items of one request. */
  batchMax: number
  send(items: readonly T[]): Promise<SendResult>
  onDropped(count: number): void
}

/** A bounded queue in front of the collector. What does not fit is dropped and counted, and never held up. */
export class ExportQueue<T> {
  private readonly items: T[] = []
  private readonly options: QueueOptions<T>
  private flushing: Promise<void> | undefined

  constructor(options: QueueOptions<T>) {
    this.options = options
  }

  get size(): number {
    return this.items.length
  }

  push(item: T): void {
    if (this.items.length >= this.options.max) this.options.onDropped(1)
    else this.items.push(item)
  }

  /** Sends batches until the queue is empty or the collector wants to wait. One flush runs at a time. */
  flush(): Promise<void> {
    this.flushing ??= this.sendAll().finally(() => {
      this.flushing = undefined
    })
    return this.flushing
  }

  private async sendAll(): Promise<void> {
    const { batchMax, send, onDropped } = this.options
    while (this.items.length > 0) {
      const batch = this.items.slice(0, batchMax)
      const result = await send(batch)
      if (result === 'later') return
      this.items.splice(0, batch.length)
      if (result === 'refused') onDropped(batch.length)
    }
  }
}
