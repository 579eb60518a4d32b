import { contract, Fault, roles } from '@hub/contract'
import { mapPage } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/users.ts'
import { changeQuota } from './change-quota.ts'
import { createUser } from './create.ts'
import { manageUser, removeUser } from './manage.ts'
import { getManageableUser } from './rank.ts'
import { updateUser } from './update.ts'

export const users = implement(contract.users, {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), rows.asUser),
  get: async (app, caller, { id }) => rows.asUser(await getManageableUser(app, caller, id)),
  create: createUser,
  update: updateUser,
  manage: manageUser,
  quota: changeQuota,
  remove: async (app, caller, { id }) => {
    const user = await getManageableUser(app, caller, id)
    if (user.role === roles.root) throw new Fault('user.rank')
    await removeUser(app, id)
    return null
  },
})
