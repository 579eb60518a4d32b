import { Fault, type Price, type ScheduledPrice } from '@hub/contract'
import { columnsOf } from '../../billing/prices/columns.ts'
import { requireFreePrices } from '../../billing/prices/write-prices.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as waiting from '../../db/queries/price-schedule.ts'
import * as prices from '../../db/queries/prices.ts'

export const listScheduled = async (app: App): Promise<ScheduledPrice[]> =>
  (await waiting.listScheduled(app.db)).map(({ model, at, price }) => ({
    model,
    at,
    price: prices.asPrice(JSON.parse(price)),
  }))

type ScheduleInput = { models: string[]; price: Price; at: number }

/** Stores prices that start at a given time. The notification lets every node set its timer. */
export const schedule = async (
  app: App,
  caller: SignedInUser,
  { models, price, at }: ScheduleInput,
): Promise<void> => {
  const now = nowSeconds(app)
  if (at <= now) throw new Fault('request.invalid', { hint: '`at`: must be in the future.' })
  const rows = [...new Set(models)].map(model => ({
    model,
    at,
    price: JSON.stringify(columnsOf({ ...price, model })),
    created_at: now,
  }))
  await app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'prices')
    const stored = await prices.listAll(tx)
    const changed = models.map(model => columnsOf({ ...price, model }))
    requireFreePrices(app, caller, stored, [...stored, ...changed])
    await waiting.schedule(tx, rows)
  })
}

export const unschedule = async (app: App, model: string, at: number): Promise<void> => {
  await app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'prices')
    if (!(await waiting.unschedule(tx, model, at))) throw new Fault('resource.missing')
  })
}
