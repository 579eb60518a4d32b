import { Fault } from '@hub/contract/faults'
import {
  idsPerEpoch,
  type Outcomes,
  type RecoverOperation,
  type SettleOperation,
  systemAccounts,
  type VoidOperation,
} from '../../operations.ts'
import type { HoldsTable } from '../../tables/ledger.ts'
import type { LogsTable } from '../../tables/trade.ts'
import type { Channels, Statements } from './statements.ts'

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

export const settleSteps = (statements: Statements) => {
  const post = (posting: Posting, channels: Channels) => {
    const { id, kind, requestId, userId, tokenId, channelId, amount, held, at } = posting
    const n = kind === 'request' ? 1 : 0
    if (statements.spendAccount.run(amount, held, n, userId).changes !== 1) {
      throw new Fault('server.failed', { detail: `no account ${userId} for request ${requestId}` })
    }
    statements.spendToken.run(amount, held, at, tokenId)
    const { priceId, usage } = posting
    const source = String(requestId)
    const to = systemAccounts.revenue
    statements.insertTransfer.run(
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
    const sum = channels.get(channelId)
    if (sum) {
      sum.used += amount
      sum.n += n
    } else channels.set(channelId, { used: amount, n })
  }

  /** As much of `wanted` as the balance still covers, and what it does not. */
  const cover = (userId: number, wanted: number) => {
    if (wanted <= 0) return { taken: wanted, shortfall: 0 }
    const row = statements.findAccount.get(userId) as { available: number } | undefined
    const taken = Math.min(wanted, Math.max(0, row?.available ?? 0))
    return { taken, shortfall: wanted - taken }
  }

  const owe = ({ id, userId, at }: SettleOperation, shortfall: number) => {
    if (shortfall > 0) statements.insertShortfall.run(id, userId, shortfall, at)
  }

  const writeLog = (log: LogsTable | null, charged: number) => {
    if (!log) return
    statements.insertLog.run(
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

  const postingOf = (operation: SettleOperation) => {
    const { id, userId, tokenId, channelId, priceId, usage, at } = operation
    return {
      id,
      kind: 'request' as const,
      requestId: id,
      userId,
      tokenId,
      channelId,
      priceId,
      usage,
      at,
    }
  }

  /** The hold is gone: lost, given back, or taken over. */
  const settleLate = (epoch: number, operation: SettleOperation, channels: Channels) => {
    const { id, userId, charge, log } = operation
    const posted = statements.findPosted.get(id) as
      | { amount: number; late: number | null; shortfall: number | null }
      | undefined
    const before = posted ? posted.amount + (posted.late ?? 0) : 0
    const byMe = Math.floor(id / idsPerEpoch) === epoch
    if (posted && (byMe || posted.late !== null || posted.shortfall !== null)) {
      return done(before, posted.shortfall ?? 0, !byMe)
    }
    const { taken, shortfall } = cover(userId, charge - before)
    const posting = { ...postingOf(operation), amount: taken, held: 0 }
    if (!posted) post(posting, channels)
    else if (taken !== 0) post({ ...posting, id: -id, kind: 'late' }, channels)
    owe(operation, shortfall)
    writeLog(log, before + taken)
    return done(before + taken, shortfall, true)
  }

  const settle = (epoch: number, operation: SettleOperation, channels: Channels) => {
    const held = statements.deleteHold.get(operation.id) as HoldsTable | undefined
    if (!held) return settleLate(epoch, operation, channels)
    const { taken, shortfall } = cover(held.user_id, operation.charge - held.amount)
    const charged = held.amount + taken
    const of = { userId: held.user_id, tokenId: held.token_id }
    post({ ...postingOf(operation), ...of, amount: charged, held: held.amount }, channels)
    owe(operation, shortfall)
    writeLog(operation.log, charged)
    return done(charged, shortfall, false)
  }

  const giveBack = ({ id, user_id, token_id, amount }: HoldsTable) => {
    statements.giveTokenBack.run(amount, token_id)
    statements.giveAccountBack.run(amount, user_id)
    statements.deleteIdempotency.run(id)
  }

  const voidHold = ({ id }: VoidOperation): Outcomes['void'] => {
    const held = statements.deleteHold.get(id) as HoldsTable | undefined
    if (held) giveBack(held)
    return { ok: true }
  }

  /** Which channel served it only its owner knew: the posting says 0. */
  const recover = ({ id, at }: RecoverOperation, channels: Channels): Outcomes['recover'] => {
    const held = statements.deleteHold.get(id) as HoldsTable | undefined
    if (held && held.accrued === 0) giveBack(held)
    if (!held || held.accrued === 0) return { ok: true }
    const amount = Math.min(held.accrued, held.amount)
    const { user_id: userId, token_id: tokenId, price_id: priceId, usage } = held
    const of = { userId, tokenId, priceId, usage, channelId: 0, at }
    post({ id, kind: 'request', requestId: id, ...of, amount, held: held.amount }, channels)
    return { ok: true }
  }

  return { settle, voidHold, recover }
}
