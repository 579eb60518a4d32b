import { contract } from '@hub/contract'
import { redeem } from '../../billing/orders/redeem-code.ts'
import { auditedProfile } from '../../core/accounts/audited-user.ts'
import { asOwnUser } from '../../core/accounts/money-rights.ts'
import { removeUser } from '../../core/accounts/remove-user.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import { type Handlers, implement, type ReadAuditedRows } from '../../core/implement.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import { endSession, listSessions } from '../../core/sign-in/sessions.ts'
import * as groups from '../../db/queries/groups.ts'
import * as invitations from '../../db/queries/invitations.ts'
import * as logs from '../../db/queries/logs.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { changeEmail } from './change-email.ts'
import { updateProfile } from './update.ts'

const handlers: Handlers<typeof contract.profile.endpoints> = {
  get: async (app, { userId }) => asOwnUser(app, await getSelf(app, userId)),
  session: async (app, caller) =>
    caller ? asOwnUser(app, await getSelf(app, caller.userId)) : null,
  update: updateProfile,
  changeEmail,
  prove: async (app, { userId }, proof, context) => {
    await requireFreshProof(app, context, await getSelf(app, userId), proof)
    const session = { userId, idHash: context.sessionHash() }
    await sessions.updateProvedAt(app.db, session, nowSeconds(app))
    return null
  },
  sessions: (app, { userId }, _input, { sessionHash }) => listSessions(app, userId, sessionHash()),
  endSession: (app, { userId }, { session }) => endSession(app, userId, session),
  endOtherSessions: async (app, { userId }, _input, { sessionHash }) => {
    await sessions.endAllOfUserExcept(app.db, userId, sessionHash())
    return null
  },
  remove: async (app, { userId }, proof, context) => {
    const user = await getSelf(app, userId)
    await requireFreshProof(app, context, user, proof)
    await removeUser(app, userId)
    await notifyOwner(app, app.db, user, 'account-removed', context)
    await context.endSession()
    return null
  },
  createAccessToken: async (app, { userId }, proof, context) => {
    const user = await getSelf(app, userId)
    await requireFreshProof(app, context, user, proof)
    const token = randomText(32)
    const access_token_hash = app.seal.fingerprint('access-token', token)
    await app.db.transaction().execute(async tx => {
      await users.update(tx, userId, { access_token_hash })
      await notifyOwner(app, tx, user, 'access-token', context)
    })
    return token
  },
  inviteCode: async (app, { userId }) => (await getSelf(app, userId)).aff_code,
  invitation: async (app, { userId }) => {
    const { aff_code, aff_count, aff_quota } = users.asUser(await getSelf(app, userId))
    const { registration } = app.settings()
    return {
      code: aff_code,
      count: aff_count,
      reward: aff_quota,
      quota_for_inviter: registration.QuotaForInviter,
      quota_for_invitee: registration.QuotaForInvitee,
      reward_time: registration.InviterRewardTime,
      waiting: await invitations.countWaiting(app.db, userId),
      open: registration.RegisterEnabled && registration.PasswordRegisterEnabled,
    }
  },
  redeem,
  rate: (app, { userId, group }) => currentRate(app, userId, group),
}

const auditedSelf: ReadAuditedRows = async (app, caller) => {
  const row = caller ? await users.find(app.db, caller.userId) : undefined
  return row ? { [row.id]: auditedProfile(row) } : {}
}

export const profile = implement(contract.profile, handlers, auditedSelf)

const getSelf = async (app: App, userId: number) => required(await users.find(app.db, userId))

/** Returns the use of the last minute and the limits of the group. A limit of 0 means unlimited. */
const currentRate = async (app: App, userId: number, symbol: string) => {
  const since = nowSeconds(app) - 60
  const { calls: rpm, tokens: tpm } = await logs.sumUsageSince(app.db, userId, since)
  const group = await groups.findBySymbol(app.db, symbol)
  const [maxRPM, maxTPM] = [group?.api_rate ?? 0, group?.tokens_per_minute ?? 0]
  return {
    ...{ rpm, maxRPM, usageRpmRate: percent(rpm, maxRPM) },
    ...{ tpm, maxTPM, usageTpmRate: percent(tpm, maxTPM) },
  }
}

const percent = (used: number, most: number) =>
  most === 0 ? 0 : Math.floor((used / most) * 10_000) / 100
