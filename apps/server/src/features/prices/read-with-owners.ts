import type { Price } from '@hub/contract'
import { parsePriceList } from '../../billing/prices/lists/read-list.ts'
import type { App } from '../../core/app.ts'
import * as rows from '../../db/queries/prices.ts'

/** Reads a list of One Hub, New API or vendors' amounts. */
export const readPriceList = async (app: App, text: string) => {
  const list = parsePriceList(text)
  return list.format === 'new-api' ? { ...list, prices: await keepOwners(app, list.prices) } : list
}

/** New API's lists name no owner, so each model keeps the owner it has. */
const keepOwners = async (app: App, list: Price[]): Promise<Price[]> => {
  const stored = new Map((await rows.listAll(app.db)).map(row => [row.model, row.channel_type]))
  return list.map(price => ({ ...price, channel_type: stored.get(price.model) ?? 0 }))
}
