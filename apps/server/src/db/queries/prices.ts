import type { Price } from '@hub/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { PricesTable } from '../tables/prices.ts'
import { chunks } from './chunks.ts'
import { changedOne } from './rows.ts'

export type StoredPriceRow = Selectable<PricesTable>

export const listAll = (db: Database) =>
  db.selectFrom('prices').selectAll().orderBy('channel_type').orderBy('model').execute()

export const find = (db: Database, model: string) =>
  db.selectFrom('prices').selectAll().where('model', '=', model).executeTakeFirst()

/** False if the model has a price. */
export const insert = async (db: Database, price: Insertable<PricesTable>): Promise<boolean> => {
  const row = await db
    .insertInto('prices')
    .values(price)
    .onConflict(conflict => conflict.column('model').doNothing())
    .returning('model')
    .executeTakeFirst()
  return row !== undefined
}

export const update = (db: Database, model: string, price: Insertable<PricesTable>) =>
  changedOne(db.updateTable('prices').set(price).where('model', '=', model))

/** Inserts prices and replaces existing ones. */
export const upsert = async (db: Database, prices: Insertable<PricesTable>[]): Promise<void> => {
  for (const some of chunks(prices))
    await db
      .insertInto('prices')
      .values(some)
      .onConflict(conflict =>
        conflict.column('model').doUpdateSet(row => ({
          type: row.ref('excluded.type'),
          channel_type: row.ref('excluded.channel_type'),
          input: row.ref('excluded.input'),
          output: row.ref('excluded.output'),
          locked: row.ref('excluded.locked'),
          extra_ratios: row.ref('excluded.extra_ratios'),
          tiers: row.ref('excluded.tiers'),
          tool_prices: row.ref('excluded.tool_prices'),
        })),
      )
      .execute()
}

export const removeAll = async (db: Database, models: readonly string[]): Promise<void> => {
  for (const some of chunks(models))
    await db.deleteFrom('prices').where('model', 'in', some).execute()
}

export const remove = async (db: Database, model: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('prices')
    .where('model', '=', model)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const asPrice = (row: StoredPriceRow): Price => ({
  model: row.model,
  type: row.type,
  channel_type: row.channel_type,
  input: Number(row.input),
  output: Number(row.output),
  locked: row.locked === 1,
  extra_ratios: row.extra_ratios === null ? null : numbers(JSON.parse(row.extra_ratios)),
  tiers: row.tiers === null ? null : JSON.parse(row.tiers).map(asTier),
  tool_prices: row.tool_prices === null ? null : numbers(JSON.parse(row.tool_prices)),
})

const numbers = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Number(text)]))

const asTier = ({ above, input, output }: { above: number; input: string; output: string }) => ({
  above,
  input: Number(input),
  output: Number(output),
})
