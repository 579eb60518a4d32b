import type { Database } from '../index.ts'

/** A hold with this id is open: its request has not ended. */
export const isOpen = async (db: Database, id: number): Promise<boolean> =>
  (await db.selectFrom('holds').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** The open holds of one process, oldest first, without those of calls whose answer is made elsewhere. */
export const openHolds = (db: Database, epoch: number) =>
  db
    .selectFrom('holds')
    .selectAll()
    .where('epoch', '=', epoch)
    .where('id', 'not in', kept => kept.selectFrom('background_calls').select('request_id'))
    .orderBy('id')
    .execute()
