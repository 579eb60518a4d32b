import { contract, type ExchangeRates } from '@hub/contract'
import { datedRate, dayOfSeconds, secondsOfDay } from '../../billing/costs/exchange-rates.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/costs.ts'
import { makeDayFormatter } from '../../lib/time/calendar.ts'

const readRates = async (app: App): Promise<ExchangeRates> => {
  const history = await rows.listRates(app.db)
  const day = today(app)
  const currencies = new Set(['CNY', ...history.map(each => each.currency)])
  return {
    current: [...currencies].toSorted().flatMap(currency => {
      const found = datedRate(app, currency, day)
      if (!found) return []
      return [{ currency, rate: found.rate, source: found.day === null ? 'setting' : 'rate' }]
    }),
    history: history.map(({ valid_from, created_by_name, ...each }) => ({
      ...each,
      valid_from: dayOfSeconds(valid_from),
      created_by_name: created_by_name ?? '',
    })),
  }
}

/** The calendar is that of the site, as on every page of money. */
const today = (app: App): string => makeDayFormatter(app.settings().site.TimeZone)(nowSeconds(app))

export const costs = implement(
  contract.costs,
  {
    rates: app => readRates(app),
    setRate: async (app, { userId }, { currency, rate, valid_from = today(app) }) => {
      await app.db.transaction().execute(async tx => {
        const row = { currency, rate, valid_from: secondsOfDay(valid_from), created_by: userId }
        await rows.setRate(tx, row)
        await app.changes.notify(tx, 'costs')
      })
      // The rates of today are read from memory, which holds the new one only after its notification.
      await app.changes.sync()
      return readRates(app)
    },
  },
  async (app, _caller, { input: { currency } }) => {
    const found = await rows.listRates(app.db)
    const ofCurrency = found.filter(each => each.currency === currency)
    const named = ofCurrency.map(({ valid_from, rate }) => [dayOfSeconds(valid_from), rate])
    return { [`rates of ${String(currency)}`]: Object.fromEntries(named) }
  },
)
