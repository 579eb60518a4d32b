import type { App } from '../../core/app.ts'
import * as priceRows from '../../db/queries/price-versions.ts'
import { builtInOwners, builtInPrices } from './built-in.ts'

/** Adds the built-in prices on the first start only, so that a deleted price stays deleted. */
export const seedPrices = async (app: App): Promise<void> => {
  if (await priceRows.hasPrices(app.db)) return
  await priceRows.addPrices(app.db, builtInPrices())
}

/** Adds missing owners at each start. Names and icons that an administrator changed stay. */
export const seedOwners = (app: App): Promise<void> => priceRows.addOwners(app.db, builtInOwners())
