import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { checkDomain } from '../../core/sign-in/email-domain.ts'
import { emailTexts } from '../../core/sign-in/emails.ts'
import { issueCode } from '../../core/sign-in/one-time-codes.ts'
import { limitEmails, queueNewestEmail, requireMailServer } from '../../core/sign-in/send-email.ts'
import { siteUrl } from '../../core/site/address.ts'
import * as users from '../../db/queries/users.ts'

const codeMinutes = 10

const resetUrl = (app: App) =>
  app.settings().mail.PasswordResetEnabled ? siteUrl(app, '/reset') : undefined

/**
 * Sends a code to an address. The owner of an account with this address gets another message, so that the answer, which
 * is always the same, tells nobody else about the account.
 */
export const sendVerification = async (
  app: App,
  email: string,
  context: HttpContext,
): Promise<void> => {
  requireMailServer(app)
  checkDomain(app, email)
  await limitEmails(app, email)
  const texts = emailTexts(context.language)
  const site = app.settings().site.SystemName
  const owner = await users.findByEmail(app.db, email)
  await app.db.transaction().execute(async tx => {
    const code = await issueCode(app, tx, 'verify-email', email, { email }, codeMinutes * 60)
    const text = owner
      ? texts.addressInUse(site, resetUrl(app))
      : texts.code(site, code, codeMinutes)
    await queueNewestEmail(app, tx, { purpose: 'code', to: email, text })
  })
}
