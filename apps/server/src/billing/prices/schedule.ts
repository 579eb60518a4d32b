import type { App } from '../../core/app.ts'
import { findNextDue, takeDue } from '../../db/queries/price-schedule.ts'
import { upsert } from '../../db/queries/prices.ts'
import { priceCache } from '../price-cache.ts'

const checkMs = 250
const retryMs = 2_000

/**
 * Applies scheduled prices when they are due. Each node compares the next due time with its own clock. The first node
 * writes the prices and notifies the others. Prices that came due while no node ran are applied at the next start.
 */
export const startPriceSchedule = async (app: App): Promise<{ stop(): Promise<void> }> => {
  let nextDueSeconds = await findNextDue(app.db)
  let applying: Promise<void> | undefined
  /** Monotonic milliseconds. After a failure the next attempt waits. */
  let pausedUntil = 0

  const isDue = () => nextDueSeconds !== undefined && nextDueSeconds * 1000 <= app.now()
  const applyDue = async () => {
    try {
      await applyDuePrices(app)
      nextDueSeconds = await findNextDue(app.db)
    } catch (error) {
      pausedUntil = app.monotonic() + retryMs
      app.log.error({ err: error }, 'scheduled prices could not be applied')
    }
  }
  if (isDue()) await applyDue()

  const check = () => {
    if (!isDue() || app.monotonic() < pausedUntil) return
    applying ??= applyDue().finally(() => {
      applying = undefined
      checkWhileScheduled()
    })
  }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  /** Without a scheduled price nothing wakes the server. */
  const checkWhileScheduled = () => {
    if (nextDueSeconds !== undefined && !isStopped) timer ??= setInterval(check, checkMs).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
  }
  checkWhileScheduled()
  const unsubscribe = app.changes.on('prices', async () => {
    nextDueSeconds = await findNextDue(app.db)
    checkWhileScheduled()
  })
  return {
    stop: async () => {
      isStopped = true
      checkWhileScheduled()
      unsubscribe()
      await applying
    },
  }
}

/**
 * Takes due rows and writes their prices in one transaction, so that each is applied exactly once. Rows come in the order
 * of their times, so that the latest price of a model wins.
 */
const applyDuePrices = async (app: App): Promise<void> => {
  await app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'prices')
    const rows = await takeDue(tx, Math.floor(app.now() / 1000))
    await upsert(tx, [...new Map(rows.map(row => [row.model, row])).values()])
  })
  await priceCache(app).load()
}
