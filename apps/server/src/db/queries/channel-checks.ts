import type { Database } from '../index.ts'
import type { ChannelModelTestsTable } from '../tables/channels.ts'

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

/** Replaces the result of the last test of one model. */
export const storeModelTest = async (
  db: Database,
  { channel_id, model, ...result }: ChannelModelTestsTable,
): Promise<void> => {
  await db
    .insertInto('channel_model_tests')
    .values({ channel_id, model, ...result })
    .onConflict(conflict => conflict.columns(['channel_id', 'model']).doUpdateSet(result))
    .execute()
}

export const listModelTests = (db: Database, channelId: number) =>
  db
    .selectFrom('channel_model_tests')
    .select(['model', 'at', 'ms', 'error', 'kind'])
    .where('channel_id', '=', channelId)
    .orderBy('model')
    .execute()
