import { extraRatioKeys, Fault, issuesOf, Price, VendorPrice } from '@hub/contract'
import { asPrice } from '../../../db/queries/prices.ts'
import { rowOfVendorPrice } from '../vendor-price.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { convertNewApiPrices } from './new-api.ts'

type Skipped = { model: string; why: string }
type Format = 'one-hub' | 'new-api' | 'vendors'
type PriceList = { prices: Price[]; format: Format; skipped: Skipped[] }

/**
 * Parses a price list as One Hub publishes it (an array of prices, or `{data: [...]}`), New API's `/api/pricing` or
 * `/api/ratio_config`, or a list in the format of the shipped one (`{prices: [...]}` with vendors' amounts). Invalid entries are skipped. `skipped` reports them, and also duplicates and unknown ratios of
 * entries that are used; the last entry of a model counts. Throws `price.list_unavailable` without any valid entry.
 */
export const parsePriceList = (text: string): PriceList => {
  const parsed = parse(text)
  const list = isJsonObject(parsed) && 'data' in parsed ? parsed.data : parsed
  const { format, entries } = entriesOf(list)
  if (!Array.isArray(entries)) throw new Fault('price.list_unavailable')
  const prices = new Map<string, Price>()
  const skipped: Skipped[] = []
  for (const entry of entries) {
    const model = nameOf(entry)
    const read =
      format === 'vendors'
        ? readVendorPrice(entry)
        : Price.safeParse(normalizeEntry(entry, key => skipped.push(unknownKey(model, key))))
    if (!read.success) skipped.push({ model, why: issuesOf(read.error) })
    else {
      if (prices.has(read.data.model)) skipped.push({ model, why: 'it stands twice' })
      prices.set(read.data.model, read.data)
    }
  }
  if (prices.size === 0)
    throw new Fault('price.list_unavailable', { hint: skipped[0]?.why ?? 'It is empty.' })
  return { prices: [...prices.values()], format, skipped }
}

const entriesOf = (list: unknown): { format: Format; entries: unknown } => {
  if (isJsonObject(list) && Array.isArray(list.prices))
    return { format: 'vendors', entries: list.prices }
  const newApiPrices = convertNewApiPrices(list)
  return newApiPrices
    ? { format: 'new-api', entries: newApiPrices }
    : { format: 'one-hub', entries: list }
}

const readVendorPrice = (entry: unknown) => {
  const read = VendorPrice.safeParse(entry)
  return read.success ? Price.safeParse(asPrice(rowOfVendorPrice(read.data))) : read
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('price.list_unavailable', { hint: 'It is not JSON.' })
  }
}

const unknownKey = (model: string, key: string) => ({ model, why: `\`${key}\` is no known ratio` })

const nameOf = (entry: unknown) =>
  String((isJsonObject(entry) ? entry.model : undefined) ?? '').slice(0, 200)

const knownRatios = new Set<string>(extraRatioKeys)

/** Fills defaults and removes unknown ratios, which it reports. The schema drops other unknown fields. */
const normalizeEntry = (entry: unknown, onUnknownRatio: (key: string) => void): unknown => {
  if (!isJsonObject(entry)) return entry
  const { type = 'tokens', extra_ratios, output = entry.input, ...rest } = entry
  if (!isJsonObject(extra_ratios)) return { ...rest, type, output, extra_ratios: null }
  for (const key of Object.keys(extra_ratios)) if (!knownRatios.has(key)) onUnknownRatio(key)
  return { ...rest, type, output, extra_ratios: keepKnownRatios(extra_ratios) }
}

const keepKnownRatios = (ratios: JsonObject): JsonObject | null => {
  const kept = Object.entries(ratios).filter(([key]) => knownRatios.has(key))
  return kept.length === 0 ? null : Object.fromEntries(kept)
}
