import { type LogNote, logTypes } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as balances from '../../db/queries/accounts.ts'
import * as invitations from '../../db/queries/invitations.ts'
import { notedColumns } from '../../db/queries/log-notes.ts'
import * as logs from '../../db/queries/logs.ts'
import * as users from '../../db/queries/users.ts'
import { accounts } from '../accounts.ts'
import type { Transfer } from '../ledger.ts'

type Decision = { by: string; reason: string }
/** After a top-up. */
const byRules: Decision = { by: '', reason: '' }
/** At the registration: no decision followed. */
export const atOnce = 'at-once'

/**
 * Locks a user and then the inviter, before the rows of orders, topics and accounts. Inviters sign up before their
 * invited users, so that no two transactions wait for each other.
 */
export const lockWithInviter = async (tx: Database, userId: number): Promise<void> => {
  await users.lock(tx, userId)
  const invitation = await invitations.find(tx, userId)
  if (invitation) await users.lock(tx, invitation.inviter_id)
}

/**
 * Gives what an invitation promised and did not give yet: of parallel attempts one does. Returns the postings, which the
 * caller posts last in this transaction. The caller holds the locks of both users.
 */
export const giveReward = async (
  app: App,
  tx: Database,
  row: invitations.InvitationRow,
  from: readonly invitations.InvitationRow['state'][],
  decision: Decision | typeof atOnce = byRules,
): Promise<Transfer[]> => {
  const { user_id, inviter_id, gift, gift_given, reward, reward_given, moves } = row
  const inviter = await users.find(tx, inviter_id)
  const invited = await users.find(tx, user_id)
  if (inviter?.status !== 1 || invited?.status !== 1) return []
  const isMoved = reward > reward_given
  const { by, reason } = decision === atOnce ? byRules : decision
  const decided_at = decision === atOnce ? null : nowSeconds(app)
  const change = {
    ...{ state: 'given' as const, reason, gift_given: gift, reward_given: reward },
    ...{ moves: moves + Number(isMoved), decided_at, decided_by: by },
  }
  if (!(await invitations.move(tx, user_id, from, change))) return []
  const postings: Transfer[] = []
  const sides = (credit: number, amount: number) => ({ debit: accounts.grants, credit, amount })
  if (gift > gift_given) {
    const source = `user:${user_id}`
    postings.push({ kind: 'invitee', source, ...sides(user_id, gift - gift_given) })
    await logGift(app, tx, invited, gift, 'invited')
  }
  if (isMoved) {
    const amount = reward - reward_given
    const source = rewardSource(row)
    postings.push({ kind: 'inviter', source, ...sides(inviter_id, amount) })
    await users.addReward(tx, inviter_id, amount)
    await logGift(app, tx, inviter, amount, 'inviter')
  }
  return postings
}

/**
 * Withholds a reward: one that waits is not given, and one that was given is taken back up to the free balance. The rest
 * is no debt, since the inviter did not return the payment.
 */
export const withholdReward = async (
  app: App,
  tx: Database,
  row: invitations.InvitationRow,
  from: readonly invitations.InvitationRow['state'][],
  { by, reason }: Decision,
): Promise<Transfer[]> => {
  const { user_id, inviter_id, reward_given, moves } = row
  // Locks the account, so that the balance stays until the posting.
  await balances.change(tx, inviter_id, 0)
  const account = await balances.find(tx, inviter_id)
  const amount = Math.min(reward_given, account ? account.balance - account.held : 0)
  const change = {
    ...{ state: 'withheld' as const, reason, reward_given: reward_given - amount },
    ...{ moves: moves + Number(amount > 0), decided_at: nowSeconds(app), decided_by: by },
  }
  if (!(await invitations.move(tx, user_id, from, change)) || amount === 0) return []
  await users.addReward(tx, inviter_id, -amount)
  const inviter = await users.find(tx, inviter_id)
  if (inviter) await logGift(app, tx, inviter, -amount, 'inviter_returned')
  const source = rewardSource(row)
  return [{ kind: 'inviter', source, debit: inviter_id, credit: accounts.grants, amount }]
}

/** The first posting has the source that it had before rewards could return. */
const rewardSource = ({ user_id, moves }: invitations.InvitationRow): string =>
  moves === 0 ? `user:${user_id}` : `user:${user_id}:${moves}`

/** After a payment, if rewards are given then. Call it before topics and accounts are locked. */
export const rewardAfterPayment = async (
  app: App,
  tx: Database,
  userId: number,
): Promise<Transfer[]> => {
  await invitations.markFunded(tx, userId, nowSeconds(app))
  const { InviterRewardTime } = app.settings().registration
  const row = await invitations.find(tx, userId)
  if (row?.state !== 'waiting' || InviterRewardTime === 'spending') return []
  return giveReward(app, tx, row, ['waiting'])
}

/**
 * After a refund or dispute left the invited user without any payment, the reward goes; after a dispute that was won it
 * returns. `paid`: the points of the user's top-ups, without what was returned.
 */
export const alignReward = async (
  app: App,
  tx: Database,
  userId: number,
  paid: number,
): Promise<Transfer[]> => {
  const row = await invitations.find(tx, userId)
  if (row?.state === 'given' && isForTopUp(row) && paid <= 0)
    return withholdReward(app, tx, row, ['given'], { by: '', reason: 'returned' })
  if (row?.state === 'withheld' && row.reason === 'returned' && paid > 0)
    return giveReward(app, tx, row, ['withheld'])
  return []
}

/** True for a reward that the rules gave after a top-up; not for one that was given at the registration or by hand. */
const isForTopUp = ({ funded_at, decided_at, decided_by }: invitations.InvitationRow): boolean =>
  funded_at !== null && decided_at !== null && decided_by === ''

const logGift = async (
  app: App,
  tx: Database,
  { id, username }: { id: number; username: string },
  quota: number,
  note: LogNote,
): Promise<void> =>
  logs.insert(tx, {
    ...logs.emptyCallColumns,
    id: app.ledger.nextId(),
    user_id: id,
    created_at: nowSeconds(app),
    type: logTypes.system,
    ...notedColumns(note),
    username,
    quota,
    source_ip: '',
  })
