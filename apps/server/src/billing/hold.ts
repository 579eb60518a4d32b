import { Fault, type FaultCode } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import type { HoldOperation, HoldRefusal, Outcomes } from '../db/operations.ts'
import * as ledgerRows from '../db/queries/ledger.ts'
import { liveHolds, running } from './calls/live.ts'
import { openHeld } from './calls/settle.ts'
import type { Held, Reservation } from './held.ts'
import { makeQuote, type Quote } from './quote.ts'

/** A writer that is further behind takes no new work: what is running must be able to end. */
const lagMaxMs = 1000

/**
 * Reserves quota, does the work, and gives the reservation back unless the work settled it. The reservation is one
 * guarded statement: no cache is believed about balance, cap, expiry or status.
 */
export const holding = async <T>(
  app: App,
  call: Call,
  reservation: Reservation,
  work: (held: Held) => Promise<T>,
): Promise<T> => {
  const quote = makeQuote(app, call, reservation)
  await hold(app, call, reservation, quote)
  const held = openHeld(app, call, quote)
  try {
    return await work(held)
  } finally {
    const givingBack = held.release()
    if (givingBack) await givingBack
  }
}

const hold = async (app: App, call: Call, reservation: Reservation, quote: Quote) => {
  if (app.ledger.lag() > lagMaxMs) throw new Fault('server.ledger', { retryAfterSeconds: 1 })
  const { caller, id } = call
  const operation: HoldOperation = {
    kind: 'hold',
    id,
    userId: caller.userId,
    tokenId: caller.tokenId,
    amount: quote.amount,
    priceId: quote.dearest.priceId,
    at: Math.floor(app.now() / 1000),
  }
  if (reservation.idempotency) operation.idempotency = reservation.idempotency
  const live = liveHolds(app)
  live.set(id, running)
  let outcome: Outcomes['hold']
  try {
    outcome = await app.ledger.submit(operation)
  } catch (cause) {
    live.delete(id)
    throw cause instanceof Fault
      ? cause
      : new Fault('server.ledger', { cause, retryAfterSeconds: 1 })
  }
  if (outcome.ok) return
  live.delete(id)
  throw await refusal(app, outcome, reservation)
}

const codes: Record<Exclude<HoldRefusal, 'duplicate'>, FaultCode> = {
  balance: 'quota.exhausted',
  frozen: 'account.frozen',
  'token-disabled': 'token.disabled',
  'token-expired': 'token.expired',
  'token-exhausted': 'token.exhausted',
}

type Refused = Extract<Outcomes['hold'], { ok: false }>

const refusal = async (app: App, refused: Refused, { idempotency }: Reservation) => {
  if (refused.why !== 'duplicate') return new Fault(codes[refused.why])
  const isSameBody = refused.bodyHash === undefined || refused.bodyHash === idempotency?.bodyHash
  if (!isSameBody) return new Fault('request.key-reused')
  const id = refused.requestId
  if (id !== undefined && (await ledgerRows.isOpen(app.db, id)))
    return new Fault('request.in-progress', { retryAfterSeconds: 1 })
  return new Fault('request.already-charged', id === undefined ? {} : { hint: `Receipt: ${id}.` })
}
