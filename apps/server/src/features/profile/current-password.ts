import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { countPasswordAttempt } from '../../core/password-attempts.ts'
import type { UserRow } from '../../db/queries/users.ts'
import { verifyPassword } from '../../lib/credentials/password.ts'

/** Attempts are limited as at the sign-in, so that a stolen session cannot guess faster. */
export const checkCurrentPassword = async (
  app: App,
  context: HttpContext,
  { id, password_hash }: UserRow,
  password: string,
): Promise<void> => {
  const resetAttempts = await countPasswordAttempt(app, {
    account: `user:${id}`,
    ip: context.ip,
    knownBrowser: context.knownBrowser(id),
  })
  if ((await verifyPassword(password, password_hash)) === 'wrong') throw new Fault('password.wrong')
  await resetAttempts()
}
