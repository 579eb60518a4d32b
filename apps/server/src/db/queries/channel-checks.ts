import type { Database } from '../index.ts'

/** Replaces the results of the last check of a channel. `results` is a JSON list. */
export const storeCheck = async (
  db: Database,
  channelId: number,
  check: { at: number; results: string },
): Promise<void> => {
  await db
    .insertInto('channel_checks')
    .values({ channel_id: channelId, ...check })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet(check))
    .execute()
}

export const findCheck = (db: Database, channelId: number) =>
  db
    .selectFrom('channel_checks')
    .select(['at', 'results'])
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
