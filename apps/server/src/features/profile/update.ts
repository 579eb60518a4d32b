import { Fault, type OwnUser, type ProfilePatch } from '@hub/contract'
import type { z } from 'zod'
import { asOwnUser } from '../../core/accounts/money-rights.ts'
import type { App } from '../../core/app.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { refuseCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'
import { refuseReservedName } from '../../lib/credentials/reserved-names.ts'

/** Changes the caller's profile. A new username or password needs the current password. */
export const updateProfile = async (
  app: App,
  { userId }: SignedInUser,
  { display_name, avatar_url, username, password, ...proof }: z.output<typeof ProfilePatch>,
  context: HttpContext,
): Promise<OwnUser> => {
  const user = await users.find(app.db, userId)
  if (!user) throw new Fault('resource.missing')
  const renames = username !== undefined && username !== user.username
  if (renames || password) await requireFreshProof(app, context, user, proof)
  if (password && password === proof.current_password)
    throw new Fault('request.invalid', { hint: '`password`: must differ from the current one.' })
  if (renames) refuseReservedName(username, { byAdministrator: false })
  if (password) refuseCommonPassword(password)
  if (renames && (await users.isTaken(app.db, username, userId))) throw new Fault('resource.exists')

  const passwordHash = password ? await hashPassword(password) : undefined
  await app.db.transaction().execute(async tx => {
    await users.update(tx, userId, {
      ...(display_name && { display_name }),
      ...(avatar_url !== undefined && { avatar_url }),
      ...(renames && { username }),
    })
    if (passwordHash) {
      await users.setPassword(tx, userId, passwordHash, { mustChange: false })
      await notifyOwner(app, tx, user, 'password', context)
    }
    if (renames) {
      await tokens.announceChange(tx, { user_id: userId })
      await notifyOwner(app, tx, user, 'username', context)
    }
  })
  if (passwordHash) await context.startSession(userId)
  return asOwnUser(app, (await users.find(app.db, userId))!)
}
