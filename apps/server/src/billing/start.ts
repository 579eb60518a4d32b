import type { App } from '../core/app.ts'
import { liveHolds } from './calls/holds/live-holds.ts'
import { costCache } from './costs/cost-cache.ts'
import { exchangeRates } from './costs/exchange-rates.ts'
import { priceCache } from './price-cache.ts'
import { startPriceSchedule } from './prices/schedule.ts'
import { seedOwners, seedPrices } from './prices/seed.ts'
import { sweep } from './sweep.ts'

const sweepMs = 60_000

/**
 * Called once when the app is built: seeds the built-in lists, loads the price cache and starts a sweep each minute. The
 * sweep is not a job, because only the process itself knows which calls it serves.
 */
export const startBilling = async (app: App): Promise<{ stop(): Promise<void> }> => {
  await seedOwners(app)
  await seedPrices(app)
  const schedule = await startPriceSchedule(app)
  await Promise.all([priceCache(app).load(), costCache(app).load(), exchangeRates(app).load()])

  let sweeping: Promise<void> | undefined
  const runSweep = () => {
    sweeping ??= sweep(app)
      .catch(error => app.log.error({ err: error }, 'the sweep of open holds failed'))
      .finally(() => {
        sweeping = undefined
      })
  }
  const timer = setInterval(runSweep, sweepMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await schedule.stop()
      await sweeping
      // A withheld answer whose hold is not released yet would be charged at its checkpoint after the next start.
      runSweep()
      await sweeping
    },
  }
}

export const addHoldGauges = (app: App) => {
  const holds = liveHolds(app)
  app.metrics.addGauge({
    name: 'hub_open_holds',
    help: 'Holds of calls that run in this process',
    read: () => holds.size,
  })
  app.metrics.addGauge({
    name: 'hub_unsettled_charges',
    help: 'Ends of calls that the ledger refused and that are submitted again each minute',
    read: () => [...holds.values()].filter(each => each.unsettled).length,
  })
}
