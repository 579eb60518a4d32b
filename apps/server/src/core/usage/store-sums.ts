import type { Database } from '../../db/index.ts'
import { removeCosts, replaceCosts, replaceCostsOfDay } from '../../db/queries/cost-sums.ts'
import { firstLogTime } from '../../db/queries/usage-logs.ts'
import {
  add,
  daySeconds,
  findLast,
  findZone,
  noUsage,
  quarterHourSeconds,
  removeDays,
  removeQuarterHours,
  sumDay,
  type TimeRange,
  type UsageSum,
  write,
} from '../../db/queries/usage-sums.ts'
import { type Calendar, makeCalendar } from '../../lib/time/calendar.ts'
import { type App, nowSeconds } from '../app.ts'
import { countCosts, sumCosts } from './count-costs.ts'
import { countLogs } from './count-logs.ts'

/** Log rows are written up to some seconds after the time they bear, and much later after an outage. */
const graceSeconds = 60
const recountSeconds = 3_600
const chunkSeconds = 3_600
/** Quarter hours by key are needed for days that are not summed, and for the last 24 hours. */
const keepDetailSeconds = 3 * daySeconds
const recountedDays = 2
const keepTotalsSeconds = 400 * daySeconds

/**
 * Stores the sums of the quarter hours that have ended, and of the days. The last hour is counted again, and a day once
 * more when it and each of the next two are complete, so that rows which were written late are not missed: a node that was
 * cut off writes them when it comes back. Sums of costs are stored with them. Resolves with whether there was anything new.
 */
export const storeSums = async (app: App): Promise<boolean> => {
  const { db } = app
  const zone = app.settings().site.TimeZone
  const end = quarterOf(nowSeconds(app) - graceSeconds)
  const countedUntil = await findCountedUntil(db)
  if ((await findZone(db)) !== zone) await removeDays(db, zone)
  else if (countedUntil !== undefined && countedUntil >= end) return false
  const rest = await storeDays(db, zone, end)
  await storeQuarterHours(db, {
    begin: Math.max(rest, (countedUntil ?? 0) - recountSeconds),
    end,
  })
  return true
}

export const quarterOf = (seconds: number) => seconds - (seconds % quarterHourSeconds)

/** The end of the last stored quarter hour. */
export const findCountedUntil = async (db: Database): Promise<number | undefined> => {
  const last = await findLast(db, quarterHourSeconds)
  return last === undefined ? undefined : last + quarterHourSeconds
}

/** Stores the complete days and returns the beginning of the first that is not complete. */
const storeDays = async (db: Database, zone: string, end: number): Promise<number> => {
  const calendar = makeCalendar(zone)
  const last = await findLast(db, daySeconds)
  const first = async () => Math.max((await firstLogTime(db)) ?? end, end - keepTotalsSeconds)
  let day = calendar.day(last === undefined ? await first() : calendar.day(last).end)
  const begin = day.begin
  while (day.end + recountSeconds <= end) {
    const isOld = day.end < end - keepDetailSeconds
    const sums = await (isOld ? sumOldDay(db, day) : storeRecentDay(db, day))
    await writeDay(db, day, sums)
    day = calendar.day(day.end)
  }
  if (day.begin > begin) {
    if (last !== undefined) await recountDays(db, calendar, begin)
    const details = ['model', 'user', 'channel', 'group', 'code'] as const
    await removeQuarterHours(db, details, day.begin - keepDetailSeconds)
    await removeQuarterHours(db, ['all'], day.begin - keepTotalsSeconds)
    await removeCosts(db, quarterHourSeconds, day.begin - keepDetailSeconds)
    await removeCosts(db, daySeconds, day.begin - keepTotalsSeconds)
  }
  return day.begin
}

/** Counts the last days before the time once more. */
const recountDays = async (db: Database, calendar: Calendar, before: number): Promise<void> => {
  let end = before
  for (let recounted = 0; recounted < recountedDays; recounted += 1) {
    const day = calendar.day(end - 1)
    await writeDay(db, day, await storeRecentDay(db, day))
    end = day.begin
  }
}

const writeDay = (db: Database, day: TimeRange, sums: readonly UsageSum[]): Promise<void> =>
  write(db, withMark(sums, zeroSum(daySeconds, day.begin)))

/** Its stored quarter hours also count logs that were deleted since. */
const storeRecentDay = async (db: Database, day: TimeRange): Promise<UsageSum[]> => {
  await storeQuarterHours(db, day)
  await replaceCostsOfDay(db, day)
  return sumDay(db, day)
}

/** Of a day from before the first run, quarter hours by key would be written to be deleted. */
const sumOldDay = async (db: Database, day: TimeRange): Promise<UsageSum[]> => {
  const sums = new Map<string, UsageSum>()
  for (const chunk of chunksOf(day)) {
    const counted = await countLogs(db, chunk)
    await write(db, counted.filter(isTotal))
    for (const sum of counted) {
      const name = `${sum.kind} ${sum.key}`
      const total = add(sums.get(name), sum)
      sums.set(name, { kind: sum.kind, span: daySeconds, at: day.begin, key: sum.key, ...total })
    }
  }
  await storeOldCosts(db, day)
  return [...sums.values()]
}

const storeOldCosts = async (db: Database, day: TimeRange): Promise<void> => {
  const costs = []
  for (const chunk of chunksOf(day)) costs.push(...(await countCosts(db, chunk, chunkSeconds)))
  const ofDay = sumCosts(costs.map(each => ({ ...each, at: day.begin })))
  await replaceCosts(db, { span: daySeconds, begin: day.begin, end: day.begin + 1 }, ofDay)
}

const storeQuarterHours = async (db: Database, range: TimeRange): Promise<void> => {
  for (const chunk of chunksOf(range)) {
    const sums = await countLogs(db, chunk)
    const costs = await countCosts(db, chunk, quarterHourSeconds)
    await replaceCosts(db, { ...chunk, span: quarterHourSeconds }, costs)
    const isNeeded = sums.length > 0 || chunk.end === range.end
    const mark = zeroSum(quarterHourSeconds, chunk.end - quarterHourSeconds)
    if (isNeeded) await write(db, withMark(sums, mark))
  }
}

/** Small ranges, because a query for the console waits for the one before it. */
function* chunksOf({ begin, end }: TimeRange): Generator<TimeRange> {
  for (let at = begin; at < end; at += chunkSeconds)
    yield { begin: at, end: Math.min(at + chunkSeconds, end) }
}

const isTotal = ({ kind }: UsageSum) => kind === 'all'

/** The sums of all calls come last, because they mark the time up to which all is stored. */
const withMark = (sums: readonly UsageSum[], mark: UsageSum): UsageSum[] => {
  const totals = sums.filter(isTotal)
  const isMarked = totals.some(({ at }) => at === mark.at)
  return [
    ...sums.filter(sum => !isTotal(sum)),
    ...[...totals, ...(isMarked ? [] : [mark])].toSorted((a, b) => a.at - b.at),
  ]
}

const zeroSum = (span: number, at: number): UsageSum => ({
  ...{ kind: 'all', span, at, key: '' },
  ...noUsage,
})
