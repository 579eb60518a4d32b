import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** An answer that is kept here. */
export type KeptAnswer = {
  id: string
  user_id: number
  request_id: number
  created_at: number
  size: number
  previous: string | null
  content_sealed: string
}

const ofUser = (db: Database, userId: number) =>
  db.selectFrom('stored_answers').where('user_id', '=', userId).where('size', 'is not', null)

export const add = async (db: Database, answer: KeptAnswer): Promise<void> => {
  await db
    .insertInto('stored_answers')
    .values({ ...answer, channel_id: 0, credential: '' })
    .execute()
}

/** Forgets the oldest answers of a user who has more than `max` bytes; says how many. */
export const makeRoom = async (db: Database, userId: number, max: number): Promise<number> => {
  const taken = await ofUser(db, userId)
    .select(({ fn }) => fn.sum<number | string | null>('size').as('size'))
    .executeTakeFirst()
  if (Number(taken?.size ?? 0) <= max) return 0
  const newer = sql<number>`sum("size") over (order by "created_at" desc, "request_id" desc)`
  const aged = ofUser(db, userId).select(['id', newer.as('upTo')])
  const { numDeletedRows } = await db
    .deleteFrom('stored_answers')
    .where('id', 'in', old =>
      old.selectFrom(aged.as('aged')).select('aged.id').where('aged.upTo', '>', max),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export type Link = { id: string; previous: string | null; size: number }

/**
 * The answer and those that it went on from, newest first, at most `lengthMax` of them. Where the last one still has a
 * `previous`, that is not kept any more, or stands beyond the limit.
 */
export const chainOf = async (
  db: Database,
  userId: number,
  id: string,
  lengthMax: number,
): Promise<Link[]> => {
  const links = await db
    .withRecursive('chain', chain =>
      ofUser(chain as Database, userId)
        .select(['id', 'previous', 'size', sql<number>`1`.as('depth')])
        .where('id', '=', id)
        .unionAll(
          chain
            .selectFrom('chain')
            .innerJoin('stored_answers as earlier', 'earlier.id', 'chain.previous')
            .select(['earlier.id', 'earlier.previous', 'earlier.size'])
            .select(sql<number>`chain.depth + 1`.as('depth'))
            .where('earlier.user_id', '=', userId)
            .where('earlier.size', 'is not', null)
            .where('chain.depth', '<', lengthMax),
        ),
    )
    .selectFrom('chain')
    .select(['id', 'previous', 'size'])
    .orderBy('depth')
    .execute()
  return links.map(({ size, ...link }) => ({ ...link, size: size ?? 0 }))
}

/** What is in them, by id, as it was sealed. */
export const contentsOf = async (
  db: Database,
  userId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await ofUser(db, userId)
    .select(['id', 'content_sealed'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, content_sealed }) => [id, content_sealed ?? '']))
}

export const removeOf = async (db: Database, userId: number): Promise<void> => {
  await db
    .deleteFrom('stored_answers')
    .where('user_id', '=', userId)
    .where('size', 'is not', null)
    .execute()
}

/** Each of them may be some megabytes. */
const sliceRows = 50

const older =
  (before: number) =>
  async (db: Database): Promise<bigint> => {
    const { numDeletedRows } = await db
      .deleteFrom('stored_answers')
      .where('id', 'in', old =>
        old
          .selectFrom('stored_answers as old')
          .select('old.id')
          .where('old.created_at', '<', before)
          .where('old.size', 'is not', null)
          .limit(sliceRows),
      )
      .executeTakeFirst()
    return numDeletedRows
  }

/** What a call kept that ended after its user was deleted. */
const ownerless = async (db: Database): Promise<bigint> => {
  const { numDeletedRows } = await db
    .deleteFrom('stored_answers')
    .where('id', 'in', left =>
      left
        .selectFrom('stored_answers as left')
        .innerJoin('users', 'users.id', 'left.user_id')
        .select('left.id')
        .where('users.deleted_at', 'is not', null)
        .where('left.size', 'is not', null)
        .limit(sliceRows),
    )
    .executeTakeFirst()
  return numDeletedRows
}

/** Forgets what is older, and what nobody owns any more, slice by slice, so that nobody waits long for it. */
export const forgetBefore = async (db: Database, before: number): Promise<number> => {
  let forgotten = 0n
  for (const slice of [older(before), ownerless])
    for (let last = BigInt(sliceRows); last === BigInt(sliceRows); forgotten += last)
      last = await slice(db)
  return Number(forgotten)
}
