import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { CostSumsTable } from '../tables/costs.ts'
import { chunks } from './chunks.ts'
import { metadataStart } from './usage-logs.ts'
import { daySeconds, quarterHourSeconds, type TimeRange } from './usage-sums.ts'

/** The attributes of a call that its figures are summed by. */
export type CostAttributes = Pick<
  CostSumsTable,
  'channel_id' | 'model' | 'user_id' | 'group_name' | 'token_name'
>
export type CostAttribute = keyof CostAttributes

const figureNames = ['calls', 'charged', 'cost', 'estimated', 'attempts', 'attempt_cost'] as const
type Figure = (typeof figureNames)[number]

/** Sums of costs exceed safe integers. */
export type CostFigures = Record<Figure, bigint>

export type CostSum = CostAttributes & CostFigures & { at: number; currency: string }

export const noCosts: CostFigures = {
  ...{ calls: 0n, charged: 0n, cost: 0n, estimated: 0n, attempts: 0n, attempt_cost: 0n },
}

export const addCosts = (a: CostFigures, b: CostFigures): CostFigures => ({
  calls: a.calls + b.calls,
  charged: a.charged + b.charged,
  cost: a.cost + b.cost,
  estimated: a.estimated + b.estimated,
  attempts: a.attempts + b.attempts,
  attempt_cost: a.attempt_cost + b.attempt_cost,
})

/** Neither driver reads an integer above the safe ones, and PostgreSQL sums to a numeric. */
const exactSum = (value: RawBuilder<unknown>) =>
  sql<string>`cast(coalesce(sum(${value}), 0) as text)`
const integer = (value: bigint) => sql<number>`cast(${String(value)} as bigint)`

/** A cost without a version is the vendor's own figure in USD. A version may be written after its first call. */
const currencyOf = (table: 'logs' | 'attempt_costs') => {
  const [cost, version] = [sql.ref(`${table}.cost`), sql.ref(`${table}.cost_version`)]
  return sql<string>`case when ${cost} is null then '' when ${version} is null then 'USD' else coalesce(v.currency, '') end`
}

/** Sums the charged calls of a time out of the log. */
export const sumLoggedCosts = (db: Database, range: TimeRange, step: number) => {
  // The divisor is literal, because PostgreSQL would divide numerics by a bound one.
  const steps = sql<number>`logs.created_at / ${sql.lit(step)}`
  const currency = currencyOf('logs')
  return (
    db
      .selectFrom('logs')
      .leftJoin('cost_versions as v', 'v.id', 'logs.cost_version')
      // Literal, because both engines choose partial indexes by it.
      .where(sql<boolean>`logs.type = 2`)
      .where('logs.created_at', '>=', range.begin)
      .where('logs.created_at', '<', range.end)
      .groupBy([
        steps,
        'channel_id',
        'model_name',
        'user_id',
        metadataStart,
        'token_name',
        currency,
      ])
      .select([steps.as('steps'), 'channel_id', 'model_name as model', 'user_id', 'token_name'])
      .select([metadataStart.as('start'), currency.as('currency')])
      .select([
        sql<number | string>`count(*)`.as('calls'),
        exactSum(sql`logs.quota`).as('charged'),
        exactSum(sql`logs.cost`).as('cost'),
        exactSum(sql`case when logs.cost_kind = 3 then logs.cost else 0 end`).as('estimated'),
      ])
      .execute()
  )
}

/** Sums the attempts of a time that did not answer their call. Their key has the name that it has now. */
export const sumAttemptCosts = (db: Database, range: TimeRange, step: number) => {
  const steps = sql<number>`attempt_costs.at / ${sql.lit(step)}`
  const currency = currencyOf('attempt_costs')
  const tokenName = sql<string>`coalesce(t.name, '')`
  return db
    .selectFrom('attempt_costs')
    .leftJoin('cost_versions as v', 'v.id', 'attempt_costs.cost_version')
    .leftJoin('tokens as t', 't.id', 'attempt_costs.token_id')
    .where('attempt_costs.at', '>=', range.begin)
    .where('attempt_costs.at', '<', range.end)
    .groupBy([steps, 'channel_id', 'model_name', 'attempt_costs.user_id', 'group_name'])
    .groupBy([tokenName, currency])
    .select([steps.as('steps'), 'channel_id', 'model_name as model', 'attempt_costs.user_id'])
    .select(['group_name', tokenName.as('token_name'), currency.as('currency')])
    .select([
      sql<number | string>`count(*)`.as('attempts'),
      exactSum(sql`attempt_costs.cost`).as('attempt_cost'),
    ])
    .execute()
}

