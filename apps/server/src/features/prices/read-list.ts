import { extraRatioKeys, Fault, issuesOf, Price } from '@hub/contract'
import { isLoose, type Loose } from './loose.ts'
import { readNewApi } from './new-api.ts'

type Skipped = { model: string; why: string }
type PriceList = { prices: Price[]; format: 'one-hub' | 'new-api'; skipped: Skipped[] }

/**
 * A price list as One Hub publishes it (an array of prices, or `{data: [...]}`), or New API's `/api/pricing` or
 * `/api/ratio_config`. An entry that is no price is left out and said; where a model stands twice the last one counts.
 */
export const readList = (text: string): PriceList => {
  const whole = parse(text)
  const list = isLoose(whole) && 'data' in whole ? whole.data : whole
  const foreign = readNewApi(list)
  const entries = foreign ?? list
  if (!Array.isArray(entries)) throw new Fault('price.list')
  const prices = new Map<string, Price>()
  const skipped: Skipped[] = []
  for (const entry of entries) {
    const model = nameOf(entry)
    const read = Price.safeParse(tidied(entry, key => skipped.push(unknownKey(model, key))))
    if (!read.success) skipped.push({ model, why: issuesOf(read.error) })
    else {
      if (prices.has(read.data.model)) skipped.push({ model, why: 'it stands twice' })
      prices.set(read.data.model, read.data)
    }
  }
  if (prices.size === 0) throw new Fault('price.list', { hint: skipped[0]?.why ?? 'It is empty.' })
  return { prices: [...prices.values()], format: foreign ? 'new-api' : 'one-hub', skipped }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('price.list', { hint: 'It is not JSON.' })
  }
}

const unknownKey = (model: string, key: string) => ({ model, why: `\`${key}\` is no known ratio` })

const nameOf = (entry: unknown) =>
  String((isLoose(entry) ? entry.model : undefined) ?? '').slice(0, 200)

const known = new Set<string>(extraRatioKeys)

/** Without what other programs keep beside a price; a ratio that nobody knows is told. */
const tidied = (entry: unknown, tell: (key: string) => void): unknown => {
  if (!isLoose(entry)) return entry
  const { type = 'tokens', extra_ratios, output = entry.input, ...rest } = entry
  if (!isLoose(extra_ratios)) return { ...rest, type, output, extra_ratios: null }
  for (const key of Object.keys(extra_ratios)) if (!known.has(key)) tell(key)
  return { ...rest, type, output, extra_ratios: onlyKnown(extra_ratios) }
}

const onlyKnown = (ratios: Loose): Loose | null => {
  const kept = Object.entries(ratios).filter(([key]) => known.has(key))
  return kept.length === 0 ? null : Object.fromEntries(kept)
}
