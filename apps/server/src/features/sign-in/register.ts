import { Fault, type Registration } from '@hub/contract'
import type { z } from 'zod'
import { createAccount } from '../../billing/create-account.ts'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { checkDomain } from '../../core/sign-in/email-domain.ts'
import { redeemCode } from '../../core/sign-in/one-time-codes.ts'
import * as users from '../../db/queries/users.ts'
import { refuseCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'
import { refuseReservedName } from '../../lib/credentials/reserved-names.ts'

/**
 * Registers a user by username and password. The user, the initial quota, the rewards and the inviter's counters are one
 * transaction, so that of parallel registrations of a name one succeeds completely and the others have no effect.
 */
export const register = async (
  app: App,
  {
    username,
    password,
    aff_code,
    email,
    verification_code,
  }: Omit<z.output<typeof Registration>, 'turnstile'>,
  context: HttpContext,
): Promise<void> => {
  const { RegisterEnabled, PasswordRegisterEnabled } = app.settings().registration
  if (!RegisterEnabled || !PasswordRegisterEnabled) throw new Fault('registration.closed')
  refuseReservedName(username, { byAdministrator: false })
  refuseCommonPassword(password)
  checkEmailFields(app, email, verification_code)
  if (await users.isTaken(app.db, username)) throw new Fault('resource.exists')
  const inviter = aff_code ? await users.findByInviteCode(app.db, aff_code) : undefined

  const password_hash = await hashPassword(password)
  if (email && !(await redeemCode(app, app.db, 'verify-email', email, verification_code)))
    throw new Fault('mail.code_wrong')
  await app.db.transaction().execute(async tx => {
    const account = { username, password_hash, display_name: username, email, avatar_url: '' }
    const id = await createAccount(app, tx, account, inviter, context)
    if (id === undefined) throw new Fault('resource.exists')
  })
}

/** An address is taken only where it must be verified. */
const checkEmailFields = (app: App, email: string, code: string): void => {
  const { EmailVerificationEnabled } = app.settings().registration
  if (!EmailVerificationEnabled && email !== '')
    throw new Fault('request.invalid', { hint: '`email`: is not asked for on this site.' })
  if (!EmailVerificationEnabled) return
  if (email === '' || code === '') throw new Fault('mail.code_wrong')
  checkDomain(app, email)
}
