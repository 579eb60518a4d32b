import { Fault, roles } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as users from '../../db/queries/users.ts'

/** Returns a user that the caller may change: one of a lower role, or any user for a super administrator. */
export const getManageableUser = async (app: App, caller: SignedInUser, id: number) => {
  const user = required(await users.find(app.db, id))
  if (caller.role !== roles.root && user.role >= caller.role) throw new Fault('user.rank')
  return user
}

/** Refuses to give a role that is as high as the caller's own. */
export const requireLowerRole = (caller: SignedInUser, role: number) => {
  if (role >= caller.role) throw new Fault('user.rank')
}
