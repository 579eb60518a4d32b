import type { Expression } from 'kysely'
import type { Database } from '../index.ts'
import type { TelegramBotTable } from '../tables/telegram.ts'
import { changedOne } from './rows.ts'

const id = 1

export const find = (db: Database) =>
  db.selectFrom('telegram_bot').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Takes or keeps the right to run the bot. A node has it until it gives it up, or until the others have declared its
 * epoch dead. If two nodes ask at once, one of them gets true. A node that was declared dead gets false until it has a
 * new epoch, since another node may take the bot at any moment.
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
        .where(({ and, or, eb, not, exists, selectFrom, ref, val }) => {
          const isLive = (node: Expression<number>) =>
            exists(
              selectFrom('nodes')
                .select('nodes.epoch')
                .where('nodes.epoch', '=', node)
                .where('nodes.state', '=', 'live'),
            )
          const holder = ref('telegram_bot.epoch')
          return and([isLive(val(epoch)), or([eb(holder, '=', epoch), not(isLive(holder))])])
        }),
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
