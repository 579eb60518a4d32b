import { Fault, roles } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as users from '../../db/queries/users.ts'

/** A user the caller may act on: of a lower role, or anybody for the super administrator. */
export const getManageableUser = async (app: App, caller: SignedInUser, id: number) => {
  const user = await users.find(app.db, id)
  if (!user) throw new Fault('resource.missing')
  if (caller.role !== roles.root && user.role >= caller.role) throw new Fault('user.rank')
  return user
}

/** Nobody gives a role that is as high as their own. */
export const requireLowerRole = (caller: SignedInUser, role: number) => {
  if (role >= caller.role) throw new Fault('user.rank')
}
