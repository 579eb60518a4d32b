import { Fault, type FaultCode, type RefusalFigures } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import {
  type HoldOperation,
  type HoldRefusal,
  notStartedHint,
  type Outcomes,
} from '../../db/operations.ts'
import * as balances from '../../db/queries/accounts.ts'
import * as debts from '../../db/queries/debts.ts'
import * as ledgerRows from '../../db/queries/ledger.ts'
import * as tokenSpend from '../../db/queries/token-spend.ts'
import type { OpenHold, Reservation } from '../open-hold.ts'
import type { Quote } from '../quote.ts'
import { liveHolds, unsettledNothing } from './holds/live-holds.ts'
import { trackHold } from './settle.ts'

/** Above this lag of the ledger writer new calls are refused, so that running calls can settle. */
const lagMaxMs = 1000

/** Reserves the amount of a quote. The caller settles, detaches or releases the hold. */
export const openHold = (
  app: App,
  call: Call,
  quote: Quote,
  idempotency?: Reservation['idempotency'],
): Promise<OpenHold> =>
  submitHold(app, call, quote, idempotency).then(
    () => trackHold(app, call, quote),
    async cause => {
      throw await withFigures(app, call, quote, cause)
    },
  )

/** Adds to a refusal what the call needed and what was there, for its log row. */
const withFigures = async (
  app: App,
  call: Call,
  quote: Quote,
  cause: unknown,
): Promise<unknown> => {
  if (!isExhausted(cause)) return cause
  return new Fault(cause.code, { data: await exhaustedFigures(app, call, [quote]), cause })
}

/** Tells whether balance or cap are too small for the call, even if no other call held a part of them. */
export const isExhausted = (error: unknown): error is Fault =>
  error instanceof Fault && (error.code === 'quota.exhausted' || error.code === 'token.exhausted')

/** Tells whether only other holds of the payer keep the call out. */
export const isHeld = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'quota.held'

type ExhaustedFigures = RefusalFigures & { available: number }

/** The points that balance and cap leave, and those of the cheapest quote. */
export const exhaustedFigures = async (
  app: App,
  { caller }: Call,
  quotes: readonly Pick<Quote, 'amount'>[],
): Promise<ExhaustedFigures> => {
  const [account, token] = await Promise.all([
    balances.find(app.callDb, caller.userId),
    tokenSpend.find(app.callDb, caller.tokenId),
  ])
  const balance = account ? account.balance - account.held : 0
  const cap = token?.cap == null ? balance : token.cap - token.used - token.held
  const needed = Math.min(...quotes.map(each => each.amount))
  return { needed, available: Math.max(0, Math.min(balance, cap)) }
}

/** Makes the hold durable. Rejects with the reason of a refusal. */
export const submitHold = (
  app: App,
  call: Call,
  quote: Quote,
  idempotency?: Reservation['idempotency'],
): Promise<void> => {
  if (app.ledger.lag() > lagMaxMs)
    throw new Fault('server.ledger', { hint: notStartedHint, retryAfterSeconds: 1 })
  const live = liveHolds(app)
  live.set(call.id, unsettledNothing)
  return app.ledger.submit(holdOperation(app, call, quote, idempotency)).then(
    outcome => {
      if (outcome.ok) return
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
