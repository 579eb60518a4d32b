import { Fault, type NewUser, roles, type User } from '@hub/contract'
import type { z } from 'zod'
import { openAccount } from '../../billing/ledger.ts'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import { requireLowerRole } from '../../core/accounts/rank.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as groups from '../../db/queries/groups.ts'
import * as users from '../../db/queries/users.ts'
import { refuseCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'
import { refuseReservedName } from '../../lib/credentials/reserved-names.ts'
import { makeInviteCode } from '../../lib/random.ts'

/** Creates a user, who must change the password at the first sign-in because an administrator knows it. */
export const createUser = async (
  app: App,
  caller: SignedInUser,
  input: z.output<typeof NewUser>,
): Promise<User> => {
  const { username, password, display_name, avatar_url, role, group, quota } = input
  const email = input.email.toLowerCase()
  requireLowerRole(caller, role)
  if (quota > 0 || role !== roles.user) requireRecentProof(app, caller)
  refuseReservedName(username, { byAdministrator: true })
  refuseCommonPassword(password)
  if (!(await groups.findBySymbol(app.db, group))) throw new Fault('group.unknown')
  if (await users.isTaken(app.db, username)) throw new Fault('resource.exists')
  if (email && (await users.isTaken(app.db, email))) throw new Fault('resource.exists')

  const password_hash = await hashPassword(password)
  const id = await app.db.transaction().execute(async tx => {
    const id = await users.insert(tx, {
      username,
      password_hash,
      display_name: display_name || username,
      role,
      status: 1,
      email,
      avatar_url,
      group,
      aff_code: makeInviteCode(),
      inviter_id: 0,
      created_time: nowSeconds(app),
      last_login_time: 0,
      last_login_ip: '',
      access_token_hash: null,
      must_change_password: 1,
      deleted_at: null,
    })
    await openAccount(app, tx, id, quota, `user:${id}`)
    return id
  })
  return users.asUser((await users.find(app.db, id))!)
}
