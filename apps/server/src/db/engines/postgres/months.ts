import type pg from 'pg'

const monthsAhead = 3

const monthStart = (nowSeconds: number, ahead: number) => {
  const now = new Date(nowSeconds * 1000)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
}

/**
 * Creates the partitions of `logs` for this month and the next three. A month with rows in `logs_spill` gets none:
 * moving those rows would lock the table while calls are running.
 */
export const maintainMonths = async (pool: pg.Pool, nowSeconds: number): Promise<void> => {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) await createMonth(pool, nowSeconds, ahead)
}

const dropTries = 5

/**
 * Drops the partitions of `logs` whose whole month lies before the time, in milliseconds instead of the minutes that deletion
 * of their rows takes. Returns about how many rows they had. A call that writes its row waits for at most 200 ms. A month that
 * somebody reads all the time stays.
 */
export const dropMonthsBefore = async (pool: pg.Pool, beforeSeconds: number): Promise<number> => {
  const last = `logs_${new Date(beforeSeconds * 1000).toISOString().slice(0, 7).replace('-', '_')}`
  const { rows: months } = await pool.query<{ name: string; rows: number }>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows
     from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'logs'::regclass and relname ~ '^logs_[0-9]{4}_[0-9]{2}$' and relname < $1
     order by relname`,
    [last],
  )
  let dropped = 0
  for (const { name, rows } of months) if (await dropMonth(pool, name)) dropped += rows
  return dropped
}

const dropMonth = async (pool: pg.Pool, name: string): Promise<boolean> => {
  for (let turn = 0; turn < dropTries; turn++) {
    await pool.query(`do $$ begin
        set local lock_timeout = '200ms';
        drop table if exists ${name};
      exception when lock_not_available then null;
      end $$`)
    const { rows } = await pool.query('select to_regclass($1) is null as "isGone"', [name])
    if (rows[0].isGone) return true
  }
  return false
}

/** Creates the partition of the month that is so many months ahead, unless it exists. */
export const createMonth = async (
  database: Pick<pg.ClientBase, 'query'> | pg.Pool,
  nowSeconds: number,
  ahead: number,
): Promise<void> => {
  const from = monthStart(nowSeconds, ahead)
  const to = monthStart(nowSeconds, ahead + 1)
  const name = `logs_${from.toISOString().slice(0, 7).replace('-', '_')}`
  await database.query(`do $$ begin
    if to_regclass('${name}') is null and not exists (
      select from logs_spill
      where created_at >= ${from.getTime() / 1000} and created_at < ${to.getTime() / 1000}
    ) then
      set local lock_timeout = '200ms';
      create table ${name} partition of logs
        for values from (${from.getTime() / 1000}) to (${to.getTime() / 1000});
    end if;
  exception when duplicate_table or lock_not_available then null;
  end $$`)
}
