import { createHash } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import { findOrCreateVersions } from '../../db/queries/price-versions.ts'
import { formatDecimal, multiply } from '../../lib/decimal.ts'
import { prepareCost } from '../price.ts'
import { type EffectivePrice, priceCache } from '../price-cache.ts'
import { type Terms, toDecimal } from '../prices/terms.ts'

/** The price of answers in a batch whose prompts have more than `above` tokens, up to the next tier. */
export type BatchPrice = EffectivePrice & { above: number }

/** Every prompt has more tokens than this. */
const lowestTier = -1

/**
 * The prices of a model in a batch, one for each tier of its price, ascending. A charge sums many answers of one tier, so
 * that its price version must not choose a tier by the sum. Tools cost what they cost elsewhere.
 */
export const findBatchPrices = async (
  app: App,
  { model, group, ratio }: { model: string; group: string; ratio: string },
): Promise<BatchPrice[]> => {
  const price = requireTokenPrice(app, model, group)
  const drafts = tiersOf(price.terms).map(({ above, input, output }) => {
    const { tiers: _, ...base } = price.terms
    const terms: Terms = { ...base, input: times(input, ratio), output: times(output, ratio) }
    const body = JSON.stringify(terms)
    return { above, terms, body, hash: createHash('sha256').update(body).digest('hex') }
  })
  const bodies = new Map(drafts.map(({ hash, body }) => [hash, body]))
  const ids = await findOrCreateVersions(app.callDb, bodies, nowSeconds(app))
  return drafts.map(({ above, terms, hash }) => ({
    ...price,
    above,
    terms,
    priceId: ids.get(hash)!,
    ...prepareCost(terms),
  }))
}

/** Throws where the model has no price, or one per call: a batch has many calls. */
export const requireTokenPrice = (app: App, model: string, group: string): EffectivePrice => {
  const price = priceCache(app).find(model, group)
  if (!price) throw new Fault('price.unknown', { hint: `Model: ${model.slice(0, 100)}` })
  if (price.type === 'tokens') return price
  const hint = `${model.slice(0, 100)} is sold by the call, and a batch is charged by its tokens.`
  throw new Fault('batch.invalid', { hint })
}

/** The tiers of a price from the lowest on. */
export const tiersOf = ({ input, output, tiers = [] }: Terms) => [
  { above: lowestTier, input, output },
  ...tiers,
]

const times = (price: string, ratio: string): string =>
  formatDecimal(multiply(toDecimal(price), toDecimal(ratio)))
