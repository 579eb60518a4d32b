import { Fault, roles } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { SignedIn } from '../../core/implement.ts'
import * as kept from '../../db/queries/kept.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { getOutranked } from './rank.ts'

type Action = 'enable' | 'disable' | 'delete' | 'promote' | 'demote'

/** The super administrator is never disabled, deleted, promoted or demoted, not even by another one. */
export const manageUser = async (
  app: App,
  caller: SignedIn,
  { username, action }: { username: string; action: Action },
) => {
  const found = await users.findByUsername(app.db, username)
  if (!found) throw new Fault('resource.missing')
  const user = await getOutranked(app, caller, found.id)
  if (user.role === roles.root) throw new Fault('user.rank')
  if (action === 'delete') await removeUser(app, user.id)
  else await change(app, user.id, changeFor(caller, action))
  const after = action === 'delete' ? { ...user, status: 2 } : await users.find(app.db, user.id)
  const { id, role, status } = users.asUser({ ...user, ...after })
  return { id, role, status }
}

const changeFor = (caller: SignedIn, action: Exclude<Action, 'delete'>) => {
  if (action === 'promote' && caller.role !== roles.root) throw new Fault('access.denied')
  return {
    enable: { status: 1 },
    disable: { status: 2 },
    promote: { role: roles.admin },
    demote: { role: roles.user },
  }[action]
}

/** Whoever is signed in with the old role or status is not any more. */
const change = (app: App, id: number, values: { status?: number; role?: number }) =>
  app.db.transaction().execute(async tx => {
    await users.update(tx, id, values)
    await sessions.endAllOf(tx, id)
    await app.topics.bump(tx, 'users')
  })

/** The row stays for the logs and the ledger, under another name: the old one can be taken again. What they said goes. */
export const removeUser = (app: App, id: number) =>
  app.db.transaction().execute(async tx => {
    const suffix = randomText(8).replace(/\W/g, '').slice(0, 6)
    if (!(await users.remove(tx, id, Math.floor(app.now() / 1000), suffix)))
      throw new Fault('resource.missing')
    await sessions.endAllOf(tx, id)
    await kept.removeOf(tx, id)
    await app.topics.bump(tx, 'users')
    await app.topics.bump(tx, 'tokens')
  })
