import type { App } from '../core/app.ts'
import * as ledgerRows from '../db/queries/ledger.ts'
import { liveHolds } from './calls/holds/live-holds.ts'
import { submitSettle, submitVoid } from './calls/settle.ts'

/** A younger hold may belong to a call that is starting or ending. */
const leakAgeSeconds = 60

/**
 * Resolves open holds of this process: submits unsettled charges again, and closes leaked holds at their last checkpoint.
 * Safe to run at any time and more than once, because a hold resolves once.
 */
export const sweep = async (app: App): Promise<void> => {
  const live = liveHolds(app)
  for (const { unsettled } of [...live.values()])
    if (unsettled?.kind === 'settle') await submitSettle(app, unsettled).catch(() => undefined)
    else if (unsettled) await submitVoid(app, unsettled).catch(() => undefined)

  const at = Math.floor(app.now() / 1000)
  // A call that detaches its hold writes that to the database first, so the ids are read before the query.
  const liveBefore = new Set(live.keys())
  for (const hold of await ledgerRows.listOpenHolds(app.db, app.ledger.epoch)) {
    if (liveBefore.has(hold.id) || live.has(hold.id) || hold.opened_at > at - leakAgeSeconds)
      continue
    app.log.warn({ request: hold.id, accrued: hold.accrued }, 'a hold was left open')
    await app.ledger.submit({ kind: 'recover', id: hold.id, at })
  }
}
