import { type LogNote, logTypes } from '@hub/contract'
import { type App, nowSeconds } from '../core/app.ts'
import type { HttpContext } from '../core/implement.ts'
import type { Database } from '../db/index.ts'
import * as invitations from '../db/queries/invitations.ts'
import { notedColumns } from '../db/queries/log-notes.ts'
import * as logs from '../db/queries/logs.ts'
import * as users from '../db/queries/users.ts'
import { addressUnit } from '../lib/ip.ts'
import { makeInviteCode } from '../lib/random.ts'
import { accounts } from './accounts.ts'
import { countInvitation } from './invitations/caps.ts'
import { atOnce, giveReward } from './invitations/rewards.ts'
import { openAccount, post } from './ledger.ts'

type Recipient = { id: number; username: string }

type NewAccount = {
  username: string
  /** Empty: the account signs in by a third party only. */
  password_hash: string
  display_name: string
  /** Shown to be the user's; empty if there is none. */
  email: string
  avatar_url: string
}

/**
 * Creates an ordinary user with the initial quota and the rewards of an invitation, in the caller's transaction. Returns
 * undefined if the name or the e-mail address was taken in the meantime.
 */
export const createAccount = async (
  app: App,
  tx: Database,
  account: NewAccount,
  inviter: Recipient | undefined,
  context: HttpContext,
): Promise<number | undefined> => {
  const id = await users.insertIfFree(tx, {
    ...account,
    role: 1,
    status: 1,
    group: 'default',
    aff_code: makeInviteCode(),
    inviter_id: inviter?.id ?? 0,
    created_time: nowSeconds(app),
    last_login_time: 0,
    last_login_ip: '',
    access_token_hash: null,
    must_change_password: 0,
    deleted_at: null,
  })
  if (id === undefined) return undefined
  await grantWelcomeQuota(app, tx, { id, username: account.username }, inviter, context)
  return id
}

/**
 * Grants initial quota and the gifts of an invitation, unless a cap is reached. The inviter is rewarded at once only if
 * the settings say so. Statements on the inviter come last, because parallel registrations with one invitation wait for
 * the locks on the inviter's rows.
 */
const grantWelcomeQuota = async (
  app: App,
  tx: Database,
  user: Recipient,
  inviter: Recipient | undefined,
  context: HttpContext,
): Promise<void> => {
  const { QuotaForNewUser } = app.settings().registration
  const logGrant = async (person: Recipient, quota: number, note: LogNote) => {
    if (quota > 0) await logs.insert(tx, logRow(app, person, quota, note, context))
  }
  const source = `user:${user.id}`

  await logGrant(user, QuotaForNewUser, 'new_user')
  const invitation = inviter && (await makeInvitation(app, tx, user.id, inviter.id, context.ip))
  const given = invitation?.gift_given ?? 0
  await logGrant(user, given, 'invited')
  await openAccount(app, tx, user.id, QuotaForNewUser, source)
  if (!inviter || !invitation) return
  const [debit, kind] = [accounts.grants, 'invitee' as const]
  if (given > 0) await post(app, tx, [{ kind, source, debit, credit: user.id, amount: given }])
  await users.countInvited(tx, inviter.id)
  if (invitation.state === 'waiting' && isAtOnce(app, invitation))
    await post(app, tx, await giveReward(app, tx, invitation, ['waiting'], atOnce))
}

/** The time of the reward; an invitation without a reward has nothing to wait for. */
const isAtOnce = (app: App, { reward }: { reward: number }): boolean =>
  reward === 0 || app.settings().registration.InviterRewardTime === 'at_once'

/** Stores the invitation with what it promises, and counts it against the caps. */
const makeInvitation = async (
  app: App,
  tx: Database,
  userId: number,
  inviterId: number,
  ip: string,
) => {
  const { QuotaForInviter: reward, QuotaForInvitee: gift } = app.settings().registration
  const now = nowSeconds(app)
  const promises = reward > 0 || gift > 0
  const cap = promises ? await countInvitation(app, tx, { inviterId, ip }, now) : undefined
  const row = {
    ...{ user_id: userId, inviter_id: inviterId, address: addressUnit(ip), created_at: now },
    ...{ state: cap ? ('withheld' as const) : ('waiting' as const), reason: cap ?? '' },
    ...{ gift, gift_given: cap ? 0 : gift, reward, reward_given: 0, moves: 0 },
    ...{ funded_at: null, decided_at: null, decided_by: '' },
  }
  await invitations.insert(tx, row)
  return row
}

const logRow = (
  app: App,
  person: Recipient,
  quota: number,
  note: LogNote,
  context: HttpContext,
) => ({
  ...logs.emptyCallColumns,
  id: app.ledger.nextId(),
  user_id: person.id,
  created_at: nowSeconds(app),
  type: logTypes.system,
  ...notedColumns(note),
  username: person.username,
  quota,
  source_ip: context.ip,
})
