import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** A response stored by the gateway. */
export type LocalResponseRow = {
  id: string
  user_id: number
  request_id: number
  created_at: number
  size: number
  previous: string | null
  content_sealed: string
  is_running?: 1
}

const ofUser = (db: Database, userId: number) =>
  db.selectFrom('stored_answers').where('user_id', '=', userId).where('size', 'is not', null)

export const add = async (db: Database, answer: LocalResponseRow): Promise<void> => {
  await db
    .insertInto('stored_answers')
    .values({ ...answer, channel_id: 0, credential: '' })
    .execute()
}

/** The columns of a stored content. */
export type SealedContent = Pick<LocalResponseRow, 'id' | 'size' | 'content_sealed'>

/** Replaces the content of a response that is made in the background. False where it was ended or deleted meanwhile. */
export const updateRunning = async (db: Database, content: SealedContent): Promise<boolean> => {
  const { numUpdatedRows } = await running(db, content.id).set(content).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends a response that is made in the background, once: with the content that it has, or with another. */
export const endRunning = async (
  db: Database,
  id: string,
  content?: SealedContent,
): Promise<boolean> => {
  const { numUpdatedRows } = await running(db, id)
    .set({ ...content, is_running: null })
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const running = (db: Database, id: string) =>
  db.updateTable('stored_answers').where('id', '=', id).where('is_running', '=', 1)

/** Those of these responses that are still made in the background. */
export const listRunning = async (
  db: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('stored_answers')
    .select('id')
    .where('id', 'in', ids)
    .where('is_running', '=', 1)
    .execute()
  return new Set(rows.map(each => each.id))
}

/** Deletes the oldest responses of a user beyond `max` bytes. Returns their number. */
export const removeOldestBeyond = async (
  db: Database,
  userId: number,
  max: number,
): Promise<number> => {
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

export type ConversationLink = { id: string; previous: string | null; size: number }

/**
 * The response and its predecessors, newest first, at most `lengthMax`. If the last one has a `previous`, that one is
 * deleted or beyond the limit.
 */
export const listConversation = async (
  db: Database,
  userId: number,
  id: string,
  lengthMax: number,
): Promise<ConversationLink[]> => {
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

/** The sealed contents by id. */
export const findContents = async (
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

export const removeOfUser = async (db: Database, userId: number): Promise<void> => {
  await db
    .deleteFrom('stored_answers')
    .where('user_id', '=', userId)
    .where('size', 'is not', null)
    .execute()
}

/** Kept small, because a row may have some megabytes. */
const chunkRows = 50

const removeOlderThan =
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
          .limit(chunkRows),
      )
      .executeTakeFirst()
    return numDeletedRows
  }

/** Deletes responses that a call stored after the deletion of its user. */
const removeOfDeletedUsers = async (db: Database): Promise<bigint> => {
  const { numDeletedRows } = await db
    .deleteFrom('stored_answers')
    .where('id', 'in', left =>
      left
        .selectFrom('stored_answers as left')
        .innerJoin('users', 'users.id', 'left.user_id')
        .select('left.id')
        .where('users.deleted_at', 'is not', null)
        .where('left.size', 'is not', null)
        .limit(chunkRows),
    )
    .executeTakeFirst()
  return numDeletedRows
}

/** Deletes old responses and those of deleted users, in chunks, so that other writers do not wait long. */
export const removeBefore = async (db: Database, before: number): Promise<number> => {
  let removed = 0n
  for (const removeChunk of [removeOlderThan(before), removeOfDeletedUsers])
    for (let last = BigInt(chunkRows); last === BigInt(chunkRows); removed += last)
      last = await removeChunk(db)
  return Number(removed)
}
