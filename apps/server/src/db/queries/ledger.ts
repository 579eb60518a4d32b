import type { Database } from '../index.ts'

/** True while the hold of this request is open. */
export const isOpen = async (db: Database, id: number): Promise<boolean> =>
  (await db.selectFrom('holds').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** The request was charged by the node that served it; not by another one that closed its hold. */
export const isSettled = async (db: Database, id: number): Promise<boolean> => {
  const row = await db
    .selectFrom('transfers')
    .select('id')
    .where('id', 'in', [id, -id])
    .where('channel_id', '<>', 0)
    .executeTakeFirst()
  return row !== undefined
}

/** The open holds of one process, oldest first, without background calls. */
export const listOpenHolds = (db: Database, epoch: number) =>
  db
    .selectFrom('holds')
    .selectAll()
    .where('epoch', '=', epoch)
    .where('id', 'not in', background =>
      background.selectFrom('background_calls').select('request_id'),
    )
    .where('id', 'not in', tasks =>
      tasks
        .selectFrom('tasks')
        .select('tasks.id')
        .where('settlement', 'not in', ['charged', 'released']),
    )
    .orderBy('id')
    .execute()
