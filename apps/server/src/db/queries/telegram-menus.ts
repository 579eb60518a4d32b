import type { Insertable } from 'kysely'
import type { Database } from '../index.ts'
import type { TelegramMenusTable } from '../tables/telegram.ts'
import { type Paging, selectPage } from './paging.ts'
import { columnRefs } from './rows.ts'
import { matchesKeyword } from './text.ts'

export type TelegramMenuRow = NonNullable<Awaited<ReturnType<typeof find>>>

const all = (db: Database) => db.selectFrom('telegram_menus').selectAll()

export const find = (db: Database, id: number) => all(db).where('id', '=', id).executeTakeFirst()

/** Lists the commands in the order in which Telegram shows them. */
export const listAll = (db: Database) => all(db).orderBy('command').execute()

export const list = (
  db: Database,
  { keyword, ...paging }: Paging & { keyword?: string | undefined },
) => {
  const query = all(db).$if(!!keyword, rows =>
    rows.where(matchesKeyword(keyword!, ['telegram_menus.command'], 'telegram_menus.id')),
  )
  const sortable = ['command', 'description', 'parse_mode']
  return selectPage(db, query, paging, columnRefs('telegram_menus', ...sortable))
}

type NewMenu = Insertable<TelegramMenusTable>

/** Returns undefined if the command exists. */
export const insert = (db: Database, menu: NewMenu) =>
  db
    .insertInto('telegram_menus')
    .values(menu)
    .onConflict(conflict => conflict.column('command').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Returns undefined if there is no such row, or another one has the command. */
export const update = (db: Database, id: number, menu: NewMenu) =>
  db
    .updateTable('telegram_menus')
    .set(menu)
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('telegram_menus as other')
            .select('other.id')
            .where('other.command', '=', menu.command)
            .where('other.id', '<>', id),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst()

export const remove = async (db: Database, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('telegram_menus')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
