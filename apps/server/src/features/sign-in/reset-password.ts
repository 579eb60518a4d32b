import { Fault, type PasswordReset } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { emailTexts } from '../../core/sign-in/emails.ts'
import { issueToken, redeemToken } from '../../core/sign-in/one-time-codes.ts'
import {
  limitEmails,
  notifyOwner,
  queueNewestEmail,
  requireMailServer,
} from '../../core/sign-in/send-email.ts'
import { requireSiteUrl } from '../../core/site/address.ts'
import * as users from '../../db/queries/users.ts'
import { refuseCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'

const linkMinutes = 10

/**
 * E-mails a link to choose a new password. An address without an account gets a message that says so, which takes as
 * long; the answer is the same.
 */
export const sendResetLink = async (
  app: App,
  email: string,
  context: HttpContext,
): Promise<void> => {
  if (!app.settings().mail.PasswordResetEnabled) throw new Fault('reset.disabled')
  requireMailServer(app)
  await limitEmails(app, email)
  const texts = emailTexts(context.language)
  const { SystemName } = app.settings().site
  const user = await users.findByEmail(app.db, email)
  await app.db.transaction().execute(async tx => {
    const userId = user?.id ?? 0
    const token = await issueToken(app, tx, 'reset-password', { userId }, linkMinutes * 60)
    // In the fragment, the token is sent to no server and stands in no log.
    const url = requireSiteUrl(app, `/user/reset#token=${token}`)
    const text = user
      ? texts.reset(SystemName, user.display_name || user.username, url, linkMinutes)
      : texts.noAccount(SystemName)
    await queueNewestEmail(app, tx, { purpose: 'reset', to: email, text })
  })
}

/** Sets the new password and ends all sessions. It does not sign in, so that a second factor is asked for. */
export const resetPassword = async (
  app: App,
  { token, password }: z.output<typeof PasswordReset>,
  context: HttpContext,
): Promise<void> => {
  refuseCommonPassword(password)
  const passwordHash = await hashPassword(password)
  await app.db.transaction().execute(async tx => {
    const found = await redeemToken(app, tx, 'reset-password', token)
    const user = found && (await users.find(tx, found.userId))
    if (user?.status !== 1) throw new Fault('reset.expired')
    await users.setPassword(tx, user.id, passwordHash, { mustChange: false })
    await notifyOwner(app, tx, user, 'password', context)
  })
}
