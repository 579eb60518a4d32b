import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { Database } from '../db/index.ts'
import * as rows from '../db/queries/accounts.ts'
import { accounts, type TransferKind } from './accounts.ts'

/** Moves points between accounts. System accounts have negative ids. */
export type Transfer = {
  kind: TransferKind
  /** Idempotency key, such as `user:7`, unique within the kind: posting it again does nothing. */
  source: string
  /** The account that pays. */
  debit: number
  /** The account that receives. */
  credit: number
  /** Points: a positive safe integer. */
  amount: number
  /** Stored as JSON: a remark, the actor. */
  note?: Record<string, unknown>
}

/**
 * Moves quota inside a feature's own transaction. Returns how many transfers were new; one that was posted before moves
 * nothing. Call it last in the transaction: it locks account rows in the order of their ids, so that transactions cannot
 * deadlock. Throws `quota.below_zero` for a debit beyond the free balance, `resource.missing` for an unknown user, and
 * `request.invalid` for an invalid amount or equal accounts.
 */
export const post = async (app: App, tx: Database, transfers: Transfer[]): Promise<number> => {
  const changes = new Map<number, number>()
  let posted = 0
  for (const transfer of transfers) {
    if (!(await record(app, tx, transfer))) continue
    posted += 1
    add(changes, transfer.debit, -transfer.amount)
    add(changes, transfer.credit, transfer.amount)
  }
  for (const [userId, change] of [...changes].sort(([a], [b]) => a - b)) {
    // System accounts have no row. Their balance is a sum over transfers.
    if (userId < 0 || change === 0) continue
    if (await rows.change(tx, userId, change)) continue
    throw new Fault((await rows.exists(tx, userId)) ? 'quota.below_zero' : 'resource.missing')
  }
  return posted
}

/** Opens the account of a new user with its first quota. `source` names the user, so the quota is granted once. */
export const openAccount = async (
  app: App,
  tx: Database,
  userId: number,
  quota: number,
  source: string,
): Promise<void> => {
  await rows.open(tx, userId)
  if (quota === 0) return
  const { grants } = accounts
  await post(app, tx, [{ kind: 'grant', source, debit: grants, credit: userId, amount: quota }])
}

/** Refuses new holds from now on; the SQL statement that opens a hold checks the flag. Running calls still settle. */
export const freezeAccount = (tx: Database, userId: number): Promise<void> =>
  rows.setFrozen(tx, userId, 1)

export const thawAccount = (tx: Database, userId: number): Promise<void> =>
  rows.setFrozen(tx, userId, 0)

const record = (app: App, tx: Database, transfer: Transfer): Promise<boolean> => {
  const { kind, source, debit, credit, amount, note } = transfer
  if (!Number.isSafeInteger(amount) || amount <= 0 || debit === credit)
    throw new Fault('request.invalid', { hint: 'The amount is out of bounds.' })
  return rows.record(tx, {
    id: app.ledger.nextId(),
    at: Math.floor(app.now() / 1000),
    kind,
    source,
    debit,
    credit,
    amount,
    token_id: 0,
    channel_id: 0,
    price_id: 0,
    usage: JSON.stringify(note ?? {}),
  })
}

const add = (changes: Map<number, number>, account: number, change: number): void => {
  changes.set(account, (changes.get(account) ?? 0) + change)
}