/**
 * Replaces the sums of each time in the range, in one transaction. A time whose calls have become fewer keeps its sums,
 * because logs that were deleted since must not take their share along.
 */
export const replaceCosts = (
  db: Database,
  { span, begin, end }: TimeRange & { span: number },
  sums: readonly CostSum[],
): Promise<void> =>
  db.transaction().execute(async tx => {
    const stored = await tx
      .selectFrom('cost_sums')
      .where('span', '=', span)
      .where('at', '>=', begin)
      .where('at', '<', end)
      .groupBy('at')
      .select(['at', exactSum(sql`calls + attempts`).as('count')])
      .execute()
    const counts = new Map(stored.map(({ at, count }) => [at, BigInt(count)]))
    for (const [at, rows] of Map.groupBy(sums, each => each.at)) {
      const count = rows.reduce((all, each) => all + each.calls + each.attempts, 0n)
      if (count < (counts.get(at) ?? 0n)) continue
      await tx.deleteFrom('cost_sums').where('span', '=', span).where('at', '=', at).execute()
      for (const part of chunks(rows))
        await tx
          .insertInto('cost_sums')
          .values(
            part.map(({ ...row }) => ({ ...row, span, ...figuresOf(name => integer(row[name])) })),
          )
          .execute()
    }
  })

/** Replaces the sums of a day by those of its quarter hours, unless they are of fewer calls. */
export const replaceCostsOfDay = (db: Database, { begin, end }: TimeRange): Promise<void> =>
  db.transaction().execute(async tx => {
    const count = (span: number, range: TimeRange) =>
      tx
        .selectFrom('cost_sums')
        .where('span', '=', span)
        .where('at', '>=', range.begin)
        .where('at', '<', range.end)
        .select(exactSum(sql`calls + attempts`).as('count'))
        .executeTakeFirstOrThrow()
    const { count: stored } = await count(daySeconds, { begin, end: begin + 1 })
    const { count: counted } = await count(quarterHourSeconds, { begin, end })
    if (BigInt(counted) < BigInt(stored)) return
    await tx
      .deleteFrom('cost_sums')
      .where('span', '=', daySeconds)
      .where('at', '=', begin)
      .execute()
    await sql`insert into cost_sums (span, at, ${columns}, ${sql.join(figureNames.map(sql.ref))})
      select ${sql.lit(daySeconds)}, ${sql.lit(begin)}, ${columns},
        ${sql.join(figureNames.map(name => sql`sum(${sql.ref(name)})`))}
      from cost_sums where span = ${sql.lit(quarterHourSeconds)} and at >= ${begin} and at < ${end}
      group by ${columns}`.execute(tx)
  })

const columns = sql.join(
  ['channel_id', 'model', 'user_id', 'group_name', 'token_name', 'currency'].map(sql.ref),
)

/** Rows must have these attributes to be read. */
export type CostFilter = Partial<CostAttributes>

/** The sums of a span that begin in a range, by time, currency and the given attributes. Others are empty. */
export const listCosts = async (
  db: Database,
  { span, begin, end }: TimeRange & { span: number },
  { by, filter }: { by: readonly CostAttribute[]; filter: CostFilter },
): Promise<CostSum[]> => {
  if (begin >= end) return []
  let query = db
    .selectFrom('cost_sums')
    .where('span', '=', span)
    .where('at', '>=', begin)
    .where('at', '<', end)
  for (const [name, value] of Object.entries(filter))
    query = query.where(name as CostAttribute, '=', value)
  const rows = await query
    .groupBy(['at', 'currency', ...by])
    .select(['at', 'currency', ...by])
    .select(figureNames.map(name => exactSum(sql.ref(name)).as(name)))
    .execute()
  return rows.map(row => ({ ...noAttributes, ...row, ...figuresOf(name => BigInt(row[name])) }))
}

export const noAttributes: CostAttributes = {
  ...{ channel_id: 0, model: '', user_id: 0, group_name: '', token_name: '' },
}

export const removeCosts = async (db: Database, span: number, before: number): Promise<void> => {
  await db.deleteFrom('cost_sums').where('span', '=', span).where('at', '<', before).execute()
}

const figuresOf = <T>(figure: (name: Figure) => T): Record<Figure, T> => ({
  calls: figure('calls'),
  charged: figure('charged'),
  cost: figure('cost'),
  estimated: figure('estimated'),
  attempts: figure('attempts'),
  attempt_cost: figure('attempt_cost'),
})
