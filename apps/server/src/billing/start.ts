import type { App } from '../core/app.ts'
import { priceBook } from './book.ts'
import { startSchedule } from './prices/schedule.ts'
import { seedOwners, seedPrices } from './prices/seed.ts'
import { sweep } from './sweep.ts'

const sweepMs = 60_000

/**
 * Called once when the app is built: the built-in lists on the first start, then the price book, then a sweep each
 * minute. Every node sweeps for itself, so this is no job: only a process knows which calls it is serving.
 */
export const startBilling = async (app: App): Promise<{ stop(): Promise<void> }> => {
  await seedOwners(app)
  await seedPrices(app)
  const schedule = await startSchedule(app)
  await priceBook(app).load()

  let sweeping: Promise<void> | undefined
  const look = () => {
    sweeping ??= sweep(app)
      .catch(error => app.log.error({ err: error }, 'open holds could not be looked at'))
      .finally(() => {
        sweeping = undefined
      })
  }
  const timer = setInterval(look, sweepMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await schedule.stop()
      await sweeping
    },
  }
}
