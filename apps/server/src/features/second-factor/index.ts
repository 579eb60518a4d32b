import { contract, Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import {
  hashBackupCode,
  makeBackupCodes,
  openTotpSecret,
  sealTotpSecret,
} from '../../core/sign-in/second-factor.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import type { Database } from '../../db/index.ts'
import * as secondFactors from '../../db/queries/second-factors.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as users from '../../db/queries/users.ts'
import { makeTotpSecret, matchingStep, totpUri } from '../../lib/credentials/totp.ts'

export const secondFactor = implement(contract['second-factor'], {
  status: async (app, { userId }) => {
    const enabled_at = (await secondFactors.find(app.db, userId))?.enabled_at ?? null
    const backup_codes_left = await secondFactors.countBackupCodes(app.db, userId)
    return { enabled: enabled_at !== null, enabled_at, backup_codes_left }
  },

  setUp: async (app, { userId }, proof, context) => {
    const user = required(await users.find(app.db, userId))
    await requireFreshProof(app, context, user, proof)
    const secret = makeTotpSecret()
    const isSetUp = await secondFactors.setUp(app.db, userId, sealTotpSecret(app, userId, secret))
    if (!isSetUp) throw new Fault('second_factor.enabled')
    return { secret, uri: totpUri(secret, app.settings().site.SystemName, user.username) }
  },

  enable: async (app, { userId }, { code }, context) => {
    const user = required(await users.find(app.db, userId))
    const factor = await secondFactors.find(app.db, userId)
    if (!factor) throw new Fault('second_factor.missing')
    if (factor.enabled_at !== null) throw new Fault('second_factor.enabled')
    const { secret_sealed } = factor
    const now = nowSeconds(app)
    const last_step = matchingStep(openTotpSecret(app, userId, secret_sealed), code, now)
    if (last_step === undefined) throw new Fault('second_factor.wrong')
    const backup_codes = await app.db.transaction().execute(async tx => {
      if (!(await secondFactors.enable(tx, userId, { secret_sealed, last_step, now })))
        throw new Fault('second_factor.enabled')
      await sessions.endAllOfUser(tx, userId)
      await notifyOwner(app, tx, user, 'second-factor-on', context)
      return writeBackupCodes(app, tx, userId)
    })
    await context.startSession(userId)
    return { backup_codes }
  },

  disable: async (app, { userId }, proof, context) => {
    await requireEnabled(app, userId)
    const user = required(await users.find(app.db, userId))
    await requireFreshProof(app, context, user, proof)
    await app.db.transaction().execute(async tx => {
      await secondFactors.remove(tx, userId)
      await notifyOwner(app, tx, user, 'second-factor-off', context)
    })
    return null
  },

  renewBackupCodes: async (app, { userId }, proof, context) => {
    await requireEnabled(app, userId)
    const user = required(await users.find(app.db, userId))
    await requireFreshProof(app, context, user, proof)
    const backup_codes = await app.db.transaction().execute(async tx => {
      await notifyOwner(app, tx, user, 'backup-codes', context)
      return writeBackupCodes(app, tx, userId)
    })
    return { backup_codes }
  },
})

const requireEnabled = async (app: App, userId: number) => {
  if (!(await secondFactors.isEnabled(app.db, userId))) throw new Fault('second_factor.missing')
}

const writeBackupCodes = async (app: App, tx: Database, userId: number): Promise<string[]> => {
  const codes = makeBackupCodes()
  const hashes = codes.map(code => hashBackupCode(app, userId, code))
  await secondFactors.replaceBackupCodes(tx, userId, hashes)
  return codes
}
