import type { Database } from '../index.ts'
import type { StoredResourcesTable } from '../tables/responses.ts'

/** A conversation that the gateway stores itself. No channel has it. */
export type LocalConversationRow = StoredResourcesTable

const fixed = { kind: 'conversations', channel_id: 0, credential: '' } as const

export const isLocalConversation = ({ kind, channel_id }: StoredResourcesTable): boolean =>
  kind === fixed.kind && channel_id === fixed.channel_id

type NewConversation = Pick<
  StoredResourcesTable,
  'id' | 'user_id' | 'request_id' | 'created_at' | 'expires_at' | 'size' | 'object_sealed'
>

export const add = async (db: Database, row: NewConversation): Promise<void> => {
  const values = { ...row, ...fixed, purpose: '', run_at: null, attempts: 0 }
  await db.insertInto('stored_resources').values(values).execute()
}

const ofUser = (db: Database, userId: number) =>
  db
    .selectFrom('stored_resources')
    .where('user_id', '=', userId)
    .where('kind', '=', fixed.kind)
    .where('channel_id', '=', fixed.channel_id)

/** Finds a conversation of this user that has not expired. */
export const find = (
  db: Database,
  { userId, id, now }: { userId: number; id: string; now: number },
): Promise<LocalConversationRow | undefined> =>
  ofUser(db, userId)
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Replaces the content unless it was changed since it was read. Returns whether it was replaced. */
export const replace = async (
  db: Database,
  { id, attempts }: LocalConversationRow,
  fields: Pick<LocalConversationRow, 'object_sealed' | 'size' | 'expires_at'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('stored_resources')
    .set({ ...fields, attempts: attempts + 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Bytes of all conversations that the gateway stores for this user. */
export const bytesOf = async (db: Database, userId: number): Promise<number> => {
  const row = await ofUser(db, userId)
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export const removeOfUser = async (db: Database, userId: number): Promise<void> => {
  await db
    .deleteFrom('stored_resources')
    .where('user_id', '=', userId)
    .where('kind', '=', fixed.kind)
    .where('channel_id', '=', fixed.channel_id)
    .execute()
}
