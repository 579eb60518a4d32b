import { contract, Fault, type ListedInvitation } from '@hub/contract'
import { giveReward, lockWithInviter, withholdReward } from '../../billing/invitations/rewards.ts'
import { post } from '../../billing/ledger.ts'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import { getManageableUser } from '../../core/accounts/rank.ts'
import type { App } from '../../core/app.ts'
import { mapPage, required } from '../../core/crud.ts'
import {
  type Handlers,
  implement,
  type ReadAuditedRows,
  type SignedInUser,
} from '../../core/implement.ts'
import * as rows from '../../db/queries/invitations.ts'

const handlers: Handlers<typeof contract.invitations.endpoints> = {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), toListed),
  give: (app, caller, { id }) => decide(app, caller, id, 'give'),
  withhold: (app, caller, { id }) => decide(app, caller, id, 'withhold'),
}

/** By the rules of credits: an administrator moves no points of the own account, a peer's or a superior's. */
const decide = async (
  app: App,
  caller: SignedInUser,
  id: number,
  decision: 'give' | 'withhold',
): Promise<ListedInvitation> => {
  const { inviter_id } = required(await rows.find(app.db, id))
  await getManageableUser(app, caller, inviter_id)
  await getManageableUser(app, caller, id)
  requireRecentProof(app, caller)
  await app.db.transaction().execute(async tx => {
    await lockWithInviter(tx, id)
    const row = required(await rows.find(tx, id))
    const by = { by: caller.username, reason: 'hand' }
    const isGiven = row.state === 'given'
    const isRefused = decision === 'give' ? isGiven : row.state === 'withheld'
    if (isRefused) throw new Fault('invitation.decided')
    const postings =
      decision === 'give'
        ? await giveReward(app, tx, row, ['waiting', 'withheld'], by)
        : await withholdReward(app, tx, row, ['waiting', 'given'], by)
    const { state } = required(await rows.find(tx, id))
    if (state === row.state) throw new Fault('invitation.disabled')
    await post(app, tx, postings)
  })
  return toListed(required(await rows.findListed(app.db, id)))
}

const auditedInvitations: ReadAuditedRows = async (app, _caller, { ids: [id] }) => {
  const row = id === undefined ? undefined : await rows.findListed(app.db, id)
  return row ? { [row.user_id]: toListed(row) } : {}
}

export const invitations = implement(contract.invitations, handlers, auditedInvitations)

const toListed = (row: rows.ListedInvitation): ListedInvitation => ({
  user_id: row.user_id,
  username: row.username ?? '',
  inviter_id: row.inviter_id,
  inviter_username: row.inviter_username ?? '',
  address: row.address,
  created_at: row.created_at,
  state: row.state,
  reason: row.reason as ListedInvitation['reason'],
  gift: row.gift,
  gift_given: row.gift_given,
  reward: row.reward,
  reward_given: row.reward_given,
  decided_at: row.decided_at ?? 0,
  decided_by: row.decided_by,
})
