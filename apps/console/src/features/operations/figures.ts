import type { OperationsSeries, UsageTotals } from '@hub/contract'
import { formatDay, formatTime } from '../../ui'

/** Change in percent; undefined where there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : ((now - before) / before) * 100

/** Charged calls and those that failed without a charge. */
export const allCalls = (totals: UsageTotals): number =>
  totals.requests + totals.failed - totals.charged_failures

export const failedShare = (totals: UsageTotals): number => {
  const all = allCalls(totals)
  return all === 0 ? 0 : (totals.failed / all) * 100
}

/** Labels of a chart must differ; an hour occurs twice on the day on which the clocks go back. */
export const distinct = (labels: readonly string[]): string[] =>
  labels.map((label, at) => (labels.indexOf(label) === at ? label : `${label} (2)`))

const daySeconds = 86_400

/** Times of a day for short buckets, otherwise days. The last bucket ends now, so that the first tells their length. */
export const bucketLabels = (buckets: OperationsSeries['buckets']): string[] => {
  const [first] = buckets
  const isOfDays = first !== undefined && first.end - first.begin > daySeconds / 2
  return distinct(
    buckets.map(({ begin }) => {
      const time = formatTime(begin)
      return isOfDays ? formatDay(time.slice(0, 10)) : time.slice(11, 16)
    }),
  )
}
