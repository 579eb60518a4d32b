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
  const held = await reserve(app, call, reservation)
  try {
    return await work(held)
  } finally {
    const givingBack = held.release()
    if (givingBack) await givingBack
  }
}

const reserve = (app: App, call: Call, reservation: Reservation): Promise<Held> => {
  const quote = makeQuote(app, call, reservation)
  if (app.ledger.lag() > lagMaxMs) throw new Fault('server.ledger', { retryAfterSeconds: 1 })
  const live = liveHolds(app)
  live.set(call.id, running)
  return app.ledger.submit(holdOf(app, call, reservation, quote)).then(
    outcome => {
      if (outcome.ok) return openHeld(app, call, quote)
      live.delete(call.id)
      return refuse(app, outcome, reservation)
    },
    cause => {
      live.delete(call.id)
      throw cause instanceof Fault
        ? cause
        : new Fault('server.ledger', { cause, retryAfterSeconds: 1 })
    },
  )
}

const holdOf = (
  app: App,
  { id, caller }: Call,
  { idempotency }: Reservation,
  { amount, dearest }: Quote,
): HoldOperation => ({
  kind: 'hold',
  id,
  userId: caller.userId,
  tokenId: caller.tokenId,
  amount,
  priceId: dearest.priceId,
  at: Math.floor(app.now() / 1000),
  idempotency,
})

const codes: Record<Exclude<HoldRefusal, 'duplicate'>, FaultCode> = {
  balance: 'quota.exhausted',
  frozen: 'account.frozen',
  'token-disabled': 'token.disabled',
  'token-expired': 'token.expired',
  'token-exhausted': 'token.exhausted',
}

type Refused = Extract<Outcomes['hold'], { ok: false }>

const refuse = async (app: App, refused: Refused, { idempotency }: Reservation): Promise<never> => {
  if (refused.why !== 'duplicate') throw new Fault(codes[refused.why])
  const isSameBody = refused.bodyHash === undefined || refused.bodyHash === idempotency?.bodyHash
  if (!isSameBody) throw new Fault('request.key-reused')
  const id = refused.requestId
  if (id !== undefined && (await ledgerRows.isOpen(app.db, id)))
    throw new Fault('request.in-progress', { retryAfterSeconds: 1 })
  throw new Fault('request.already-charged', id === undefined ? {} : { hint: `Receipt: ${id}.` })
}
