import { Fault, roles } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { getManageableUser } from './rank.ts'

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
  if (action === 'delete') await removeUser(app, user.id)
  else await changeUser(app, user.id, changeForAction(caller, action))
  const after = action === 'delete' ? { ...user, status: 2 } : await users.find(app.db, user.id)
  const { id, role, status } = users.asUser({ ...user, ...after })
  return { id, role, status }
}

const changeForAction = (caller: SignedInUser, action: Exclude<Action, 'delete'>) => {
  if (action === 'promote' && caller.role !== roles.root) throw new Fault('access.denied')
  return {
    enable: { status: 1 },
    disable: { status: 2 },
    promote: { role: roles.admin },
    demote: { role: roles.user },
  }[action]
}

/** Ends all sessions of the user, so that none continues with the old role or status. */
const changeUser = (app: App, id: number, values: { status?: number; role?: number }) =>
  app.db.transaction().execute(async tx => {
    await users.update(tx, id, values)
    await sessions.endAllOfUser(tx, id)
    await tokens.announceChange(tx, { user_id: id })
  })

/** Renames the row, which logs and ledger refer to, so that the name is free again. Stored responses are deleted. */
export const removeUser = (app: App, id: number) =>
  app.db.transaction().execute(async tx => {
    const suffix = randomText(8).replace(/\W/g, '').slice(0, 6)
    if (!(await users.remove(tx, id, nowSeconds(app), suffix))) throw new Fault('resource.missing')
    await sessions.endAllOfUser(tx, id)
    await localResponses.removeOfUser(tx, id)
    await tokens.announceChange(tx, { user_id: id })
  })
