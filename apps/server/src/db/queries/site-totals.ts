import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { quarterHourSeconds, type TimeRange } from './usage-sums.ts'

const count = sql<number | string>`count(*)`
const total = (column: string) => sql<number | string>`coalesce(sum(${sql.ref(column)}), 0)`

/** Users that are not deleted, and their balances. */
export const sumUsers = async (db: Database) => {
  const row = await db
    .selectFrom('users')
    .leftJoin('accounts', 'accounts.user_id', 'users.id')
    .where('users.deleted_at', 'is', null)
    .select([
      count.as('users'),
      sql<number | string>`coalesce(sum(case when inviter_id <> 0 then 1 else 0 end), 0)`.as(
        'invited',
      ),
      total('accounts.balance').as('balance'),
      total('accounts.used').as('used'),
    ])
    .executeTakeFirstOrThrow()
  return {
    users: Number(row.users),
    invited: Number(row.invited),
    balance: Number(row.balance),
    used: Number(row.used),
  }
}

/** Channels that are not deleted, by status. */
export const countChannels = async (db: Database) => {
  const rows = await db
    .selectFrom('channels')
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .orderBy('status')
    .select(['status', count.as('channels')])
    .execute()
  return rows.map(({ status, channels }) => ({ status, channels: Number(channels) }))
}

/** Redemption codes that are not deleted, by stored status: an unused code that expired is an enabled one here. */
export const sumRedemptions = async (db: Database) => {
  const rows = await db
    .selectFrom('redemptions')
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .orderBy('status')
    .select(['status', count.as('codes'), total('quota').as('points')])
    .execute()
  return rows.map(({ status, codes, points }) => ({
    ...{ status, codes: Number(codes), points: Number(points) },
  }))
}

/** Credited orders, by currency. `paid` is in minor units. */
export const sumOrders = async (db: Database) => {
  const rows = await db
    .selectFrom('orders')
    .where('status', '=', 'credited')
    .groupBy('currency')
    .orderBy('currency')
    .select(['currency', total('points').as('points'), total('pay_amount').as('paid')])
    .execute()
  return rows.map(({ currency, points, paid }) => ({
    ...{ currency, points: Number(points), paid: Number(paid) },
  }))
}

/** Integer division on both engines: with a bound parameter PostgreSQL would divide numerics. */
const quarterOf = (column: string) =>
  sql<number>`${sql.ref(column)} / ${sql.lit(quarterHourSeconds)} * ${sql.lit(quarterHourSeconds)}`

/** Sign-ups by quarter hour, also of users who were deleted since. */
export const listSignUps = async (db: Database, { begin, end }: TimeRange) => {
  const at = quarterOf('created_time')
  const invited = sql<number>`case when inviter_id <> 0 then 1 else 0 end`
  const rows = await db
    .selectFrom('users')
    .where('created_time', '>=', begin)
    .where('created_time', '<', end)
    .groupBy([at, invited])
    .select([at.as('at'), invited.as('invited'), count.as('users')])
    .execute()
  return rows.map(each => ({
    at: each.at,
    isInvited: each.invited === 1,
    users: Number(each.users),
  }))
}

/** Redeemed codes by quarter hour and user, also codes that were deleted since. */
export const listRedeemed = async (db: Database, { begin, end }: TimeRange) => {
  const at = quarterOf('redeemed_time')
  const rows = await db
    .selectFrom('redemptions')
    .where('status', '=', 3)
    .where('redeemed_time', '>=', begin)
    .where('redeemed_time', '<', end)
    .groupBy([at, 'used_user_id'])
    .select([at.as('at'), 'used_user_id as userId', total('quota').as('points')])
    .execute()
  return rows.map(({ at: quarter, userId, points }) => ({
    ...{ at: quarter, userId, points: Number(points) },
  }))
}

/** Credited orders by quarter hour and currency. `paid` is in minor units. */
export const listCreditedOrders = async (db: Database, { begin, end }: TimeRange) => {
  const at = quarterOf('credited_at')
  const rows = await db
    .selectFrom('orders')
    .where('status', '=', 'credited')
    .where('credited_at', '>=', begin)
    .where('credited_at', '<', end)
    .groupBy([at, 'currency'])
    .select([at.as('at'), 'currency', total('points').as('points'), total('pay_amount').as('paid')])
    .execute()
  return rows.map(({ at: quarter, currency, points, paid }) => ({
    ...{ at: quarter, currency, points: Number(points), paid: Number(paid) },
  }))
}
