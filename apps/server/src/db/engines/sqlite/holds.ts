import type { CheckpointOperation, HoldOperation, HoldRefusal, Outcomes } from '../../operations.ts'
import type { Statements } from './statements.ts'

type Available = { available: number }
type TokenRow = Available & { status: number; expires_at: number }
type AccountRow = Available & { frozen: number }

export const holdSteps = (statements: Statements) => {
  /** Each guard stands inside its statement; only after a refusal is the reason looked up. */
  const reserve = ({ userId, tokenId, amount, at }: HoldOperation): HoldRefusal | undefined => {
    if (statements.holdToken.run(amount, tokenId, userId, at).changes !== 1) {
      const token = statements.findToken.get(tokenId, userId) as TokenRow | undefined
      if (token?.status !== 1) return 'token-disabled'
      const isExpired = token.expires_at !== -1 && token.expires_at <= at
      return isExpired ? 'token-expired' : 'token-exhausted'
    }
    if (statements.holdAccount.run(amount, userId).changes === 1) return
    statements.giveTokenBack.run(amount, tokenId)
    const account = statements.findAccount.get(userId) as AccountRow | undefined
    return account?.frozen === 1 ? 'frozen' : 'balance'
  }

  const takenBy = ({ id, at, idempotency }: HoldOperation) => {
    if (!idempotency) return
    const { keyHash, bodyHash } = idempotency
    if (statements.insertIdempotency.run(keyHash, bodyHash, id, at).changes === 1) return
    const row = statements.findIdempotency.get(keyHash) as { request_id: number; body_hash: string }
    return row.request_id === id ? undefined : row
  }

  const hold = (epoch: number, operation: HoldOperation, replay: boolean): Outcomes['hold'] => {
    const { id, userId, tokenId, amount, priceId, at } = operation
    if (replay && statements.isPosted.get(id)) return { ok: true }
    const made = statements.insertHold.run(id, userId, tokenId, epoch, amount, priceId, at)
    if (made.changes === 0) return { ok: true }
    const other = takenBy(operation)
    const refusal = other ? 'duplicate' : reserve(operation)
    if (!refusal) return { ok: true }
    statements.deleteHold.get(id)
    if (other) {
      return { ok: false, why: refusal, requestId: other.request_id, bodyHash: other.body_hash }
    }
    if (operation.idempotency) statements.deleteIdempotency.run(id)
    return { ok: false, why: refusal }
  }

  const grant = (userId: number, tokenId: number, want: number): number => {
    const account = statements.findAccount.get(userId) as AccountRow | undefined
    const token = statements.findToken.get(tokenId, userId) as TokenRow | undefined
    if (account?.frozen !== 0 || token?.status !== 1) return 0
    return Math.max(0, Math.min(want, account.available, token.available))
  }

  const checkpoint = (epoch: number, operation: CheckpointOperation): Outcomes['checkpoint'] => {
    const { id, accrued, usage, want } = operation
    const row = statements.accrue.get(accrued, usage, id, epoch) as
      | { user_id: number; token_id: number }
      | undefined
    if (!row) return { ok: false, why: 'gone' }
    const granted = want > 0 ? grant(row.user_id, row.token_id, want) : 0
    if (granted > 0) {
      statements.holdToken.run(granted, row.token_id, row.user_id, -1)
      statements.holdAccount.run(granted, row.user_id)
      statements.extendHold.run(granted, id)
    }
    return { ok: true, granted }
  }

  return { hold, checkpoint }
}
