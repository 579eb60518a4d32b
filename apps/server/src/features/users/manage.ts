import { Fault, roles } from '@hub/contract'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import { getManageableUser } from '../../core/accounts/rank.ts'
import { removeUser } from '../../core/accounts/remove-user.ts'
import type { App } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'

type Action = 'enable' | 'disable' | 'delete' | 'promote' | 'demote'

/** Nobody can disable, delete, promote or demote a super administrator, not even another one. */
export const manageUser = async (
  app: App,
  caller: SignedInUser,
  { username, action }: { username: string; action: Action },
) => {
  const found = await users.findByUsername(app.db, username)
  if (!found) throw new Fault('resource.missing')
  const user = await getManageableUser(app, caller, found.id)
  if (user.role === roles.root) throw new Fault('user.rank')
  if (action === 'promote') requirePromotion(app, caller)
  if (action === 'delete') await removeUser(app, user.id)
  else await changeUser(app, user.id, changeForAction(action))
  const after = action === 'delete' ? { ...user, status: 2 } : await users.find(app.db, user.id)
  const { id, role, status } = users.asUser({ ...user, ...after })
  return { id, role, status }
}

const requirePromotion = (app: App, caller: SignedInUser) => {
  if (caller.role !== roles.root) throw new Fault('access.denied')
  requireRecentProof(app, caller)
}

const changeForAction = (action: Exclude<Action, 'delete'>) =>
  ({
    enable: { status: 1 },
    disable: { status: 2 },
    promote: { role: roles.admin },
    demote: { role: roles.user },
  })[action]

/** Ends all sessions of the user, so that none continues with the old role or status. */
const changeUser = (app: App, id: number, values: { status?: number; role?: number }) =>
  app.db.transaction().execute(async tx => {
    await users.update(tx, id, values)
    await sessions.endAllOfUser(tx, id)
    await tokens.announceChange(tx, { user_id: id })
  })
