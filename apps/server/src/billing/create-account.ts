import { logTypes } from '@hub/contract'
import { type App, nowSeconds } from '../core/app.ts'
import type { HttpContext } from '../core/implement.ts'
import type { Database } from '../db/index.ts'
import * as logs from '../db/queries/logs.ts'
import * as users from '../db/queries/users.ts'
import { makeInviteCode } from '../lib/random.ts'
import { accounts } from './accounts.ts'
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
 * Grants initial quota and rewards. Statements on the inviter come last, because parallel registrations with one
 * invitation wait for the locks on the inviter's rows.
 */
const grantWelcomeQuota = async (
  app: App,
  tx: Database,
  user: Recipient,
  inviter: Recipient | undefined,
  context: HttpContext,
): Promise<void> => {
  const { QuotaForNewUser, QuotaForInviter, QuotaForInvitee } = app.settings().registration
  const logGrant = async (person: Recipient, quota: number, content: string) => {
    if (quota > 0) await logs.insert(tx, logRow(app, person, quota, content, context))
  }
  const reward = async (kind: 'invitee' | 'inviter', person: Recipient, amount: number) => {
    const sides = { debit: accounts.grants, credit: person.id }
    if (amount > 0) await post(app, tx, [{ kind, source, ...sides, amount }])
  }
  const source = `user:${user.id}`

  await logGrant(user, QuotaForNewUser, 'Quota for a new user')
  if (inviter) {
    await logGrant(user, QuotaForInvitee, 'Reward for coming by an invitation')
    await logGrant(inviter, QuotaForInviter, 'Reward for an invitation')
  }
  await openAccount(app, tx, user.id, QuotaForNewUser, source)
  if (!inviter) return
  await reward('invitee', user, QuotaForInvitee)
  await users.countInvited(tx, inviter.id, QuotaForInviter)
  await reward('inviter', inviter, QuotaForInviter)
}

const logRow = (
  app: App,
  person: Recipient,
  quota: number,
  content: string,
  context: HttpContext,
) => ({
  ...logs.emptyCallColumns,
  id: app.ledger.nextId(),
  user_id: person.id,
  created_at: nowSeconds(app),
  type: logTypes.system,
  content,
  username: person.username,
  quota,
  source_ip: context.ip,
})
