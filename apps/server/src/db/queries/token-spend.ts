import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** Spending limits of a token, in a row of its own, because the ledger batch updates it with every request. */
type SpendLimits = {
  /** 1 enabled, 2 disabled. */
  status?: 1 | 2
  /** Seconds; -1 never. */
  expiresAt?: number
  /** Points that the token may still spend from now on; null means no cap. */
  remaining?: number | null
}

type NewTokenSpend = Required<SpendLimits> & { tokenId: number; userId: number }

export const create = async (db: Database, token: NewTokenSpend): Promise<void> => {
  const row = {
    token_id: token.tokenId,
    user_id: token.userId,
    status: token.status,
    expires_at: token.expiresAt,
    cap: token.remaining,
    used: 0,
    held: 0,
    last_used_at: 0,
  }
  await db.insertInto('token_spend').values(row).execute()
}

/**
 * Changes limits in one statement. The cap counts all spending since creation, so that running calls are neither lost
 * nor counted twice: cap = used + held + remaining.
 */
export const update = async (
  db: Database,
  tokenId: number,
  limits: SpendLimits,
): Promise<boolean> => {
  const { status, expiresAt, remaining } = limits
  const changes = {
    ...(status === undefined ? {} : { status }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(remaining === undefined ? {} : { cap: remaining === null ? null : capAbove(remaining) }),
  }
  if (Object.keys(changes).length === 0) return (await find(db, tokenId)) !== undefined
  const { numUpdatedRows } = await db
    .updateTable('token_spend')
    .set(changes)
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The sum must stay exact in JavaScript: SQLite's driver refuses to read any row of a result with a larger number. */
const capAbove = (remaining: number) => {
  const max = Number.MAX_SAFE_INTEGER
  return sql<number>`case when used + held > ${max - remaining} then ${max} else used + held + ${remaining} end`
}

export const find = (db: Database, tokenId: number) =>
  db.selectFrom('token_spend').selectAll().where('token_id', '=', tokenId).executeTakeFirst()
