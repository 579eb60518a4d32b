import type pg from 'pg'

const monthsAhead = 3

/** Rows that are older stay in `logs_spill`, so that wrong times do not create thousands of partitions. */
const monthsBack = 120

type Queryable = Pick<pg.ClientBase, 'query'> | pg.Pool

/** The number of the month of a time, counted from January 1970; NaN for a time beyond the calendar. */
const monthOf = (seconds: number): number => {
  const date = new Date(seconds * 1000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

const startOf = (month: number): Date => new Date(Date.UTC(1970, month, 1))

const nameOf = (month: number): string =>
  `logs_${startOf(month).toISOString().slice(0, 7).replace('-', '_')}`

/**
 * Creates the partitions of `logs` for this month and the next three. A month with rows in `logs_spill` gets none:
 * moving those rows would lock the table while calls are running.
 */
export const maintainMonths = async (pool: pg.Pool, nowSeconds: number): Promise<void> => {
  const month = monthOf(nowSeconds)
  for (let ahead = 0; ahead <= monthsAhead; ahead++) await createMonth(pool, month + ahead)
}

/**
 * Creates the partitions of the months of these times, before rows are imported or restored into them. Returns the names of
 * those that could not be created. Months more than ten years ago or later than `maintainMonths` creates get no partition.
 */
export const createMonthsOf = async (
  database: Queryable,
  times: Iterable<number>,
  nowSeconds: number,
): Promise<string[]> => {
  const now = monthOf(nowSeconds)
  const months = new Set<number>()
  for (const time of times) {
    const month = monthOf(time)
    if (month >= now - monthsBack && month <= now + monthsAhead) months.add(month)
  }
  const missing: string[] = []
  for (const month of [...months].sort((a, b) => a - b)) {
    const create = () => createMonth(database, month)
    if (!(await repeatUntil(database, nameOf(month), true, create))) missing.push(nameOf(month))
  }
  return missing
}

const maxTries = 5

/** Repeats a statement that gives up when it waits too long for a lock, until the table exists, or does no longer. */
const repeatUntil = async (
  database: Queryable,
  name: string,
  isWanted: boolean,
  statement: () => Promise<unknown>,
): Promise<boolean> => {
  for (let turn = 0; turn < maxTries; turn++) {
    await statement()
    const { rows } = await database.query('select to_regclass($1) is not null as "exists"', [name])
    if (rows[0].exists === isWanted) return true
  }
  return false
}

/** No table of an operator has such a name, unlike `logs_2026_01`. */
export const detachedPrefix = 'logs_detached_'

/**
 * Takes the partitions whose whole month lies before the time out of `logs`, in milliseconds instead of the minutes that
 * deletion of their rows takes. Returns about how many rows they had. A call that writes its row waits for at most 200 ms.
 * A month that somebody reads all the time stays.
 */
export const detachMonthsBefore = async (pool: pg.Pool, beforeSeconds: number): Promise<number> => {
  const last = nameOf(monthOf(beforeSeconds))
  const { rows: months } = await pool.query<{ name: string; rows: number }>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows
     from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'logs'::regclass and relname ~ '^logs_[0-9]{4}_[0-9]{2}$' and relname < $1
     order by relname`,
    [last],
  )
  let detached = 0
  for (const { name, rows } of months) if (await detachMonth(pool, name)) detached += rows
  return detached
}

const detachMonth = (pool: pg.Pool, name: string): Promise<boolean> =>
  repeatUntil(pool, name, false, () =>
    pool.query(`do $$ begin
      set local lock_timeout = '200ms';
      alter table logs detach partition ${name};
      alter table ${name} rename to ${name.replace('logs_', detachedPrefix)};
    exception when lock_not_available then null;
    end $$`),
  )

/**
 * Drops what `detachMonthsBefore` took out, also when the process was killed in between. Deletion of the files of a large
 * month takes seconds, in which no call waits.
 */
export const dropDetachedMonths = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and starts_with(relname, $1)`,
    [detachedPrefix],
  )
  for (const { name } of rows) await pool.query(`drop table if exists ${name}`)
}

/** Creates the partition of a month, unless it exists. */
const createMonth = async (database: Queryable, month: number): Promise<void> => {
  const [from, to] = [startOf(month), startOf(month + 1)]
  const name = nameOf(month)
  await database.query(`do $$ begin
    if to_regclass('${name}') is null and not exists (
      select from logs_spill
      where created_at >= ${from.getTime() / 1000} and created_at < ${to.getTime() / 1000}
    ) then
      set local lock_timeout = '200ms';
      create table ${name} partition of logs
        for values from (${from.getTime() / 1000}) to (${to.getTime() / 1000});
    end if;
  exception when duplicate_table or lock_not_available or check_violation then null;
  end $$`)
}
