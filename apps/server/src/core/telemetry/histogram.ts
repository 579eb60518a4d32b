import { type Attributes, encodeAttributes, nanoseconds } from './otlp.ts'

export type MetricTimes = { startedAt: number; now: number }

/** In milliseconds; OTLP wants the beginning of a sum and the time of its value. */
export const encodeTimes = ({ startedAt, now }: MetricTimes) => ({
  startTimeUnixNano: nanoseconds(startedAt),
  timeUnixNano: nanoseconds(now),
})

export const cumulative = 2

type Series = { attributes: Attributes; counts: number[]; sum: number; count: number }
type HistogramOptions = {
  name: string
  description: string
  unit: string
  bounds: readonly number[]
}

/** A histogram with names of OpenTelemetry, which those of Prometheus cannot have. */
export class OtlpHistogram {
  private readonly options: HistogramOptions
  private readonly series = new Map<string, Series>()

  constructor(options: HistogramOptions) {
    this.options = options
  }

  observe(attributes: Attributes, value: number): void {
    const key = JSON.stringify(attributes)
    const { bounds } = this.options
    const found = this.series.get(key) ?? {
      ...{ attributes, sum: 0, count: 0, counts: new Array<number>(bounds.length + 1).fill(0) },
    }
    this.series.set(key, found)
    const at = bounds.findIndex(each => value <= each)
    found.counts[at === -1 ? bounds.length : at]!++
    found.sum += value
    found.count++
  }

  encode(times: MetricTimes): object[] {
    const { bounds, ...metric } = this.options
    if (this.series.size === 0) return []
    const dataPoints = [...this.series.values()].map(({ attributes, counts, sum, count }) => ({
      ...encodeTimes(times),
      ...{ attributes: encodeAttributes(attributes), sum, explicitBounds: bounds },
      count: String(count),
      bucketCounts: counts.map(String),
    }))
    return [{ ...metric, histogram: { dataPoints, aggregationTemporality: cumulative } }]
  }
}
