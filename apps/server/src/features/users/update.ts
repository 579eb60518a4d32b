import { Fault, type User, type UserPatch } from '@hub/contract'
import type { z } from 'zod'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import { getManageableUser, requireLowerRole } from '../../core/accounts/rank.ts'
import type { App } from '../../core/app.ts'
import { definedOnly } from '../../core/crud.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import type { CredentialChange } from '../../core/sign-in/emails.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import * as groups from '../../db/queries/groups.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { refuseCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'
import { refuseReservedName } from '../../lib/credentials/reserved-names.ts'

type Patch = z.output<typeof UserPatch>

/** Changes a user, and tells the owner about another password, address or name. */
export const updateUser = async (
  app: App,
  caller: SignedInUser,
  patch: Patch,
  context: HttpContext,
): Promise<User> => {
  const user = await getManageableUser(app, caller, patch.id)
  if (patch.status !== undefined && patch.status !== user.status)
    throw new Fault('request.unknown_field', {
      hint: '`status`: POST /api/user/manage enables and disables a user.',
    })
  const changesRole = patch.role !== undefined && patch.role !== user.role
  if (changesRole && user.id === caller.userId) throw new Fault('user.rank')
  if (changesRole) requireLowerRole(caller, patch.role!)
  if (changesRole) requireRecentProof(app, caller)
  if (patch.username !== undefined && patch.username !== user.username)
    refuseReservedName(patch.username, { byAdministrator: true })
  if (patch.password) refuseCommonPassword(patch.password)
  await refuseTaken(app, user, patch)

  const { username, display_name, avatar_url, role, group, password } = patch
  const email = patch.email?.toLowerCase()
  const passwordHash = password ? await hashPassword(password) : undefined
  await app.db.transaction().execute(async tx => {
    await users.update(tx, user.id, {
      ...definedOnly({ username, display_name, avatar_url, email, role }),
      ...(group !== undefined && group !== user.group && chosenGroup(group)),
    })
    if (passwordHash) await users.setPassword(tx, user.id, passwordHash, { mustChange: true })
    if (changesRole) await sessions.endAllOfUser(tx, user.id)
    for (const change of credentialChanges(user, { username, email, password }))
      await notifyOwner(app, tx, user, change, context)
    await tokens.announceChange(tx, { user_id: user.id })
  })
  return users.asUser((await users.find(app.db, user.id))!)
}

/** A group that an administrator chose is no promotion: no top-up changes it, and no refund takes it back. */
const chosenGroup = (group: string) => ({ group, promoted_from: null, promoted_to: null })

type Credentials = Pick<Patch, 'username' | 'email' | 'password'>

const credentialChanges = (
  user: users.UserRow,
  { username, email, password }: Credentials,
): CredentialChange[] => [
  ...(password ? (['password'] as const) : []),
  ...(email !== undefined && email !== user.email ? (['email'] as const) : []),
  ...(username !== undefined && username !== user.username ? (['username'] as const) : []),
]

const refuseTaken = async (app: App, user: users.UserRow, patch: Patch) => {
  const { username, email, group } = patch
  const isOther = (text: string | undefined, now: string) => text !== undefined && text !== now
  if (isOther(username, user.username) && (await users.isTaken(app.db, username!, user.id)))
    throw new Fault('resource.exists')
  if (email && (await users.isTaken(app.db, email, user.id))) throw new Fault('resource.exists')
  if (isOther(group, user.group) && !(await groups.findBySymbol(app.db, group!)))
    throw new Fault('group.unknown')
}
