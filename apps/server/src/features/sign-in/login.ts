import { Fault, roles, type SignIn, type SignInResult } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { isBotCheckIncomplete } from '../../core/sign-in/bot-check.ts'
import { finishSignIn } from '../../core/sign-in/finish-sign-in.ts'
import { countPasswordAttempt } from '../../core/sign-in/password-attempts.ts'
import * as users from '../../db/queries/users.ts'
import { hashPassword, verifyPassword, verifyUnknownUser } from '../../lib/credentials/password.ts'

/** Unknown name, wrong password and disabled account get the same error after the same work. */
export const login = async (
  app: App,
  { username, password }: Omit<z.output<typeof SignIn>, 'turnstile'>,
  context: HttpContext,
): Promise<SignInResult> => {
  const user =
    (await users.findByUsername(app.db, username)) ?? (await users.findByEmail(app.db, username))
  const resetAttempts = await countPasswordAttempt(app, {
    account: user ? `user:${user.id}` : `name:${username.toLowerCase()}`,
    ip: context.ip,
    knownBrowser: context.knownBrowser(user?.id),
  })
  const refusal = passwordRefusal(app)
  if (!user) {
    await verifyUnknownUser(password)
    throw new Fault(refusal)
  }
  const check = await verifyPassword(password, user.password_hash)
  if (check === 'wrong' || user.status !== 1) throw new Fault(refusal)
  const isOpen = refusal === 'sign_in.refused' || user.role >= roles.root
  if (!isOpen) throw new Fault(refusal)
  if (check === 'stale')
    await users.update(app.db, user.id, { password_hash: await hashPassword(password) })
  await resetAttempts()
  return finishSignIn(app, user.id, context)
}

/**
 * A super administrator can always sign in, so that a site without another way is never closed to its operator. Everybody
 * else gets this error, with a right and with a wrong password.
 */
const passwordRefusal = (app: App) => {
  if (!app.settings().registration.PasswordLoginEnabled) return 'sign_in.password_off'
  return isBotCheckIncomplete(app) ? 'turnstile.unavailable' : 'sign_in.refused'
}
