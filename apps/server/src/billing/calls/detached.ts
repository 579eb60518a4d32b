import { Fault } from '@hub/contract'
import { noUsage, type Usage } from '@hub/dialects/usage'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as receipts from '../../db/queries/receipts.ts'
import type { CallResult } from '../open-hold.ts'
import type { EffectivePrice } from '../price-cache.ts'
import { readTerms } from './read-receipt.ts'
import { submitCharge, validUsage } from './settle.ts'

/** A call whose hold was left open: its caller, and the price of its admission. */
export type DetachedCall = {
  call: Pick<Call, 'id' | 'ip' | 'session'> & {
    caller: Pick<Call['caller'], 'userId' | 'tokenId' | 'username' | 'tokenName' | 'group'> & {
      /** Absent in calls that an earlier release detached. */
      billingTag?: string | undefined
    }
  }
  priceId: number
  /** Seconds. */
  createdAt: number
}

/** The facts that a row stores of the call that it was detached from. */
export type DetachedDraft = Pick<DetachedCall['call'], 'ip' | 'session'> &
  Omit<DetachedCall['call']['caller'], 'userId' | 'tokenId'>

type DetachedRow = { user_id: number; token_id: number; price_id: number; created_at: number }

/** The call of a row. */
export const detachedCall = (
  id: number,
  { user_id, token_id, price_id, created_at }: DetachedRow,
  { ip, session, username, tokenName, group, billingTag }: DetachedDraft,
): DetachedCall => ({
  call: {
    ...{ id, ip, session },
    caller: { ...{ userId: user_id, tokenId: token_id }, username, tokenName, group, billingTag },
  },
  priceId: price_id,
  createdAt: created_at,
})

/**
 * Charges a background call at the price of its admission, from any process. The finished answer no longer changes, so
 * every process computes the same charge, and only the first one is posted.
 */
export const settleDetached = async (
  app: App,
  detached: DetachedCall,
  result: CallResult,
): Promise<{ charged: number; shortfall: number }> => {
  const { call, createdAt } = detached
  const price = await admissionPrice(app, detached, result.model)
  const startedAt = app.monotonic() - Math.max(0, app.now() - createdAt * 1_000)
  const usage: Usage = validUsage(app, result.usage, noUsage())
  return submitCharge(
    app,
    { ...call, startedAt },
    price,
    { result, usage, counted: usage },
    createdAt,
  )
}

const admissionPrice = async (
  app: App,
  { call, priceId }: DetachedCall,
  model: string,
): Promise<EffectivePrice> => {
  const version = await receipts.findVersion(app.callDb, priceId)
  if (!version) throw new Fault('server.failed', { detail: `no price version ${priceId}` })
  const { terms, ...calculator } = readTerms(version.body)
  return { priceId, model, type: terms.type, group: call.caller.group, terms, ...calculator }
}

/** Charges the last checkpoint of the node that detached the call, as after a crash, because the real usage stays unknown. */
export const recoverDetached = async (app: App, id: number): Promise<void> => {
  await app.ledger.submit({ kind: 'recover', id, at: Math.floor(app.now() / 1000) })
}

/** Releases the hold without a charge. */
export const voidDetached = async (app: App, id: number): Promise<void> => {
  await app.ledger.submit({ kind: 'void', id })
}
