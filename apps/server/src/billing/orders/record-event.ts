import type { GroupChange } from '../../core/accounts/promote-user.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as events from '../../db/queries/order-events.ts'

type RecordedEvent = {
  kind: 'create' | 'notice' | 'query' | 'close' | 'refund' | 'manual' | 'debt' | 'group'
  source: string
  outcome: string
  detail: string
}

/** Stores an exchange, or what followed from one, for the order page. */
export const recordEvent = async (
  app: App,
  tx: Database,
  order: { id: number; gateway_id: number },
  event: RecordedEvent,
): Promise<void> => {
  const { kind, outcome, source, detail } = event
  const row = { order_id: order.id, gateway_id: order.gateway_id, at: nowSeconds(app) }
  await events.insert(tx, {
    ...row,
    kind,
    source: source.slice(0, 200),
    outcome: outcome.slice(0, 64),
    detail: detail.slice(0, 1000),
  })
}

/** Stores that the order has moved its user to another group. */
export const recordGroup = async (
  app: App,
  tx: Database,
  order: { id: number; gateway_id: number },
  change: GroupChange | undefined,
): Promise<void> => {
  if (!change) return
  const detail = JSON.stringify(change)
  await recordEvent(app, tx, order, { kind: 'group', source: '', outcome: 'moved', detail })
}
