import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import * as rows from '../../db/queries/costs.ts'
import { formatNumber } from '../../lib/decimal.ts'
import { singleflight } from '../../lib/singleflight.ts'

type Rate = { validFrom: number; rate: string }

/** The rates of all currencies in memory: a page of costs asks for one per day and currency. */
export const exchangeRates = appScoped(app => {
  /** By currency, the newest first. */
  let byCurrency: ReadonlyMap<string, readonly Rate[]> = new Map()
  const load = singleflight(async () => {
    const found = await rows.listRates(app.callDb)
    byCurrency = Map.groupBy(
      found.map(each => ({ ...each, validFrom: each.valid_from })),
      each => each.currency,
    )
  })
  app.changes.on('costs', load)
  return {
    load,
    /** The rate that an administrator wrote for the day. */
    find: (currency: string, day: string): Rate | undefined =>
      byCurrency.get(currency)?.find(each => each.validFrom <= secondsOfDay(day)),
    currencies: (): string[] => [...byCurrency.keys()],
  }
})

/**
 * How many units of a currency a US dollar was on a day such as `2026-11-29`, as a decimal in text. CNY without a rate have
 * the price of a dollar at top-ups. Undefined: it is not known.
 */
export const rateAt = (app: App, currency: string, day: string): string | undefined =>
  datedRate(app, currency, day)?.rate

/** A rate, and the day since which it holds; null: it is no written one. */
export type DatedRate = { currency: string; rate: string; day: string | null }

export const datedRate = (app: App, currency: string, day: string): DatedRate | undefined => {
  if (currency === 'USD') return { currency, rate: '1', day: null }
  const written = exchangeRates(app).find(currency, day)
  if (written) return { currency, rate: written.rate, day: dayOfSeconds(written.validFrom) }
  if (currency !== 'CNY') return undefined
  return { currency, rate: formatNumber(app.settings().payment.PaymentUSDRate), day: null }
}

/** A day is stored as its first second in UTC, so that another time zone of the site moves no rate. */
export const secondsOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000

export const dayOfSeconds = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice(0, 10)
