import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { UsageSumsTable } from '../tables/logs-audit.ts'
import { chunks } from './chunks.ts'

export const quarterHourSeconds = 900
export const daySeconds = 86_400

export type UsageKind = 'all' | 'model' | 'user' | 'channel' | 'group' | 'code'
type Figure = Exclude<keyof UsageSumsTable, 'kind' | 'span' | 'at' | 'key'>
export type UsageFigures = Record<Figure, number>
export type UsageSum = Omit<UsageSumsTable, Figure> & UsageFigures & { kind: UsageKind }

/** Seconds; `begin` is included, `end` is not. */
export type TimeRange = { begin: number; end: number }

const figureNames = [
  'requests',
  'failed',
  'charged_failures',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'request_time',
] as const satisfies Figure[]

/**
 * Writes sums over older ones of the same time and key. A sum never shrinks, because logs that were deleted since must not
 * take their share of it along.
 */
export const write = async (db: Database, rows: readonly UsageSum[]): Promise<void> => {
  for (const part of chunks(rows))
    await db
      .insertInto('usage_sums')
      .values(part)
      .onConflict(conflict =>
        conflict
          .columns(['kind', 'span', 'at', 'key'])
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(figureNames.map(name => [name, ref(`excluded.${name}`)])),
          )
          .where(
            sql<boolean>`excluded.requests >= usage_sums.requests and excluded.failed >= usage_sums.failed`,
          ),
      )
      .execute()
}

