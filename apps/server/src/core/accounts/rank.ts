import { Fault, roles } from '@hub/contract'
import * as users from '../../db/queries/users.ts'
import type { App } from '../app.ts'
import { required } from '../crud.ts'
import type { SignedInUser } from '../implement.ts'

/** Returns a user that the caller may change: one of a lower role, or any user for a super administrator. */
export const getManageableUser = async (app: App, caller: SignedInUser, id: number) => {
  const user = required(await users.find(app.db, id))
  if (caller.role !== roles.root && user.role >= caller.role) throw new Fault('user.rank')
  return user
}

/** Returns a user of a lower role. Own sign-ins and second factor are managed in the profile, which asks for the password. */
export const getLowerUser = async (app: App, caller: SignedInUser, id: number) => {
  const user = required(await users.find(app.db, id))
  if (user.role >= caller.role) throw new Fault('user.rank')
  return user
}

/** Refuses to give a role that is as high as the caller's own. */
export const requireLowerRole = (caller: SignedInUser, role: number) => {
  if (role >= caller.role) throw new Fault('user.rank')
}
