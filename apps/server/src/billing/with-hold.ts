import { Fault, type FaultCode } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import {
  type HoldOperation,
  type HoldRefusal,
  notStartedHint,
  type Outcomes,
  unboundedHolds,
} from '../db/operations.ts'
import * as balances from '../db/queries/accounts.ts'
import * as debts from '../db/queries/debts.ts'
import * as ledgerRows from '../db/queries/ledger.ts'
import { liveHolds, unsettledNothing } from './calls/live-holds.ts'
import { trackHold } from './calls/settle.ts'
import type { OpenHold, Reservation } from './open-hold.ts'
import { makeQuote, type Quote } from './quote.ts'

/** Above this lag of the ledger writer new calls are refused, so that running calls can settle. */
const lagMaxMs = 1000

/**
 * Reserves quota, runs `work` with the hold, and releases the hold unless `work` settled it. The reservation is one
 * guarded statement, so no cache decides about balance, cap, expiry or status.
 */
export const withHold = async <T>(
  app: App,
  call: Call,
  reservation: Reservation,
  work: (hold: OpenHold) => Promise<T>,
): Promise<T> => {
  const hold = await reserve(app, call, reservation)
  try {
    return await work(hold)
  } finally {
    const releasing = hold.release()
    if (releasing) await releasing
  }
}

const reserve = (app: App, call: Call, reservation: Reservation): Promise<OpenHold> =>
  reservation.assumedTokens
    ? reserveAssumed(app, call, reservation, reservation.assumedTokens)
    : openHold(app, call, makeQuote(app, call, reservation), reservation.idempotency)

/** Holds the assumed tokens too, or else what is known, as the payer's only call without a bound. */
const reserveAssumed = async (
  app: App,
  call: Call,
  reservation: Reservation,
  assumedTokens: number,
): Promise<OpenHold> => {
  const { idempotency } = reservation
  const known = makeQuote(app, call, reservation)
  const promptTokens = reservation.promptTokens + assumedTokens
  const assumed = makeQuote(app, call, { ...reservation, promptTokens })
  // Tokens cost nothing at a price per call.
  if (assumed.amount === known.amount) return openHold(app, call, known, idempotency)
  try {
    return await openHold(app, call, { ...assumed, unbounded: unboundedHolds.assumed }, idempotency)
  } catch (error) {
    const isShort = error instanceof Fault && shortCodes.has(error.code)
    if (!isShort) throw error
    return openHold(app, call, { ...known, unbounded: unboundedHolds.alone }, idempotency)
  }
}

const shortCodes: ReadonlySet<FaultCode> = new Set([
  'quota.held',
  'quota.exhausted',
  'token.exhausted',
])

/** Reserves the amount of a quote. The caller settles, detaches or releases the hold. */
export const openHold = (
  app: App,
  call: Call,
  quote: Quote,
  idempotency?: Reservation['idempotency'],
): Promise<OpenHold> => {
  if (app.ledger.lag() > lagMaxMs)
    throw new Fault('server.ledger', { hint: notStartedHint, retryAfterSeconds: 1 })
  const live = liveHolds(app)
  live.set(call.id, unsettledNothing)
  return app.ledger.submit(holdOperation(app, call, quote, idempotency)).then(
    outcome => {
      if (outcome.ok) return trackHold(app, call, quote)
      live.delete(call.id)
      return refuse(app, call.caller.userId, outcome, idempotency)
    },
    cause => {
      live.delete(call.id)
      throw cause instanceof Fault
        ? cause
        : new Fault('server.ledger', { cause, retryAfterSeconds: 1 })
    },
  )
}

const holdOperation = (
  app: App,
  { id, caller }: Call,
  { amount, mostExpensive, unbounded }: Quote,
  idempotency: Reservation['idempotency'],
): HoldOperation => ({
  kind: 'hold',
  id,
  userId: caller.userId,
  tokenId: caller.tokenId,
  amount,
  priceId: mostExpensive.priceId,
  at: Math.floor(app.now() / 1000),
  unbounded,
  idempotency,
})

const refusalCodes: Record<Exclude<HoldRefusal, 'duplicate' | 'held' | 'frozen'>, FaultCode> = {
  balance: 'quota.exhausted',
  'token-disabled': 'token.disabled',
  'token-expired': 'token.expired',
  'token-exhausted': 'token.exhausted',
}

type RefusedHold = Extract<Outcomes['hold'], { ok: false }>

const refuse = async (
  app: App,
  userId: number,
  refused: RefusedHold,
  idempotency: Reservation['idempotency'],
): Promise<never> => {
  if (refused.why === 'held')
    throw new Fault('quota.held', {
      hint: `Points held by running calls: ${refused.held ?? 0}.`,
      retryAfterSeconds: 1,
    })
  if (refused.why === 'frozen') throw await frozenFault(app, userId)
  if (refused.why !== 'duplicate') throw new Fault(refusalCodes[refused.why])
  const isSameBody = refused.bodyHash === undefined || refused.bodyHash === idempotency?.bodyHash
  if (!isSameBody) throw new Fault('request.key_reused')
  const id = refused.requestId
  if (id !== undefined && (await ledgerRows.isOpen(app.callDb, id)))
    throw new Fault('request.in_progress', { retryAfterSeconds: 1 })
  throw new Fault('request.already_charged', id === undefined ? {} : { hint: `Receipt: ${id}.` })
}

/** An account that a debt has frozen can free itself, so its owner is told how. */
const frozenFault = async (app: App, userId: number): Promise<Fault> => {
  const account = await balances.find(app.callDb, userId)
  if (account?.frozen_by_debt !== 1) return new Fault('account.frozen')
  const points = await debts.sumOpen(app.callDb, userId)
  return new Fault('account.debt', { hint: `Points owed: ${points}.` })
}