/** The last time with a sum of all calls. */
export const findLast = async (db: Database, span: number): Promise<number | undefined> => {
  const row = await db
    .selectFrom('usage_sums')
    .select('at')
    .where('kind', '=', 'all')
    .where('span', '=', span)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** The time zone that the days are of. */
export const findZone = async (db: Database): Promise<string | undefined> => {
  const row = await db
    .selectFrom('usage_sums')
    .select('key')
    .where('kind', '=', 'zone')
    .executeTakeFirst()
  return row?.key
}

/** Deletes all days, because they are of another time zone than the given one. */
export const removeDays = (db: Database, zone: string): Promise<void> =>
  db.transaction().execute(async tx => {
    await tx.deleteFrom('usage_sums').where('span', '=', daySeconds).execute()
    await tx.deleteFrom('cost_sums').where('span', '=', daySeconds).execute()
    const row = { kind: 'zone', span: daySeconds, at: 0, key: zone, ...noUsage }
    await tx.insertInto('usage_sums').values(row).execute()
  })

/** The sums of all calls by quarter hour. */
export const listQuarterHours = async (db: Database, { begin, end }: TimeRange) => {
  const rows = await db
    .selectFrom('usage_sums')
    .selectAll()
    .where('kind', '=', 'all')
    .where('span', '=', quarterHourSeconds)
    .where('at', '>=', begin)
    .where('at', '<', end)
    .orderBy('at')
    .execute()
  return rows.map(({ at, ...figures }) => ({ at, ...numbers(figures) }))
}

const summed = figureNames.map(name => sql<number | string>`sum(${sql.ref(name)})`.as(name))

/** The sums of a kind by key, of the days or the quarter hours that begin in the range. */
export const listByKey = async (
  db: Database,
  kind: UsageKind,
  span: number,
  { begin, end }: TimeRange,
): Promise<[string, UsageFigures][]> => {
  if (begin >= end) return []
  const rows = await db
    .selectFrom('usage_sums')
    .select(['key', ...summed])
    .where('kind', '=', kind)
    .where('span', '=', span)
    .where('at', '>=', begin)
    .where('at', '<', end)
    .groupBy('key')
    .execute()
  return rows.map(({ key, ...figures }) => [key, numbers(figures)])
}

export const noUsage: UsageFigures = {
  requests: 0,
  failed: 0,
  charged_failures: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  request_time: 0,
}

export const add = (a: UsageFigures = noUsage, b: UsageFigures = noUsage): UsageFigures =>
  figuresOf(name => a[name] + b[name])

export const subtract = (all: UsageFigures, part: UsageFigures = noUsage): UsageFigures =>
  figuresOf(name => all[name] - part[name])

const numbers = (row: Record<Figure, number | string | null>): UsageFigures =>
  figuresOf(name => Number(row[name]))

const figuresOf = (figure: (name: Figure) => number): UsageFigures => ({
  requests: figure('requests'),
  failed: figure('failed'),
  charged_failures: figure('charged_failures'),
  quota: figure('quota'),
  prompt_tokens: figure('prompt_tokens'),
  completion_tokens: figure('completion_tokens'),
  request_time: figure('request_time'),
})

/** A kind of sums, and whether they are of days or of quarter hours. */
type SumsOf = { kind: UsageKind; span: typeof quarterHourSeconds | typeof daySeconds }

/** The stored sums that begin in the range, of the given keys. */
export const listOfKeys = async (
  db: Database,
  { kind, span }: SumsOf,
  { begin, end }: TimeRange,
  keys: readonly string[],
): Promise<(UsageFigures & { at: number; key: string })[]> => {
  const sums = []
  for (const part of chunks(keys)) {
    const rows = await db
      .selectFrom('usage_sums')
      .selectAll()
      .where('kind', '=', kind)
      .where('span', '=', span)
      .where('at', '>=', begin)
      .where('at', '<', end)
      .where('key', 'in', part)
      .execute()
    sums.push(...rows.map(({ at, key, ...figures }) => ({ at, key, ...numbers(figures) })))
  }
  return sums
}

/** The first seconds of the stored days that begin in the range. Days follow each other without gaps. */
export const listStoredDays = async (
  db: Database,
  { begin, end }: TimeRange,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('usage_sums')
    .select('at')
    .where('kind', '=', 'all')
    .where('span', '=', daySeconds)
    .where('at', '>=', begin)
    .where('at', '<', end)
    .orderBy('at')
    .execute()
  return rows.map(({ at }) => at)
}

/** The points charged on the days that begin at the given seconds. A key is the last column of the index that this reads. */
export const sumQuotaOfDays = async (
  db: Database,
  kind: UsageKind,
  keys: readonly string[],
  days: readonly number[],
): Promise<number> => {
  let sum = 0
  for (const part of chunks(days)) {
    const { quota } = await db
      .selectFrom('usage_sums')
      .where('kind', '=', kind)
      .where('span', '=', daySeconds)
      .where('at', 'in', part)
      .where('key', 'in', keys)
      .select(sql<number | string>`coalesce(sum(quota), 0)`.as('quota'))
      .executeTakeFirstOrThrow()
    sum += Number(quota)
  }
  return sum
}

/** Adds up the quarter hours of a day. */
export const sumDay = async (db: Database, { begin, end }: TimeRange): Promise<UsageSum[]> => {
  const rows = await db
    .selectFrom('usage_sums')
    .select(['kind', 'key', ...summed])
    .where('kind', 'in', ['all', 'model', 'user', 'channel', 'group', 'code'])
    .where('span', '=', quarterHourSeconds)
    .where('at', '>=', begin)
    .where('at', '<', end)
    .groupBy(['kind', 'key'])
    .execute()
  return rows.map(({ kind, key, ...figures }) => ({
    ...{ kind: kind as UsageKind, key, span: daySeconds, at: begin },
    ...numbers(figures),
  }))
}

/** Deletes quarter hours of the given kinds. Each is a range of the primary key. */
export const removeQuarterHours = async (
  db: Database,
  kinds: readonly UsageKind[],
  before: number,
): Promise<void> => {
  for (const kind of kinds)
    await db
      .deleteFrom('usage_sums')
      .where('kind', '=', kind)
      .where('span', '=', quarterHourSeconds)
      .where('at', '<', before)
      .execute()
}
