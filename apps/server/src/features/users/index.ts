import { contract, Fault, roles } from '@hub/contract'
import { getLowerUser, getManageableUser } from '../../core/accounts/rank.ts'
import { removeUser } from '../../core/accounts/remove-user.ts'
import { mapPage } from '../../core/crud.ts'
import { type Handlers, implement } from '../../core/implement.ts'
import { endSession, listSessions } from '../../core/sign-in/sessions.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as rows from '../../db/queries/users.ts'
import { auditedUsers } from './audited.ts'
import { changeQuota } from './change-quota.ts'
import { createUser } from './create.ts'
import { manageUser } from './manage.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { updateUser } from './update.ts'

const handlers: Handlers<typeof contract.users.endpoints> = {
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
  sessions: async (app, caller, { id }) => {
    await getLowerUser(app, caller, id)
    return listSessions(app, id, '')
  },
  endSession: async (app, caller, { id, session }) => {
    await getLowerUser(app, caller, id)
    return endSession(app, id, session)
  },
  endSessions: async (app, caller, { id }) => {
    await getLowerUser(app, caller, id)
    await sessions.endAllOfUser(app.db, id)
    return null
  },
  resetSecondFactor,
}

export const users = implement(contract.users, handlers, auditedUsers)
