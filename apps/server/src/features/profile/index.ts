import { contract } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import * as groups from '../../db/queries/groups.ts'
import * as logs from '../../db/queries/logs.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { checkCurrentPassword } from './current-password.ts'
import { redeem } from './redeem.ts'
import { updateProfile } from './update.ts'

export const profile = implement(contract.profile, {
  get: async (app, { userId }) => users.asUser(await getSelf(app, userId)),
  session: async (app, caller) => (caller ? users.asUser(await getSelf(app, caller.userId)) : null),
  update: updateProfile,
  createAccessToken: async (app, { userId }, { current_password }, context) => {
    await checkCurrentPassword(app, context, await getSelf(app, userId), current_password)
    const token = randomText(32)
    const access_token_hash = app.seal.fingerprint('access-token', token)
    await users.update(app.db, userId, { access_token_hash })
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
      open: registration.RegisterEnabled && registration.PasswordRegisterEnabled,
    }
  },
  redeem,
  rate: (app, { userId, group }) => currentRate(app, userId, group),
})

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
