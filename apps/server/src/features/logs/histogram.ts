import type { LogHistogram } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { LogFilter } from '../../db/queries/log-filter.ts'
import { countBySteps, countedRowsMax, findRange } from '../../db/queries/log-histogram.ts'
import { checkGroup } from './search.ts'
import { withWindow } from './window.ts'

const bucketsMax = 72
const [minute, hour, day] = [60, 3_600, 86_400]
const stepSizes = [
  ...[1, 5, 10, 30, minute, 5 * minute, 10 * minute, 30 * minute],
  ...[hour, 3 * hour, 6 * hour, 12 * hour, day, 7 * day, 30 * day],
]

/** Counts rows by time. It reads a bounded number of rows, the newest ones. */
export const histogram = async (app: App, search: LogFilter): Promise<LogHistogram> => {
  checkGroup(app, search)
  const { since, ...filter } = await withWindow(app, search)
  const { oldest, newest, count } = await findRange(app.db, filter)
  const complete = count < countedRowsMax
  if (count === 0 && !filter.start_timestamp)
    return { begin: 0, end: 0, step: 1, buckets: [], complete, since }
  const isChosen = complete && Boolean(filter.start_timestamp)
  // Without a chosen beginning the range is that of the rows, at least an hour.
  const present = filter.start_timestamp ? nowSeconds(app) : newest
  const end = Math.max(newest, filter.end_timestamp || present)
  const first = complete ? Math.min(oldest, end - hour) : oldest
  const start = isChosen ? filter.start_timestamp! : first
  const last = Math.max(start, end)
  const step = stepFor(last + 1 - start)
  // A chosen beginning is where the first bucket begins: midnight stays midnight in any time zone.
  const begin = isChosen ? start : Math.floor(start / step) * step
  const range = { ...filter, start_timestamp: begin, end_timestamp: last }
  const buckets = await countBySteps(app.db, range, { begin, step })
  const steps = Math.ceil((last + 1 - begin) / step)
  return { begin, end: begin + steps * step, step, buckets, complete, since }
}

/** One bucket fewer than allowed, because the beginning may be rounded down. */
const stepFor = (seconds: number): number =>
  stepSizes.find(step => seconds / step <= bucketsMax - 1) ??
  Math.ceil(seconds / (bucketsMax - 1) / (30 * day)) * 30 * day
