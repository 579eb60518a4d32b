import { Fault } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as receipts from '../../db/queries/receipts.ts'
import type { Priced } from '../book.ts'
import type { Ending } from '../held.ts'
import { noUsage } from '../usage.ts'
import { readTerms } from './read-receipt.ts'
import { writeReceipt } from './receipt.ts'
import { believable, settleAs } from './settle.ts'

/** A call that left its hold open: who made it, and the price of its admission. */
export type LeftCall = {
  call: Pick<Call, 'id' | 'ip'> & {
    caller: Pick<Call['caller'], 'userId' | 'tokenId' | 'username' | 'tokenName' | 'group'>
  }
  priceId: number
  /** Seconds. */
  createdAt: number
}

/**
 * Charges a call that has ended long ago, by the price of its admission, from whatever process. The answer that is made
 * elsewhere does not change any more, so neither does the charge: the second to come posts nothing.
 */
export const settleLater = async (app: App, left: LeftCall, ending: Ending): Promise<void> => {
  const { call, createdAt } = left
  const priced = await pricedAt(app, left, ending.model)
  const startedAt = app.monotonic() - Math.max(0, app.now() - createdAt * 1_000)
  const usage: Usage = believable(app, ending.usage, noUsage())
  await settleAs(app, { ...call, startedAt }, priced, { ending, usage }, createdAt)
}

const pricedAt = async (app: App, { call, priceId }: LeftCall, model: string): Promise<Priced> => {
  const version = await receipts.findVersion(app.db, priceId)
  if (!version) throw new Fault('server.failed', { detail: `no price version ${priceId}` })
  const { terms, isFree, cost } = readTerms(version.body)
  return { priceId, model, type: terms.type, group: call.caller.group, terms, isFree, cost }
}

/** What was delivered so far: it is charged if nobody ever learns what was really used. */
export const noteDelivered = async (
  app: App,
  left: LeftCall,
  model: string,
  delivered: Usage,
): Promise<void> => {
  const priced = await pricedAt(app, left, model)
  const facts = { usage: delivered, model, estimated: true, finish: 'lost' } as const
  await app.ledger.submit({
    kind: 'checkpoint',
    id: left.call.id,
    accrued: priced.cost(delivered),
    usage: writeReceipt(priced, facts),
    want: 0,
  })
}

/** Nobody will ever know what was used: as after a crash, what was delivered is charged, and the rest given back. */
export const recoverLater = async (app: App, id: number): Promise<void> => {
  await app.ledger.submit({ kind: 'recover', id, at: Math.floor(app.now() / 1000) })
}

/** Gives the hold back: nothing was used. */
export const voidLater = async (app: App, id: number): Promise<void> => {
  await app.ledger.submit({ kind: 'void', id })
}
