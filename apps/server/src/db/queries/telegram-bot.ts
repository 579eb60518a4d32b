import type { Database } from '../index.ts'
import type { TelegramBotTable } from '../tables/telegram.ts'
import { changedOne } from './rows.ts'

const id = 1

export const find = (db: Database) =>
  db.selectFrom('telegram_bot').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Takes or keeps the right to run the bot. A node has it until it gives it up, or until the others have declared its
 * epoch dead. If two nodes ask at once, one of them gets true.
 */
export const acquire = async (db: Database, epoch: number): Promise<boolean> => {
  const none = { mode: '', token_hash: '', username: '', last_error: '', last_error_at: 0 }
  const row = await db
    .insertInto('telegram_bot')
    .values({ id, epoch, ...none })
    .onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet({ epoch })
        .where(({ or, eb, not, exists, selectFrom }) =>
          or([
            eb('telegram_bot.epoch', '=', epoch),
            not(
              exists(
                selectFrom('nodes')
                  .select('nodes.epoch')
                  .whereRef('nodes.epoch', '=', 'telegram_bot.epoch')
                  .where('nodes.state', '=', 'live'),
              ),
            ),
          ]),
        ),
    )
    .returning('epoch')
    .executeTakeFirst()
  return row !== undefined
}

type Report = Partial<Omit<TelegramBotTable, 'id' | 'epoch'>>

/** Returns false if another node runs the bot by now. */
export const report = (db: Database, epoch: number, change: Report): Promise<boolean> =>
  changedOne(
    db.updateTable('telegram_bot').set(change).where('id', '=', id).where('epoch', '=', epoch),
  )

/** Lets another node run the bot at once. */
export const release = async (db: Database, epoch: number): Promise<void> => {
  await db
    .updateTable('telegram_bot')
    .set({ epoch: 0, mode: '' })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .execute()
}
