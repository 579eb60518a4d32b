import type { CheckpointOperation, HoldOperation, HoldRefusal, Outcomes } from '../../operations.ts'
import type { Statements } from './statements.ts'

type Available = { available: number }
type TokenRow = Available & { status: number; expires_at: number }
type AccountRow = Available & { frozen: number }
type HoldOutcome = Outcomes['hold']

/** What several holds of one token need at once; its time is that of the latest. */
type Need = { userId: number; tokenId: number; amount: number; at: number }

export const holdSteps = (statements: Statements) => {
  const holdToken = ({ userId, tokenId, amount, at }: Need): boolean =>
    statements.holdToken.run(amount, tokenId, userId, at).changes === 1

  const holdAccount = (userId: number, amount: number): boolean =>
    statements.holdAccount.run(amount, userId).changes === 1

  /** Each guard stands inside its statement; only after a refusal is the reason looked up. */
  const reserve = (need: Need): HoldRefusal | undefined => {
    const { userId, tokenId, amount, at } = need
    if (!holdToken(need)) {
      const token = statements.findToken.get(tokenId, userId) as TokenRow | undefined
      if (token?.status !== 1) return 'token-disabled'
      const isExpired = token.expires_at !== -1 && token.expires_at <= at
      return isExpired ? 'token-expired' : 'token-exhausted'
    }
    if (holdAccount(userId, amount)) return
    statements.giveTokenBack.get(amount, tokenId)
    const account = statements.findAccount.get(userId) as AccountRow | undefined
    return account?.frozen === 1 ? 'frozen' : 'balance'
  }

  /** All or nothing, a statement for each token and one for the account: what fits together fits one by one too. */
  const reserveTogether = (holds: readonly HoldOperation[]): boolean => {
    const { userId } = holds[0]!
    const needs = needsOf(holds)
    let total = 0
    for (const { amount } of needs) total += amount
    // Such sums no balance covers, and no column holds.
    if (!Number.isSafeInteger(total)) return false
    let held = 0
    while (held < needs.length && holdToken(needs[held]!)) held++
    if (held === needs.length && holdAccount(userId, total)) return true
    for (const { amount, tokenId } of needs.slice(0, held))
      statements.giveTokenBack.get(amount, tokenId)
    return false
  }

  const takenBy = ({ id, at, idempotency }: HoldOperation) => {
    if (!idempotency) return
    const { keyHash, bodyHash } = idempotency
    if (statements.insertIdempotency.run(keyHash, bodyHash, id, at).changes === 1) return
    const row = statements.findIdempotency.get(keyHash) as { request_id: number; body_hash: string }
    return row.request_id === id ? undefined : row
  }

  /** Whether it is new: what is there already was asked for before, and got what it asked for. */
  const open = (epoch: number, operation: HoldOperation, replay: boolean): boolean => {
    const { id, userId, tokenId, amount, priceId, at } = operation
    if (replay && statements.isPosted.get(id)) return false
    return statements.insertHold.run(id, userId, tokenId, epoch, amount, priceId, at).changes === 1
  }

  /** What was opened, reserved by itself. */
  const reserveOne = (operation: HoldOperation): HoldOutcome => {
    const { id } = operation
    const other = takenBy(operation)
    const refusal = other ? 'duplicate' : reserve(operation)
    if (!refusal) return done
    statements.deleteHold.get(id)
    if (other)
      return { ok: false, why: refusal, requestId: other.request_id, bodyHash: other.body_hash }
    if (operation.idempotency) statements.deleteIdempotency.get(id)
    return { ok: false, why: refusal }
  }

  /** In the order of the operations: where not all of a user's fit, the first ones do. */
  const holdAll = (
    epoch: number,
    operations: readonly HoldOperation[],
    replay: boolean,
  ): HoldOutcome[] => {
    const opened = operations.filter(each => open(epoch, each, replay))
    const refused = new Map<number, HoldOutcome>()
    for (const ofUser of byUser(opened)) {
      const isTogether = ofUser.length > 1 && !ofUser.some(each => each.idempotency)
      if (isTogether && reserveTogether(ofUser)) continue
      for (const each of ofUser) {
        const outcome = reserveOne(each)
        if (!outcome.ok) refused.set(each.id, outcome)
      }
    }
    return operations.map(({ id }) => refused.get(id) ?? done)
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

  return { holdAll, checkpoint }
}

const done: HoldOutcome = { ok: true }

const byUser = (holds: readonly HoldOperation[]) => Map.groupBy(holds, each => each.userId).values()

const needsOf = (holds: readonly HoldOperation[]): Need[] => {
  const needs = new Map<number, Need>()
  for (const { userId, tokenId, amount, at } of holds) {
    const need = needs.get(tokenId)
    if (need) {
      need.amount += amount
      need.at = Math.max(need.at, at)
    } else needs.set(tokenId, { userId, tokenId, amount, at })
  }
  return [...needs.values()]
}
