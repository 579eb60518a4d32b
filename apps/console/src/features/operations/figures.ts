import type { OperationsOverview, UsageTotals } from '@hub/contract'

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

export const isHourly = ({ points }: Pick<OperationsOverview, 'points'>): boolean =>
  points.length > 1 && points[1]!.begin - points[0]!.begin === 3_600

/** Labels of a chart must differ; an hour occurs twice on the day on which the clocks go back. */
export const distinct = (labels: readonly string[]): string[] =>
  labels.map((label, at) => (labels.indexOf(label) === at ? label : `${label} (2)`))
