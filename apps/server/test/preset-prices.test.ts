import { Price, UnpricedModel, VendorPrice } from '@hub/contract'
import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import list from '../src/billing/defaults/prices.json' with { type: 'json' }
import {
  builtInOwners,
  builtInPrices,
  shippedPrices,
  unpricedModels,
} from '../src/billing/prices/built-in.ts'
import { asPrice } from '../src/db/queries/prices.ts'

// A model without a price is refused (`price.unknown`) until an administrator sets one, so it never costs 0 by accident.

const rows = builtInPrices()
const priced = new Set(rows.map(({ model }) => model))
const unpriced = new Map(unpricedModels.map(({ model, reason }) => [model, reason]))
const offered = new Set(providers.flatMap(({ defaultModels }) => defaultModels))

/** Lines that a failure shows one by one. */
const problemsOf = (check: (entry: (typeof list.prices)[number]) => string | undefined) =>
  list.prices.flatMap(entry => {
    const problem = check(entry)
    return problem === undefined ? [] : [`${entry.model}: ${problem}`]
  })

it('at least 190 of the models that the channel forms offer have a price', () => {
  // A model that two forms offer counts twice.
  const offers = providers.flatMap(({ defaultModels }) => defaultModels)
  const without = offers.filter(model => !priced.has(model))
  expect({ offers: offers.length, without }).toEqual({
    offers: 213,
    without: [...unpriced.keys()].sort(byOffer),
  })
  expect(offers.length - without.length).toBeGreaterThanOrEqual(190)
})

const byOffer = (a: string, b: string) => [...offered].indexOf(a) - [...offered].indexOf(b)

it('each offered model without a price stands in the list with its reason', () => {
  const without = [...offered].filter(model => !priced.has(model))
  expect(without.filter(model => !unpriced.has(model))).toEqual([])
  expect([...unpriced.keys()].filter(model => !offered.has(model))).toEqual([])
})

it('each row of the list has the form of a vendor’s price, with source and date', () => {
  const wrong = problemsOf(entry => {
    const read = VendorPrice.safeParse(entry)
    return read.success ? undefined : JSON.stringify(read.error.issues)
  })
  expect(wrong).toEqual([])
  for (const entry of list.unpriced) UnpricedModel.parse(entry)
})

it('each row becomes a price that the admin API accepts', () => {
  const refused = rows.flatMap(row => {
    const read = Price.safeParse(asPrice(row))
    return read.success ? [] : [`${row.model}: ${JSON.stringify(read.error.issues)}`]
  })
  expect(refused).toEqual([])
})

it('no model has two prices, or a price and a reason for none', () => {
  const names = [...rows.map(({ model }) => model), ...unpriced.keys()]
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

it('each owner of a price exists', () => {
  const owners = new Set(builtInOwners().map(({ id }) => id))
  expect(shippedPrices.filter(({ owner }) => !owners.has(owner)).map(each => each.model)).toEqual(
    [],
  )
})

it('tiers of long prompts ascend, and a cache read never costs more than the input', () => {
  const wrong = problemsOf(({ input, cached, long = [] }) => {
    if (Number(cached ?? 0) > Number(input)) return 'the cache read costs more'
    return long.some(({ above }, at) => at > 0 && above <= long[at - 1]!.above)
      ? 'the tiers do not ascend'
      : undefined
  })
  expect(wrong).toEqual([])
})

const imageModel = /image|imagen|dall-e|^sd3|flux|recraft|nova-canvas|realtime/

it('no note explains what its row does not have', () => {
  const wrong = problemsOf(({ model, note = '', long, tools, cached }) => {
    const [, above] = /above ([\d,]+) tokens of prompt/i.exec(note) ?? []
    if (above && !long?.some(tier => tier.above === Number(above.replaceAll(',', ''))))
      return 'it has no tier of long prompts'
    if (note.includes('cache_storage') && !tools?.cache_storage) return 'it sells no storage'
    if (note.includes('cache writes') && cached === undefined) return 'it has no cache'
    if (/\bimages?\b/i.test(note) && !imageModel.test(model)) return 'it makes no images'
    return undefined
  })
  expect(wrong).toEqual([])
})

/** Each of these is free of charge by the source that its row names. */
const free = [
  ...['omni-moderation-latest', 'text-moderation-latest', 'text-moderation-stable'],
  ...['glm-4.7-flash', 'lite', 'SparkDesk-v1.1', 'hunyuan-lite'],
]

it('only models that are free by their source cost nothing', () => {
  // A video is sold by the second, among the prices of tools.
  const nothing = rows.filter(
    ({ input, output, tool_prices }) =>
      Number(input) === 0 && Number(output) === 0 && tool_prices === null,
  )
  const names = nothing.map(({ model }) => model)
  expect(names.filter(name => !free.includes(name) && !/^(@cf|@hf|mj_)/.test(name))).toEqual([])
})
