import { type Insertable, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { InvoiceMonthsTable, InvoicesTable } from '../tables/invoices.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne } from './rows.ts'
import type { TimeRange } from './usage-sums.ts'

/** A position in the postings, which are ordered by time and id. */
export type PostingPosition = { at: number; id: number }

/** The next charges of all users in a range of time, with their receipts and the durations of calls with a log row. */
export const listCharges = (
  db: Database,
  range: TimeRange,
  after: PostingPosition,
  limit: number,
) =>
  db
    .selectFrom('transfers as t')
    .leftJoin('logs as l', join => join.onRef('l.id', '=', 't.id').on('l.type', '=', 2))
    .where('t.kind', 'in', ['request', 'late'])
    .where('t.at', '>=', range.begin)
    .where('t.at', '<', range.end)
    .where(sql<boolean>`(t.at, t.id) > (${after.at}, ${after.id})`)
    .orderBy('t.at')
    .orderBy('t.id')
    .limit(limit)
    .select([
      't.id',
      't.at',
      't.kind',
      't.debit as user_id',
      't.amount',
      't.usage',
      'l.request_time',
      'l.model_name',
      'l.prompt_tokens',
      'l.completion_tokens',
    ])
    .execute()

/** Deleted users too. */
export const findUsers = (db: Database, ids: readonly number[]) =>
  db
    .selectFrom('users')
    .where('id', 'in', ids)
    .select(['id', 'username', 'display_name', 'email'])
    .execute()

export const findMonth = (db: Database, month: string) =>
  db.selectFrom('invoice_months').selectAll().where('month', '=', month).executeTakeFirst()

export const insertMonth = (db: Database, row: Insertable<InvoiceMonthsTable>) =>
  db
    .insertInto('invoice_months')
    .values(row)
    .onConflict(conflict => conflict.column('month').doNothing())
    .execute()

export type InvoiceFigures = Pick<
  InvoicesTable,
  'amount_micros' | 'requests' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'request_time'
>
export type InvoiceContent = InvoiceFigures & { body: string; sha256: string }

/** Inserts an invoice with its content, in the caller's transaction. Returns false if the user has one of this month. */
export const insert = async (
  tx: Database,
  invoice: { user_id: number; month: string; created_at: number },
  { body, sha256, ...figures }: InvoiceContent,
): Promise<boolean> => {
  const inserted = await tx
    .insertInto('invoices')
    .values({ ...invoice, ...figures, status: 'unpaid', revision: 1, paid_at: null })
    .onConflict(conflict => conflict.columns(['user_id', 'month']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return false
  const { created_at } = invoice
  await tx
    .insertInto('invoice_documents')
    .values({ invoice_id: inserted.id, revision: 1, created_at, body, sha256 })
    .execute()
  return true
}

/** Gives an unpaid invoice other content. Returns false if it was paid or changed since it was read. */
export const replace = (
  db: Database,
  invoice: { id: number; revision: number },
  { body, sha256, ...figures }: InvoiceContent,
  now: number,
): Promise<boolean> =>
  db.transaction().execute(async tx => {
    const revision = invoice.revision + 1
    const isReplaced = await changedOne(
      tx
        .updateTable('invoices')
        .set({ ...figures, revision })
        .where('id', '=', invoice.id)
        .where('revision', '=', invoice.revision)
        .where('status', '=', 'unpaid'),
    )
    if (!isReplaced) return false
    await tx
      .insertInto('invoice_documents')
      .values({ invoice_id: invoice.id, revision, created_at: now, body, sha256 })
      .execute()
    return true
  })

/** Returns false if the invoice is paid already, or does not exist. */
export const pay = (db: Database, id: number, now: number): Promise<boolean> =>
  changedOne(
    db
      .updateTable('invoices')
      .set({ status: 'paid', paid_at: now })
      .where('id', '=', id)
      .where('status', '=', 'unpaid'),
  )

const withUser = (db: Database) =>
  db
    .selectFrom('invoices')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('invoices')
    .select('users.username')

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Database, id: number) =>
  withUser(db).where('invoices.id', '=', id).executeTakeFirst()

export const findOfUser = (db: Database, userId: number, month: string) =>
  withUser(db)
    .where('invoices.user_id', '=', userId)
    .where('invoices.month', '=', month)
    .executeTakeFirst()

export const findDocument = (db: Database, { id, revision }: { id: number; revision: number }) =>
  db
    .selectFrom('invoice_documents')
    .selectAll()
    .where('invoice_id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow()

type Filter = Paging & {
  user_id?: number | undefined
  status?: string | undefined
  month?: string | undefined
}

const column = (name: string) => sql.ref(`invoices.${name}`)
const sortable = {
  id: column('id'),
  date: column('month'),
  request_count: column('requests'),
  quota: column('quota'),
  prompt_tokens: column('prompt_tokens'),
  completion_tokens: column('completion_tokens'),
  request_time: column('request_time'),
  status: column('status'),
}

/** Newest months first, unless the filter has an order. */
export const list = (db: Database, filter: Filter) => {
  const { user_id, status, month, order = '-date' } = filter
  const query = withUser(db)
    .$if(user_id !== undefined, rows => rows.where('invoices.user_id', '=', user_id!))
    .$if(status !== undefined, rows => rows.where('invoices.status', '=', status!))
    .$if(month !== undefined, rows => rows.where('invoices.month', '=', month!))
  return selectPage(db, query, { ...filter, order }, sortable)
}
