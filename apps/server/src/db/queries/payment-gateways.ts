import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { PaymentGatewaysTable } from '../tables/payments.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'
import { matchesKeyword } from './text.ts'

export type GatewayRow = Selectable<PaymentGatewaysTable>

const notDeleted = (db: Database) =>
  db.selectFrom('payment_gateways').selectAll().where('deleted_at', 'is', null)

export const find = (db: Database, id: number) =>
  notDeleted(db).where('id', '=', id).executeTakeFirst()

/** Finds deleted and disabled gateways too, whose old orders may still be paid. */
export const findWithDeleted = (db: Database, id: number) =>
  db.selectFrom('payment_gateways').selectAll().where('id', '=', id).executeTakeFirst()

/** Finds deleted and disabled gateways too, whose old orders may still be paid. */
export const findByUuid = (db: Database, uuid: string) =>
  db.selectFrom('payment_gateways').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** Gateways that buyers can use, the highest `sort` first. */
export const listEnabled = (db: Database) =>
  notDeleted(db)
    .where('enable', '=', 1)
    .orderBy('sort', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()

type GatewayFilter = Paging & {
  keyword?: string | undefined
  type?: string | undefined
  name?: string | undefined
  uuid?: string | undefined
  currency?: string | undefined
}

const sortable = ['uuid', 'name', 'type', 'sort', 'enable', 'created_at']

export const list = (db: Database, filter: GatewayFilter) => {
  const { keyword, type, name, uuid, currency } = filter
  const query = notDeleted(db)
    .$if(!!keyword, rows => rows.where(matchesKeyword(keyword!, ['name'], 'id')))
    .$if(!!name, rows => rows.where(matchesKeyword(name!, ['name'], 'id')))
    .$if(!!type, rows => rows.where('type', '=', type!))
    .$if(!!uuid, rows => rows.where('uuid', '=', uuid!))
    .$if(!!currency, rows => rows.where('currency', '=', currency!))
  return selectPage(db, query, filter, columnRefs('payment_gateways', ...sortable))
}

export const insert = async (
  db: Database,
  row: Insertable<PaymentGatewaysTable>,
): Promise<number> => {
  const inserted = db.insertInto('payment_gateways').values(row).returning('id')
  return (await inserted.executeTakeFirstOrThrow()).id
}

export const update = (db: Database, id: number, change: Updateable<PaymentGatewaysTable>) =>
  changedOne(
    db
      .updateTable('payment_gateways')
      .set(change)
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
  )

/** Deletes a gateway by its date. Returns false when there is none. */
export const remove = (db: Database, id: number, now: number) =>
  changedOne(
    db
      .updateTable('payment_gateways')
      .set({ deleted_at: now, enable: 0 })
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
  )
