import {
  idsPerEpoch,
  type Outcomes,
  type RecoverOperation,
  type SettleOperation,
  systemAccounts,
  type VoidOperation,
} from '../../operations.ts'
import type { LogsTable } from '../../tables/trade.ts'
import type { Statements } from './statements.ts'
import type { Sums } from './sums.ts'

/** What is written for one request: at settling, at taking over, or late. */
type Posting = {
  /** The row's id: the request's own, or its negative for `late`. */
  id: number
  kind: 'request' | 'late'
  requestId: number
  userId: number
  tokenId: number
  channelId: number
  priceId: number
  usage: string
  at: number
  /** What is taken from the balance; negative gives back. */
  amount: number
  /** The hold that ends with it. */
  held: number
}

const done = (charged: number, shortfall: number, late: boolean): Outcomes['settle'] => ({
  ok: true,
  charged,
  shortfall,
  late,
})

/** What `deleteHold` answers. */
type Held = [
  userId: number,
  tokenId: number,
  amount: number,
  accrued: number,
  priceId: number,
  usage: string,
]

export const settleSteps = (statements: Statements, sums: Sums) => {
  const endHold = (id: number) => statements.deleteHold.get(id) as Held | undefined

  // `get` where nothing is asked for: what `run` answers is an object that nobody looks at.
  const post = (posting: Posting) => {
    const { id, kind, requestId, userId, tokenId, channelId, amount, at } = posting
    sums.spend(posting, kind === 'request' ? 1 : 0)
    const { priceId, usage } = posting
    const source = String(requestId)
    const to = systemAccounts.revenue
    statements.insertTransfer.get(
      id,
      at,
      kind,
      source,
      userId,
      to,
      amount,
      tokenId,
      channelId,
      priceId,
      usage,
    )
  }

  /** As much of `wanted` as the balance still covers, and what it does not. */
  const cover = (userId: number, wanted: number) => {
    if (wanted <= 0) return { taken: wanted, shortfall: 0 }
    sums.write()
    const row = statements.findAccount.get(userId) as { available: number } | undefined
    const taken = Math.min(wanted, Math.max(0, row?.available ?? 0))
    return { taken, shortfall: wanted - taken }
  }

  const owe = ({ id, userId, at }: SettleOperation, shortfall: number) => {
    if (shortfall > 0) statements.insertShortfall.get(id, userId, shortfall, at)
  }

  const writeLog = (log: LogsTable | null, charged: number) => {
    if (!log) return
    statements.insertLog.get(
      log.id,
      log.user_id,
      log.created_at,
      log.type,
      log.content,
      log.username,
      log.token_name,
      log.model_name,
      charged,
      log.prompt_tokens,
      log.completion_tokens,
      log.channel_id,
      log.request_time,
      log.is_stream,
      log.source_ip,
      log.metadata,
    )
  }

  /** The hold is gone: lost, given back, or taken over. */
  const settleLate = (epoch: number, operation: SettleOperation) => {
    const { id, userId, tokenId, channelId, priceId, usage, at, charge, log } = operation
    const posted = statements.findPosted.get(id) as
      | { amount: number; late: number | null; shortfall: number | null }
      | undefined
    const before = posted ? posted.amount + (posted.late ?? 0) : 0
    const byMe = Math.floor(id / idsPerEpoch) === epoch
    if (posted && (byMe || posted.late !== null || posted.shortfall !== null)) {
      return done(before, posted.shortfall ?? 0, !byMe)
    }
    const { taken: amount, shortfall } = cover(userId, charge - before)
    const row = { requestId: id, userId, tokenId, channelId, priceId, usage, at, amount, held: 0 }
    if (!posted) post({ id, kind: 'request', ...row })
    else if (amount !== 0) post({ id: -id, kind: 'late', ...row })
    owe(operation, shortfall)
    writeLog(log, before + amount)
    return done(before + amount, shortfall, true)
  }

  const settle = (epoch: number, operation: SettleOperation) => {
    const { id, channelId, priceId, usage, at } = operation
    const requestId = id
    const hold = endHold(id)
    if (!hold) return settleLate(epoch, operation)
    const [userId, tokenId, held] = hold
    const { taken, shortfall } = cover(userId, operation.charge - held)
    const amount = held + taken
    const kind = 'request'
    post({ id, kind, requestId, userId, tokenId, channelId, priceId, usage, at, amount, held })
    owe(operation, shortfall)
    writeLog(operation.log, amount)
    return done(amount, shortfall, false)
  }

  const voidHold = ({ id }: VoidOperation): Outcomes['void'] => {
    const hold = endHold(id)
    if (!hold) return { ok: true }
    const [userId, tokenId, held] = hold
    sums.giveBack(userId, tokenId, held)
    statements.deleteIdempotency.get(id)
    return { ok: true }
  }

  /** Which channel served it only its owner knew: the posting says 0. */
  const recover = ({ id, at }: RecoverOperation): Outcomes['recover'] => {
    const hold = endHold(id)
    if (!hold) return { ok: true }
    const [userId, tokenId, held, accrued, priceId, usage] = hold
    if (accrued === 0) {
      sums.giveBack(userId, tokenId, held)
      statements.deleteIdempotency.get(id)
      return { ok: true }
    }
    const amount = Math.min(accrued, held)
    const kind = 'request'
    const requestId = id
    const channelId = 0
    post({ id, kind, requestId, userId, tokenId, channelId, priceId, usage, at, amount, held })
    return { ok: true }
  }

  return { settle, voidHold, recover }
}
