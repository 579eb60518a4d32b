import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { cumulative, encodeTimes, type MetricTimes } from './histogram.ts'
import { encodeAttributes } from './otlp.ts'

type RegistryValue = MetricValue<string> & { metricName?: string }

/** The metrics of the registry in the form of OTLP, as `/api/metrics` shows them. */
export const registryMetrics = async (
  registry: Registry,
  times: MetricTimes,
): Promise<object[]> => {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.flatMap(each => {
    const points = pointsOf(each as MetricObjectWithValues<RegistryValue>, times)
    return points ? [{ name: each.name, description: each.help, ...points }] : []
  })
}

const pointsOf = ({ type, values }: MetricObjectWithValues<RegistryValue>, times: MetricTimes) => {
  const kind = String(type)
  if (kind === 'counter')
    return {
      sum: {
        dataPoints: numberPoints(values, times),
        aggregationTemporality: cumulative,
        isMonotonic: true,
      },
    }
  if (kind === 'gauge') return { gauge: { dataPoints: numberPoints(values, times) } }
  if (kind !== 'histogram') return undefined
  return {
    histogram: { dataPoints: histogramPoints(values, times), aggregationTemporality: cumulative },
  }
}

/** JSON has no number that is not finite. */
const numberPoints = (values: readonly RegistryValue[], times: MetricTimes) =>
  values.filter(each => Number.isFinite(each.value)).map(each => numberPoint(each, times))

const numberPoint = ({ value, labels }: RegistryValue, times: MetricTimes) => ({
  ...encodeTimes(times),
  attributes: encodeAttributes(labels as Record<string, string | number>),
  asDouble: value,
})

type BucketRows = { attributes: object[]; bounds: number[]; counts: number[]; sum: number }

/** Prometheus has one row per bucket and labels, each with the rows below it; OTLP has one point with a count per bucket. */
const histogramPoints = (values: readonly RegistryValue[], times: MetricTimes): object[] => {
  const series = new Map<string, BucketRows>()
  for (const { value, labels, metricName = '' } of values) {
    const { le, ...own } = labels as Record<string, string | number>
    const key = JSON.stringify(own)
    const found = series.get(key) ?? {
      ...{ attributes: encodeAttributes(own), bounds: [], counts: [], sum: 0 },
    }
    series.set(key, found)
    if (metricName.endsWith('_sum')) found.sum = value
    if (!metricName.endsWith('_bucket')) continue
    found.counts.push(value)
    if (le !== '+Inf') found.bounds.push(Number(le))
  }
  return [...series.values()].map(each => histogramPoint(each, times))
}

const histogramPoint = ({ attributes, bounds, counts, sum }: BucketRows, times: MetricTimes) => ({
  ...encodeTimes(times),
  ...{ attributes, sum },
  count: String(counts.at(-1) ?? 0),
  explicitBounds: bounds,
  bucketCounts: counts.map((count, at) => String(count - (counts[at - 1] ?? 0))),
})
