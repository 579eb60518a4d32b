import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'

/** The owner of a spending limit: a token, or a user with all tokens. */
export type LimitOwner = { tokenId: number } | { userId: number }

/** Lifetime spending, points held by running calls, and the time of the last change in Unix seconds. */
export type Spending = { used: number; held: number; lastAt: number }

/** Reads counters of the ledger, which change in the statement that posts. */
export const findSpending = async (db: Database, owner: LimitOwner): Promise<Spending> => {
  const row =
    'tokenId' in owner
      ? await db
          .selectFrom('token_spend')
          .select(['used', 'held', 'last_used_at as lastAt'])
          .where('token_id', '=', owner.tokenId)
          .executeTakeFirst()
      : await db
          .selectFrom('accounts')
          .select(['used', 'held', lastUseByUser(owner.userId).as('lastAt')])
          .where('user_id', '=', owner.userId)
          .executeTakeFirst()
  return row ?? { used: 0, held: 0, lastAt: 0 }
}

/** The latest use of any token of the user, including deleted ones. */
const lastUseByUser = (userId: number): RawBuilder<number> =>
  sql<number>`coalesce((select max(s.last_used_at) from tokens t join token_spend s on s.token_id = t.id
    where t.user_id = ${userId}), 0)`

/** Sums charges and calls since a time (Unix seconds). Reads all postings since then, so that it is for rare use. */
export const sumPostedSince = async (db: Database, owner: LimitOwner, since: number) => {
  const isOwners =
    'tokenId' in owner
      ? sql<boolean>`token_id = ${owner.tokenId}`
      : sql<boolean>`debit = ${owner.userId}`
  const { amount, calls } = await db
    .selectFrom('transfers')
    .select([
      sql<number>`cast(coalesce(sum(amount), 0) as bigint)`.as('amount'),
      sql<number>`cast(coalesce(sum(case when kind = 'request' then 1 else 0 end), 0) as bigint)`.as(
        'calls',
      ),
    ])
    .where('at', '>=', since)
    .where('kind', 'in', ['request', 'late'])
    .where(isOwners)
    .executeTakeFirstOrThrow()
  return { amount: Number(amount), calls: Number(calls) }
}

/**
 * Returns the spending of the owner at the start of the window. It is stored once per window, so that a restart does not
 * sum the postings again. One statement reads both figures, so that no posting falls between them.
 */
export const findOrCreateMark = async (
  db: Database,
  {
    owner,
    name,
    window,
    since,
  }: { owner: LimitOwner; name: string; window: string; since: number },
): Promise<number> => {
  const mark = await db
    .selectFrom('limit_marks')
    .select('used')
    .where('owner', '=', name)
    .where('window', '=', `${window}:${since}`)
    .executeTakeFirst()
  if (mark) return mark.used
  const { used, lastAt } = await findSpending(db, owner)
  const before = lastAt < since ? used : await usedBefore(db, owner, since)
  await db
    .deleteFrom('limit_marks')
    .where('owner', '=', name)
    .where('window', 'like', `${window}:%`)
    .execute()
  await db
    .insertInto('limit_marks')
    .values({ owner: name, window: `${window}:${since}`, used: before })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return before
}

const usedBefore = async (db: Database, owner: LimitOwner, since: number): Promise<number> => {
  const [table, key, id] =
    'tokenId' in owner
      ? ['token_spend', 'token_id', owner.tokenId]
      : ['accounts', 'user_id', owner.userId]
  const column = 'tokenId' in owner ? 'token_id' : 'debit'
  const { rows } = await sql<{ used: number }>`select used - cast(coalesce((
      select sum(t.amount) from transfers t where t.at >= ${since} and t.kind in ('request', 'late')
        and ${sql.ref(`t.${column}`)} = ${id}), 0) as bigint) as used
    from ${sql.table(table as string)} where ${sql.ref(key as string)} = ${id}`.execute(db)
  return Number(rows[0]?.used ?? 0)
}
