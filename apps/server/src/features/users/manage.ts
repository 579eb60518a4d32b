import { Fault, roles } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as kept from '../../db/queries/local-responses.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { getManageableUser } from './rank.ts'

type Action = 'enable' | 'disable' | 'delete' | 'promote' | 'demote'

/** The super administrator is never disabled, deleted, promoted or demoted, not even by another one. */
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

/** Whoever is signed in with the old role or status is not any more. */
const changeUser = (app: App, id: number, values: { status?: number; role?: number }) =>
  app.db.transaction().execute(async tx => {
    await users.update(tx, id, values)
    await sessions.endAllOfUser(tx, id)
    await app.changes.notify(tx, 'users')
  })

/** The row stays for the logs and the ledger, under another name: the old one can be taken again. What they said goes. */
export const removeUser = (app: App, id: number) =>
  app.db.transaction().execute(async tx => {
    const suffix = randomText(8).replace(/\W/g, '').slice(0, 6)
    if (!(await users.remove(tx, id, nowSeconds(app), suffix))) throw new Fault('resource.missing')
    await sessions.endAllOfUser(tx, id)
    await kept.removeOfUser(tx, id)
    await app.changes.notify(tx, 'users')
    await app.changes.notify(tx, 'tokens')
  })
