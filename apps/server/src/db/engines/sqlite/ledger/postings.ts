import { type SettleOperation, systemAccounts } from '../../../operations.ts'
import type { AttemptCostsTable } from '../../../tables/costs.ts'
import type { LogsTable } from '../../../tables/logs-audit.ts'
import type { BalanceChanges } from './balance-changes.ts'
import type { AccountRow, TokenLimitsRow } from './reservations.ts'
import type { Statements } from './statements.ts'

/** One row of `transfers`: written by a settle, a takeover or a late settle. */
export type Posting = {
  /** The id of the request, or its negative for `late`. */
  id: number
  kind: 'request' | 'late'
  requestId: number
  userId: number
  tokenId: number
  channelId: number
  priceId: number
  usage: string
  at: number
  /** Points taken from the balance; negative for a refund. */
  amount: number
  /** Points of the hold that ends with this posting. */
  held: number
}

export const makePostings = (statements: Statements, changes: BalanceChanges) => {
  const post = (posting: Posting) => {
    const { id, kind, requestId, userId, tokenId, channelId, amount, at } = posting
    changes.charge(posting, kind === 'request' ? 1 : 0)
    const { priceId, usage } = posting
    const source = String(requestId)
    const debit = userId
    const credit = systemAccounts.revenue
    statements.postings.insert.get(
      id,
      at,
      kind,
      source,
      debit,
      credit,
      amount,
      tokenId,
      channelId,
      priceId,
      usage,
    )
  }

  /** Splits an amount into the part that balance and cap cover, and the shortfall. Nothing is written yet. */
  const takeAvailable = (userId: number, tokenId: number, amount: number) => {
    if (amount <= 0) return { taken: amount, shortfall: 0 }
    changes.write()
    const account = statements.accounts.find.get(userId) as AccountRow | undefined
    const token = statements.tokens.find.get(tokenId, userId) as TokenLimitsRow | undefined
    const available = Math.min(account?.available ?? 0, token?.available ?? Number.MAX_SAFE_INTEGER)
    const taken = Math.min(amount, Math.max(0, available))
    return { taken, shortfall: amount - taken }
  }

  const recordShortfall = (
    { id, userId, at }: SettleOperation,
    shortfall: number,
    isUnbounded = false,
  ) => {
    if (shortfall === 0) return
    const kind = isUnbounded ? 'unbounded' : null
    statements.postings.insertShortfall.get(id, userId, shortfall, at, kind)
  }

  const writeLog = (log: LogsTable | null, charge: number) => {
    if (!log) return
    statements.logs.insert.get(
      log.id,
      log.user_id,
      log.created_at,
      log.type,
      log.content,
      log.username,
      log.token_name,
      log.model_name,
      charge,
      log.prompt_tokens,
      log.completion_tokens,
      log.channel_id,
      log.request_time,
      log.is_stream,
      log.source_ip,
      log.metadata,
      log.cost ?? null,
      log.cost_version ?? null,
      log.cost_kind ?? null,
    )
  }

  return {
    post,
    takeAvailable,
    recordShortfall,
    writeLog,
    writeAttempts: attemptWriter(statements),
  }
}

const attemptWriter =
  (statements: Statements) =>
  (attempts: readonly AttemptCostsTable[] = []) => {
    for (const each of attempts)
      statements.logs.insertAttemptCost.get(
        each.call_id,
        each.attempt,
        each.at,
        each.user_id,
        each.token_id,
        each.group_name,
        each.channel_id,
        each.model_name,
        each.cost,
        each.cost_version,
        each.cost_kind,
        each.usage,
      )
  }
