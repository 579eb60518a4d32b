import type { ReadAuditedRows } from '../../core/implement.ts'
import * as rows from '../../db/queries/prices.ts'
import { listScheduled } from './schedule.ts'

/** All prices, because lists and undo change many, and the scheduled ones. */
export const auditedPrices: ReadAuditedRows = async app => {
  const prices = (await rows.listAll(app.db)).map(rows.asPrice)
  const scheduled = await listScheduled(app)
  return {
    ...Object.fromEntries(prices.map(price => [price.model, price])),
    ...Object.fromEntries(
      scheduled.map(({ model, at, price }) => [`${model} from ${at}`, { at, ...price }]),
    ),
  }
}
