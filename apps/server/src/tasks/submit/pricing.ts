import { Fault } from '@hub/contract'
import { noUsage, type Usage } from '@hub/dialects'
import type { TaskPricing } from '@hub/providers'
import { type EffectivePrice, priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'

/** The price of a task before its vendor is asked. */
export type TaskPrice = {
  price: EffectivePrice
  /** The name under which it is billed. */
  model: string
  usage: Usage
  points: number
}

/** The name of the price for every model without its own, which is per token. */
const defaultName = '*'

type PricedTask = { pricing: TaskPricing; billedModel: string; group: string }

/** Finds the price of a task. Throws `price.unknown` where its dimensions have none: nothing is submitted unpriced. */
export const priceTask = (app: App, { pricing, billedModel, group }: PricedTask): TaskPrice => {
  for (const name of pricing.names ?? []) {
    const price = priceCache(app).find(name, group)
    if (price && price.model !== defaultName && price.type === 'times')
      return quoted(price, name, noUsage())
  }
  const price = priceCache(app).find(billedModel, group)
  const usage = price && usageAt(price, pricing)
  if (!price || !usage) throw unpriced(billedModel, pricing)
  return quoted(price, billedModel, usage)
}

const quoted = (price: EffectivePrice, model: string, usage: Usage): TaskPrice => ({
  ...{ price, model, usage },
  points: price.cost(usage),
})

/** Units before calls before tokens. A price that names units of this kind has no price for the others. */
const usageAt = (price: EffectivePrice, { units, tokensMax }: TaskPricing): Usage | undefined => {
  const { tools } = price.terms
  if (units) {
    const kind = units.kinds.find(each => tools[each] !== undefined)
    if (kind !== undefined && units.count === undefined) return undefined
    if (kind !== undefined) return { ...noUsage(), tools: { [kind]: units.count! } }
    const family = units.kinds.at(-1)!
    if (Object.keys(tools).some(each => each.startsWith(family))) return undefined
  }
  if (price.type === 'times') return noUsage()
  return tokensMax === undefined ? undefined : { ...noUsage(), output: tokensMax }
}

const unpriced = (model: string, { names = [], units }: TaskPricing): Fault => {
  const needed = [...names, ...(units?.kinds.map(kind => `${model} with ${kind}`) ?? [model])]
  const length = units && units.count === undefined ? " Name 'seconds'." : ''
  const hint = `Needed: ${needed.join(', or ').slice(0, 400)}.${length}`
  return new Fault('price.unknown', { hint })
}
