import { Fault, type SignIn, type User } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { countPasswordAttempt } from '../../core/password-attempts.ts'
import * as users from '../../db/queries/users.ts'
import { hashPassword, verifyPassword, verifyUnknownUser } from '../../lib/credentials/password.ts'

/** Unknown name, wrong password and disabled account get the same error after the same work. */
export const login = async (
  app: App,
  { username, password }: z.output<typeof SignIn>,
  context: HttpContext,
): Promise<User> => {
  const user =
    (await users.findByUsername(app.db, username)) ?? (await users.findByEmail(app.db, username))
  const resetAttempts = await countPasswordAttempt(app, {
    account: `name:${username.toLowerCase()}`,
    ip: context.ip,
    knownBrowser: context.knownBrowser(user?.id),
  })
  if (!user) {
    await verifyUnknownUser(password)
    throw new Fault('sign_in.refused')
  }
  const check = await verifyPassword(password, user.password_hash)
  if (check === 'wrong' || user.status !== 1) throw new Fault('sign_in.refused')

  await users.update(app.db, user.id, {
    last_login_time: nowSeconds(app),
    last_login_ip: context.ip,
    ...(check === 'stale' && { password_hash: await hashPassword(password) }),
  })
  await resetAttempts()
  await context.startSession(user.id)
  return users.asUser((await users.find(app.db, user.id)) ?? user)
}
