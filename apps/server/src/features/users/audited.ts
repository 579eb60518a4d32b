import { auditedProfile, auditedUser } from '../../core/accounts/audited-user.ts'
import type { AuditedRows, ReadAuditedRows } from '../../core/implement.ts'
import * as users from '../../db/queries/users.ts'

/** The users that a write names, by id or by username. */
export const auditedUsers: ReadAuditedRows = async (app, _caller, { action, input, ids }) => {
  const toAudited = action === 'users.quota' ? auditedUser : auditedProfile
  const named = typeof input.username === 'string' && ids.length === 0
  const found = [
    ...(await Promise.all(ids.map(id => users.find(app.db, id)))),
    named ? await users.findByUsername(app.db, String(input.username)) : undefined,
  ]
  const rows: AuditedRows = {}
  for (const row of found) if (row) rows[row.id] = toAudited(row)
  return rows
}
