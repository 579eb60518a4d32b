import type { Price, PriceSuggestion } from '@hub/contract'
import { priceCache } from '../../billing/price-cache.ts'
import { shippedPrices, unpricedModels } from '../../billing/prices/built-in.ts'
import { rowOfVendorPrice } from '../../billing/prices/vendor-price.ts'
import type { App } from '../../core/app.ts'
import { listEnabled } from '../../db/queries/groups.ts'
import { asPrice } from '../../db/queries/prices.ts'
import { fetchList } from '../../relay/upstream/fetch-text.ts'
import { readPriceList } from './read-with-owners.ts'

const shippedByModel = new Map(shippedPrices.map(each => [each.model, each]))
const reasons = new Map(unpricedModels.map(each => [each.model, each]))

/** A price for each model: from the shipped list, else from the list of the settings. It changes nothing. */
export const suggestPrices = async (
  app: App,
  input: { models: readonly string[]; from_list: boolean; unpriced_only: boolean },
): Promise<PriceSuggestion[]> => {
  const { from_list, unpriced_only } = input
  const groups = (await listEnabled(app.db)).map(each => each.symbol)
  const hasPrice = (model: string) =>
    groups.some(group => priceCache(app).find(model, group) !== undefined)
  const models = unpriced_only ? input.models.filter(each => !hasPrice(each)) : input.models
  const isMissing = models.some(model => !shippedByModel.has(model))
  const listed = from_list && isMissing ? await readSettingsList(app) : undefined
  return models.map(model => ({
    ...(shippedSuggestion(model) ?? listedSuggestion(model, listed) ?? noSuggestion(model)),
    has_price: hasPrice(model),
  }))
}

type Suggestion = Omit<PriceSuggestion, 'has_price'>

const shippedSuggestion = (model: string): Suggestion | undefined => {
  const found = shippedByModel.get(model)
  if (!found) return undefined
  const { source, date, note = '' } = found
  return { model, price: asPrice(rowOfVendorPrice(found)), origin: 'shipped', source, date, note }
}

type ListedPrices = { prices: ReadonlyMap<string, Price>; source: string; date: string }

const readSettingsList = async (app: App): Promise<ListedPrices | undefined> => {
  const source = app.settings().money.UpdatePriceService
  if (source === '') return undefined
  const { prices } = await readPriceList(app, await fetchList(app, source))
  const date = new Date(app.now()).toISOString().slice(0, 'YYYY-MM-DD'.length)
  return { prices: new Map(prices.map(each => [each.model, each])), source, date }
}

const listedSuggestion = (
  model: string,
  listed: ListedPrices | undefined,
): Suggestion | undefined => {
  const price = listed?.prices.get(model)
  if (!price) return undefined
  const { source, date } = listed!
  return { model, price: { ...price, locked: false }, origin: 'list', source, date, note: '' }
}

/** The reason why the shipped list has no price, if it gives one. */
const noSuggestion = (model: string): Suggestion => {
  const { reason = '', date = '' } = reasons.get(model) ?? {}
  return { model, price: null, origin: null, source: '', date, note: reason }
}
