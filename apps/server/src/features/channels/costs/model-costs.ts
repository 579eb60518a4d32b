import type { ModelCost, PriceSides } from '@hub/contract'
import { costCache } from '../../../billing/costs/cost-cache.ts'
import { rateAt } from '../../../billing/costs/exchange-rates.ts'
import { priceCache } from '../../../billing/price-cache.ts'
import { type Terms, toDecimal } from '../../../billing/prices/terms.ts'
import { type App, nowSeconds } from '../../../core/app.ts'
import { type Decimal, divide, formatDecimal, multiply } from '../../../lib/decimal.ts'
import { makeDayFormatter } from '../../../lib/time/calendar.ts'
import { billedModelOf, type Channel, upstreamModelOf } from '../../../relay/channels/channel.ts'

/** Places of an amount that is shown, and of a quotient of two. */
const places = 12

/** The points of one unit of the currency of a cost. */
const pointsPerUnit = 500_000

/** Lists the cost of each model of a channel, and the price that users of the ratio 1 pay for it. */
export const modelCosts = (app: App, channel: Channel, hasListPrices: boolean): ModelCost[] => {
  const { TimeZone, QuotaPerUnit } = app.settings().site
  const day = makeDayFormatter(TimeZone)(nowSeconds(app))
  return channel.models.map(model => {
    const upstreamModel = upstreamModelOf(channel, model)
    const billed = billedModelOf(channel, model)
    const found = costCache(app).explain({
      channelId: channel.id,
      channelType: channel.provider.type,
      models: upstreamModel === billed ? [billed] : [upstreamModel, billed],
      hasListPrices,
    })
    const price = priceOf(app, channel, billed)
    const cost = found && sidesOf(found.terms, found.terms.group_ratio, pointsPerUnit)
    const sold = price && sidesOf(price, '1', QuotaPerUnit)
    const rate = found && rateAt(app, found.currency, day)
    const isComparable = found && rate !== undefined && price?.type === found.terms.type
    return {
      ...{ model, upstream_model: upstreamModel, source: found?.source ?? 'unknown' },
      ...{ type: found?.terms.type ?? null, currency: found?.currency ?? null },
      cost: cost ?? null,
      price: sold ?? null,
      margin: isComparable ? marginOf(cost!, sold!, rate) : unknownMargin,
    }
  })
}

/** The price is the same for every group but for its ratio. */
const priceOf = (app: App, { groups }: Channel, model: string): Terms | undefined => {
  for (const group of groups) {
    const found = priceCache(app).find(model, group)
    if (found) return found.terms
  }
  return undefined
}

/** Points of a million tokens, or of one call, as units of currency. */
const sidesOf = (terms: Terms, groupRatio: string, perUnit: number): PriceSides => {
  const isPerCall = terms.type === 'times'
  const points = toDecimal(isPerCall ? '1000' : '1000000')
  const amount = (...factors: string[]) =>
    formatDecimal(
      divide(
        multiply(points, toDecimal(groupRatio), ...factors.map(toDecimal)),
        toDecimal(perUnit),
        places,
      ),
    )
  if (isPerCall) return { input: amount(terms.input), output: null, cached: null }
  return {
    input: amount(terms.input),
    output: amount(terms.output),
    cached: amount(terms.input, terms.ratios.cacheRead),
  }
}

const unknownMargin: ModelCost['margin'] = { input: null, output: null, cached: null }

/** `rate` is what one dollar of the price is in the currency of the cost. */
const marginOf = (cost: PriceSides, price: PriceSides, rate: string): ModelCost['margin'] => {
  const of = (side: keyof PriceSides) =>
    cost[side] === null || price[side] === null
      ? null
      : perCent(toDecimal(cost[side]), multiply(toDecimal(price[side]), toDecimal(rate)))
  return { input: of('input'), output: of('output'), cached: of('cached') }
}

/** With one decimal. Null: nothing is charged, so that there is no share of it. */
const perCent = (cost: Decimal, price: Decimal): number | null => {
  if (price.digits === 0n) return null
  const share = Number(formatDecimal(divide(cost, price, places)))
  return Math.round((1 - share) * 1_000) / 10
}
