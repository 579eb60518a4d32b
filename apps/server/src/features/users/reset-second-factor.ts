import { Fault } from '@hub/contract'
import { getLowerUser } from '../../core/accounts/rank.ts'
import type { App } from '../../core/app.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import * as passkeys from '../../db/queries/passkeys.ts'
import * as secondFactors from '../../db/queries/second-factors.ts'
import * as sessions from '../../db/queries/sessions.ts'

/** For a user who lost the device and the backup codes. Passkeys may be on that device, so they go too. Their sessions end, and they are told by e-mail. */
export const resetSecondFactor = async (
  app: App,
  caller: SignedInUser,
  { id }: { id: number },
  context: HttpContext,
): Promise<null> => {
  const user = await getLowerUser(app, caller, id)
  await app.db.transaction().execute(async tx => {
    const hadFactor = await secondFactors.isEnabled(tx, id)
    const passkeyCount = await passkeys.removeAllOfUser(tx, id)
    if (!hadFactor && passkeyCount === 0) throw new Fault('second_factor.missing')
    await secondFactors.remove(tx, id)
    await sessions.endAllOfUser(tx, id)
    await notifyOwner(app, tx, user, 'second-factor-off', context)
  })
  return null
}
