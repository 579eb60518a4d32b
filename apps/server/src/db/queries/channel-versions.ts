import type { Database } from '../index.ts'
import { settleKeyStates } from './channel-keys.ts'
import * as topics from './topics.ts'

/** Marks a row that the running transaction changed; every write that the relay must notice sets it. */
export const changedHere = { version: 0 } as const

/** Gives the rows that this transaction changed the next version, by which every node finds and reads them. */
export const announceChange = async (db: Database): Promise<void> => {
  await settleKeyStates(db)
  const version = await topics.increment(db, 'channels')
  await db
    .updateTable('channels')
    .set({ version })
    .where('version', '=', changedHere.version)
    .execute()
}
