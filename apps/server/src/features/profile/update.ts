import { Fault, type ProfilePatch, type User } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import { countPasswordAttempt } from '../../core/password-attempts.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as users from '../../db/queries/users.ts'
import { hashPassword, verifyPassword } from '../../lib/password.ts'

/** Changes the caller's profile. A new username or password needs the current password. */
export const updateProfile = async (
  app: App,
  { userId }: SignedInUser,
  { display_name, username, password, current_password = '' }: z.output<typeof ProfilePatch>,
  context: HttpContext,
): Promise<User> => {
  const user = await users.find(app.db, userId)
  if (!user) throw new Fault('resource.missing')
  const renames = username !== undefined && username !== user.username
  if (renames || password) await checkCurrentPassword(app, context, user, current_password)
  if (password && password === current_password)
    throw new Fault('request.invalid', { hint: '`password`: must differ from the current one.' })
  if (renames && (await users.isTaken(app.db, username, userId))) throw new Fault('resource.exists')

  const passwordHash = password ? await hashPassword(password) : undefined
  await app.db.transaction().execute(async tx => {
    await users.update(tx, userId, {
      ...(display_name && { display_name }),
      ...(renames && { username }),
      ...(passwordHash && { password_hash: passwordHash, must_change_password: 0 }),
    })
    if (passwordHash) await sessions.endAllOfUser(tx, userId)
    if (renames) await app.changes.notify(tx, 'users')
  })
  if (passwordHash) await context.startSession(userId)
  return users.asUser((await users.find(app.db, userId))!)
}

/** Attempts are limited as at the sign-in, so that a stolen session cannot guess faster. */
const checkCurrentPassword = async (
  app: App,
  context: HttpContext,
  { id, password_hash }: users.UserRow,
  password: string,
) => {
  const resetAttempts = await countPasswordAttempt(app, {
    account: `user:${id}`,
    ip: context.ip,
    knownBrowser: context.knownBrowser(id),
  })
  if ((await verifyPassword(password, password_hash)) === 'wrong') throw new Fault('password.wrong')
  await resetAttempts()
}
