import type { Price } from '@hub/contract'
import { requireRight } from '../../core/accounts/money-rights.ts'
import type { App } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as rows from '../../db/queries/prices.ts'
import type { PricesTable } from '../../db/tables/prices.ts'
import { priceCache } from '../price-cache.ts'
import { columnsOf } from './columns.ts'
import { newlyFreeModels } from './free-prices.ts'

/** The user who writes prices, or a job that obeys the settings of the super administrator. */
export type PriceWriter = SignedInUser | 'system'

/**
 * Runs a write of prices, and refuses it if the user may make no price free and it does. This node charges by the new prices before it answers, other nodes within 300 ms. The
 * notification comes first, because its row is the lock that admits one writer of prices at a time.
 */
export const writePrices = async <T>(
  app: App,
  writer: PriceWriter,
  work: (tx: Database) => Promise<T>,
): Promise<T> => {
  const done = await app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'prices')
    if (writer === 'system') return work(tx)
    const before = await rows.listAll(tx)
    const result = await work(tx)
    requireFreePrices(app, writer, before, await rows.listAll(tx))
    return result
  })
  await priceCache(app).load()
  return done
}

/** Throws unless the user may make free what becomes free. Names at most 20 of the models. */
export const requireFreePrices = (
  app: App,
  writer: SignedInUser,
  before: readonly PricesTable[],
  after: readonly PricesTable[],
): void => {
  const models = newlyFreeModels(before, after, app.settings().money.DefaultPrice)
  if (models.length === 0) return
  requireRight(app, writer, 'free_prices', `Free: ${models.slice(0, 20).join(', ')}.`)
}

/** Runs a write together with new prices, all or nothing. A name that has a price keeps it. */
export const writeWithPrices = async <T>(
  app: App,
  writer: SignedInUser,
  prices: readonly Price[],
  work: (tx: Database) => Promise<T>,
): Promise<T> => {
  if (prices.length === 0) return app.db.transaction().execute(work)
  return writePrices(app, writer, async tx => {
    for (const price of prices) await rows.insert(tx, columnsOf(price))
    return work(tx)
  })
}
