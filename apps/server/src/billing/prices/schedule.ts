import type { App } from '../../core/app.ts'
import { nextDue, takeDue } from '../../db/queries/price-schedule.ts'
import { put } from '../../db/queries/prices.ts'
import { priceBook } from '../book.ts'

const lookMs = 250
const pauseMs = 2_000

/**
 * Makes scheduled prices current at their moment. Every node keeps the next moment and compares it with its clock; the
 * first one writes, the others hear of it. What came due while no node ran is made current by the first that starts.
 */
export const startSchedule = async (app: App): Promise<{ stop(): Promise<void> }> => {
  let due = await nextDue(app.db)
  let looking: Promise<void> | undefined
  /** After a failure the database is left alone for a while. */
  let pausedUntil = 0

  const isDue = () => due !== undefined && due * 1000 <= app.now()
  const look = async () => {
    try {
      await makeCurrent(app)
      due = await nextDue(app.db)
    } catch (error) {
      pausedUntil = app.monotonic() + pauseMs
      app.log.error({ err: error }, 'scheduled prices could not be made current')
    }
  }
  if (isDue()) await look()

  const forget = app.topics.on('prices', async () => {
    due = await nextDue(app.db)
  })
  const timer = setInterval(() => {
    if (!isDue() || app.monotonic() < pausedUntil) return
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, lookMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      forget()
      await looking
    },
  }
}

/** Taking a row and putting its price in place is one transaction, so it happens once and is never lost. */
const makeCurrent = async (app: App): Promise<void> => {
  await app.db.transaction().execute(async tx => {
    await app.topics.bump(tx, 'prices')
    const rows = await takeDue(tx, Math.floor(app.now() / 1000))
    await put(tx, [...new Map(rows.map(row => [row.model, row])).values()])
  })
  await priceBook(app).load()
}
