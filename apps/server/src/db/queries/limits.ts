import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'

/** Whose spending: one token's, or all of a user's. */
export type Owner = { tokenId: number } | { userId: number }

/** Since ever, and reserved by what runs now; `lastAt` is when it last changed, in seconds. */
export type Spent = { used: number; held: number; lastAt: number }

/** Both counters are of the ledger: they change in the statement that posts. */
export const findSpent = async (db: Database, owner: Owner): Promise<Spent> => {
  const row =
    'tokenId' in owner
      ? await db
          .selectFrom('token_spend')
          .select(['used', 'held', 'last_used_at as lastAt'])
          .where('token_id', '=', owner.tokenId)
          .executeTakeFirst()
      : await db
          .selectFrom('accounts')
          .select(['used', 'held', lastUseOf(owner.userId).as('lastAt')])
          .where('user_id', '=', owner.userId)
          .executeTakeFirst()
  return row ?? { used: 0, held: 0, lastAt: 0 }
}

/** By the user's tokens, deleted ones as well. */
const lastUseOf = (userId: number): RawBuilder<number> =>
  sql<number>`coalesce((select max(s.last_used_at) from tokens t join token_spend s on s.token_id = t.id
    where t.user_id = ${userId}), 0)`

/** What was charged since a moment (seconds), and how many calls: read along the order of time, so it is for rare use. */
export const postedSince = async (db: Database, owner: Owner, since: number) => {
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
 * What its owner had spent when the window began. Written once for each window, so that a restart need not read the
 * window's postings again; both figures come from one statement, so that no posting falls between them.
 */
export const markOf = async (
  db: Database,
  { owner, name, window, since }: { owner: Owner; name: string; window: string; since: number },
): Promise<number> => {
  const known = await db
    .selectFrom('limit_marks')
    .select('used')
    .where('owner', '=', name)
    .where('window', '=', `${window}:${since}`)
    .executeTakeFirst()
  if (known) return known.used
  const { used, lastAt } = await findSpent(db, owner)
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

const usedBefore = async (db: Database, owner: Owner, since: number): Promise<number> => {
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
