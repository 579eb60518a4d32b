import type { Database } from '../index.ts'

/** The log row of a call, with the name of its channel. */
export const findCall = (db: Database, id: number) =>
  db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select(['logs.id', 'logs.type', 'logs.model_name', 'logs.channel_id', 'logs.request_time'])
    .select(['logs.metadata', 'channels.name as channel_name'])
    .where('logs.id', '=', id)
    .executeTakeFirst()

/** Channels that are disabled by hand or automatically, with their models. */
export const listDisabled = (db: Database) =>
  db
    .selectFrom('channels')
    .select(['id', 'name', 'status', 'models'])
    .where('status', '<>', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
