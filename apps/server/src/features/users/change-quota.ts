import { logTypes, type QuotaChange, type User } from '@hub/contract'
import type { z } from 'zod'
import { accounts } from '../../billing/accounts.ts'
import { post } from '../../billing/ledger.ts'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import { getManageableUser } from '../../core/accounts/rank.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import { notedColumns } from '../../db/queries/log-notes.ts'
import * as logs from '../../db/queries/logs.ts'
import * as users from '../../db/queries/users.ts'

/** Writes one posting and one log row in one transaction. */
export const changeQuota = async (
  app: App,
  caller: SignedInUser,
  { id, quota, remark }: z.output<typeof QuotaChange>,
): Promise<User> => {
  const user = await getManageableUser(app, caller, id)
  requireRecentProof(app, caller)
  const [debit, credit] = quota > 0 ? [accounts.grants, id] : [id, accounts.grants]
  await app.db.transaction().execute(async tx => {
    await logs.insert(tx, {
      ...logs.emptyCallColumns,
      id: app.ledger.nextId(),
      user_id: id,
      created_at: nowSeconds(app),
      type: logTypes.manage,
      username: user.username,
      quota,
      source_ip: caller.ip,
      ...(remark
        ? { content: remark, metadata: JSON.stringify({ by: caller.username, remark }) }
        : notedColumns('quota_changed', caller.username, { by: caller.username, remark })),
    })
    await post(app, tx, [
      {
        kind: 'admin',
        source: `admin:${caller.requestId}`,
        debit,
        credit,
        amount: Math.abs(quota),
        note: { by: caller.userId, remark },
      },
    ])
  })
  return users.asUser(required(await users.find(app.db, id)))
}
