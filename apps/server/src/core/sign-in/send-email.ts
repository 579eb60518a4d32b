import { Fault } from '@hub/contract'
import type { Database } from '../../db/index.ts'
import { supersede } from '../../db/queries/queue.ts'
import { randomText } from '../../lib/random.ts'
import { type App, nowSeconds } from '../app.ts'
import type { EmailText } from '../define-job.ts'
import type { HttpContext } from '../implement.ts'
import { emit } from '../notifications/emit.ts'
import { enqueue } from '../queue.ts'
import { type CredentialChange, emailTexts } from './emails.ts'

const emailsPerHour = 5

/** Throws `mail.unset` if no e-mail can be sent. */
export const requireMailServer = (app: App): void => {
  if (app.settings().mail.SMTPServer === '') throw new Fault('mail.unset')
}

/** Limits the e-mails that visitors can have sent to an address, whether an account has it or not. Throws `rate.mail`. */
export const limitEmails = async (app: App, address: string): Promise<void> => {
  const status = await app.state.count(`mail:${address}`, 3600, emailsPerHour)
  if (!status.ok) throw new Fault('rate.mail', { retryAfterSeconds: status.retryAfterSeconds })
}

/** Queues an e-mail in the caller's transaction. */
export const queueEmail = async (
  app: App,
  tx: Database,
  to: string,
  text: EmailText,
): Promise<void> => {
  await enqueue(app, tx, 'notify', `sign-in:${randomText(16)}`, { to, ...text })
}

/**
 * Queues a code or link in the caller's transaction, and drops those for the same purpose and address that still wait: a
 * mail server that comes back delivers the newest only. A message that is being sent is not called back.
 */
export const queueNewestEmail = async (
  app: App,
  tx: Database,
  { purpose, to, text }: { purpose: 'code' | 'reset'; to: string; text: EmailText },
): Promise<void> => {
  const address = app.seal.fingerprint('queued', to.toLowerCase()).slice(0, 32)
  const keyPrefix = `sign-in:${purpose}:${address}:`
  await supersede(tx, { job: 'notify', keyPrefix, now: nowSeconds(app) })
  await enqueue(app, tx, 'notify', `${keyPrefix}${randomText(16)}`, { to, ...text })
}

type Owner = {
  id: number
  email: string
  display_name: string
  username: string
  must_change_password: number
}

/** Tells the owner of an account that its credentials were changed, unless they had to replace a first password. */
export const notifyOwner = async (
  app: App,
  tx: Database,
  { id, email, display_name, username, must_change_password }: Owner,
  change: CredentialChange,
  context: Pick<HttpContext, 'language' | 'ip'>,
): Promise<void> => {
  const { mail, site } = app.settings()
  if (must_change_password === 1) return
  await emit(app, tx, {
    event: 'credential.changed',
    key: `credential.changed:${randomText(16)}`,
    userIds: [id],
    facts: { change, ip: context.ip },
    exceptType: email === '' || mail.SMTPServer === '' ? '' : 'email',
  })
  if (email === '' || mail.SMTPServer === '') return
  const texts = emailTexts(context.language)
  const name = display_name || username
  await queueEmail(app, tx, email, texts.changed(site.SystemName, name, change, context.ip))
}
