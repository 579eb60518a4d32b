import { Fault, logTypes, roles } from '@hub/contract'
import { promoteUser } from '../../core/accounts/promote-user.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { limitFailures } from '../../core/attempt-limits.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as invitations from '../../db/queries/invitations.ts'
import { notedColumns } from '../../db/queries/log-notes.ts'
import * as logs from '../../db/queries/logs.ts'
import * as redemptions from '../../db/queries/redemptions.ts'
import * as users from '../../db/queries/users.ts'
import { accounts } from '../accounts.ts'
import { post } from '../ledger.ts'
import { alignDebtFreeze, payDebts } from './debts.ts'

/**
 * Redeems a code and returns its points. Failures of one user are limited from any address; the endpoint also limits
 * those of one address. The claim, the posting and the log row are one transaction. One of parallel attempts
 * succeeds; the unique source of the posting is a second guard.
 */
export const redeem = async (
  app: App,
  caller: SignedInUser,
  { key }: { key: string },
): Promise<number> => {
  const { FailedCodesPerUserMax } = app.settings().signInLimits
  const limit = { key: `redeem:${caller.userId}`, limit: FailedCodesPerUserMax }
  return limitFailures(app, limit, () => claim(app, caller, key))
}

const claim = async (app: App, caller: SignedInUser, key: string): Promise<number> => {
  const { userId } = caller
  const now = nowSeconds(app)
  const hash = app.seal.fingerprint('redemption', key)
  const claimed = await app.db.transaction().execute(async tx => {
    const code = await redemptions.claim(tx, hash, userId, now)
    if (code) {
      await requireRedeemable(tx, caller, code.user_id)
      await credit(app, tx, caller, code, now)
    }
    return code
  })
  if (!claimed) throw await claimFault(app, hash, now)
  return claimed.quota
}

/** An administrator redeems only what a super administrator made, so that no two of them pay each other. */
const requireRedeemable = async (tx: Database, { role }: SignedInUser, makerId: number) => {
  if (role < roles.admin || role >= roles.root) return
  const maker = await users.find(tx, makerId)
  if (!maker || maker.role < roles.root) throw new Fault('redemption.own_rank')
}

type Code = { id: number; name: string; quota: number }

const credit = async (
  app: App,
  tx: Database,
  caller: SignedInUser,
  { id, name, quota }: Code,
  now: number,
): Promise<void> => {
  await logs.insert(tx, {
    ...logs.emptyCallColumns,
    id: app.ledger.nextId(),
    user_id: caller.userId,
    created_at: now,
    type: logTypes.topUp,
    username: caller.username,
    quota,
    source_ip: caller.ip,
    ...notedColumns('redemption', `${id} (${name})`, { redemption: id }),
  })
  // The ledger refuses postings of 0 points.
  if (quota === 0) return
  const { userId } = caller
  await users.lock(tx, userId)
  const [debit, source] = [accounts.grants, `redemption:${id}`]
  await invitations.markFunded(tx, userId, now)
  const debts = await payDebts(app, tx, userId, { points: quota, source })
  await promoteUser(app, tx, userId, quota)
  await post(app, tx, [
    { kind: 'redemption', source, debit, credit: userId, amount: quota, note: { name } },
    ...debts,
  ])
  await alignDebtFreeze(app, tx, userId)
}

/** Returns the reason why a code could not be claimed. A deleted code counts as unknown. */
const claimFault = async (app: App, hash: string, now: number): Promise<Fault> => {
  const code = await redemptions.findByHash(app.db, hash)
  if (!code || code.deleted_at !== null) return new Fault('redemption.unknown')
  if (code.status === 3) return new Fault('redemption.used')
  if (code.expires_at !== -1 && code.expires_at <= now) return new Fault('redemption.expired')
  return new Fault(code.status === 1 ? 'redemption.used' : 'redemption.disabled')
}
