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
