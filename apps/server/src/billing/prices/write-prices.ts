import type { Price } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as rows from '../../db/queries/prices.ts'
import { priceCache } from '../price-cache.ts'
import { columnsOf } from './columns.ts'

/**
 * Runs a write of prices. This node charges by the new prices before it replies, other nodes within 300 ms. The
 * notification comes first, because its row is the lock that admits one writer of prices at a time.
 */
export const writePrices = async <T>(app: App, work: (tx: Database) => Promise<T>): Promise<T> => {
  const done = await app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'prices')
    return work(tx)
  })
  await priceCache(app).load()
  return done
}

/** Runs a write together with new prices, all or nothing. A name that has a price keeps it. */
export const writeWithPrices = async <T>(
  app: App,
  prices: readonly Price[],
  work: (tx: Database) => Promise<T>,
): Promise<T> => {
  if (prices.length === 0) return app.db.transaction().execute(work)
  return writePrices(app, async tx => {
    for (const price of prices) await rows.insert(tx, columnsOf(price))
    return work(tx)
  })
}
