import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'

/**
 * When the answer is given, this node charges by the new prices; the others hear of them within 300 ms. The topic comes
 * first: its row is the lock that lets one writer of prices at a time read and write.
 */
export const writePrices = async <T>(app: App, work: (tx: Database) => Promise<T>): Promise<T> => {
  const done = await app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'prices')
    return work(tx)
  })
  await priceCache(app).load()
  return done
}
