import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'

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
