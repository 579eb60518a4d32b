import type { App } from '../core/app.ts'
import * as ledgerRows from '../db/queries/ledger.ts'
import { liveHolds } from './calls/live.ts'
import { submitSettle } from './calls/settle.ts'

/** Younger holds may belong to a call that is just beginning or ending. */
const leakSeconds = 60

/**
 * Resolves what this process left open: charges that could not be written are offered again, and holds that no call
 * answers for are closed at their last checkpoint. Safe to run at any time and twice: a hold resolves once.
 */
export const sweep = async (app: App): Promise<void> => {
  const live = liveHolds(app)
  for (const { unsettled } of [...live.values()])
    if (unsettled) await submitSettle(app, unsettled).catch(() => undefined)

  const at = Math.floor(app.now() / 1000)
  // Who leaves a hold to the background says so in the database first: what ran before the look is not judged by it.
  const running = new Set(live.keys())
  for (const hold of await ledgerRows.openHolds(app.db, app.ledger.epoch)) {
    if (running.has(hold.id) || live.has(hold.id) || hold.opened_at > at - leakSeconds) continue
    app.log.warn({ request: hold.id, accrued: hold.accrued }, 'a hold was left open')
    await app.ledger.submit({ kind: 'recover', id: hold.id, at })
  }
}
