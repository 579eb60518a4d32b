import type { UnpricedModel, VendorPrice } from '@hub/contract'
import type { OwnersTable, PricesTable } from '../../db/tables/prices.ts'
import owners from '../defaults/owners.json' with { type: 'json' }
import list from '../defaults/prices.json' with { type: 'json' }
import { rowOfVendorPrice } from './vendor-price.ts'

type Entry = Omit<VendorPrice, 'type' | 'currency'> &
  Partial<Pick<VendorPrice, 'type' | 'currency'>>

/** The shipped price list. Each price has its source and the date on which it was read. */
export const shippedPrices: readonly VendorPrice[] = (list.prices as Entry[]).map(entry => ({
  type: 'tokens',
  currency: 'USD',
  ...entry,
}))

/** Models that the channel forms offer and that have no shipped price, with the reason. */
export const unpricedModels: readonly UnpricedModel[] = list.unpriced

/** The shipped prices as rows of the database. */
export const builtInPrices = (): PricesTable[] => shippedPrices.map(rowOfVendorPrice)

/** The channel types, as in One Hub. They have no icons, because an icon would load from another host. */
export const builtInOwners = (): OwnersTable[] => owners.map(each => ({ ...each, icon: '' }))
