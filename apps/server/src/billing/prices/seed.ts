import type { App } from '../../core/app.ts'
import * as priceBooks from '../../db/queries/price-book.ts'
import { builtInOwners, builtInPrices } from './list.ts'

/** On the first start: prices that are sensible today. Never again, so that a deleted price stays deleted. */
export const seedPrices = async (app: App): Promise<void> => {
  if (await priceBooks.hasPrices(app.db)) return
  await priceBooks.addPrices(app.db, builtInPrices())
}

/** At each start: an owner for every channel type that has one. Names and icons that people changed stay. */
export const seedOwners = (app: App): Promise<void> => priceBooks.addOwners(app.db, builtInOwners())
