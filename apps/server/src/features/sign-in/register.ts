import { Fault, logTypes, type Registration } from '@hub/contract'
import type { z } from 'zod'
import { accounts } from '../../billing/accounts.ts'
import { openAccount, post } from '../../billing/ledger.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as logs from '../../db/queries/logs.ts'
import * as users from '../../db/queries/users.ts'
import { refuseCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'
import { refuseReservedName } from '../../lib/credentials/reserved-names.ts'
import { makeInviteCode } from '../../lib/random.ts'

type Recipient = { id: number; username: string }

/**
 * Registers a user by username and password. The user, the initial quota, the rewards and the inviter's counters are one
 * transaction, so that of parallel registrations of a name one succeeds completely and the others have no effect.
 */
export const register = async (
  app: App,
  { username, password, aff_code }: z.output<typeof Registration>,
  context: HttpContext,
): Promise<void> => {
  const { RegisterEnabled, PasswordRegisterEnabled } = app.settings().registration
  if (!RegisterEnabled || !PasswordRegisterEnabled) throw new Fault('registration.closed')
  refuseReservedName(username, { byAdministrator: false })
  refuseCommonPassword(password)
  if (await users.isTaken(app.db, username)) throw new Fault('resource.exists')
  const inviter = aff_code ? await users.findByInviteCode(app.db, aff_code) : undefined

  const password_hash = await hashPassword(password)
  await app.db.transaction().execute(async tx => {
    const id = await users.insertIfFree(tx, {
      username,
      password_hash,
      display_name: username,
      role: 1,
      status: 1,
      email: '',
      avatar_url: '',
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
    if (id === undefined) throw new Fault('resource.exists')
    await grantWelcomeQuota(app, tx, { id, username }, inviter, context)
  })
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
