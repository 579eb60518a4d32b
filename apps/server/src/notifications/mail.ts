import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import { reportFailure, reportSuccess } from '../core/health/services.ts'
import { openSecret } from '../core/secrets/setting-secrets.ts'
import { checkSmtp, type Email, SmtpConfig, sendBySmtp } from '../integrations/notifiers/smtp.ts'
import { isPublicAddress } from '../lib/http/public-address.ts'
import { sha256 } from '../lib/random.ts'
import { checkHost } from '../relay/upstream/connections/addresses.ts'

/** Sends an email by the configured server. The same `key` gives the same message id, so that duplicates are detected. */
export const sendEmail = async (app: App, email: Omit<Email, 'id'>, key: string): Promise<void> => {
  try {
    await sendBySmtp(await readMailServer(app), { ...email, id: sha256(key).slice(0, 32) })
  } catch (error) {
    if (!isRecipientRefused(error)) await reportFailure(app, { service: 'mail' }, error)
    throw error
  }
  await reportSuccess(app, { service: 'mail' })
}

/** A server that refuses one mailbox works for the others (RFC 5321 4.2.3). */
const isRecipientRefused = (error: unknown): boolean => {
  const { cause } = error as { cause?: { command?: unknown; responseCode?: unknown } }
  return cause?.command === 'RCPT TO' && Number(cause.responseCode) >= 500
}

/** Signs in to the configured server, and sends nothing. Throws `mail.unset` or `mail.failed`. */
export const checkMailServer = async (app: MailApp): Promise<void> =>
  checkSmtp(await readMailServer(app))

type MailApp = Pick<App, 'settings' | 'seal'>

const readMailServer = async (app: MailApp): Promise<SmtpConfig> => {
  const { mail, site, channels } = app.settings()
  if (mail.SMTPServer === '') throw new Fault('mail.unset')
  const from = mail.SMTPFrom || mail.SMTPAccount
  const read = SmtpConfig.safeParse({
    server: mail.SMTPServer,
    port: mail.SMTPPort,
    account: mail.SMTPAccount,
    password: openSecret(app, 'SMTPToken'),
    from,
    senderName: site.SystemName,
    ...(!channels.PrivateAddressesAllowed && { address: await publicAddressOf(mail.SMTPServer) }),
  })
  if (!read.success)
    throw new Fault('mail.unset', { hint: '`SMTPFrom` must be an e-mail address.' })
  return read.data
}

/** Resolves the name once and connects to that address, so that a second DNS answer cannot be a private address. */
const publicAddressOf = async (server: string): Promise<string> => {
  checkHost(server)
  if (isIP(server) !== 0) return server
  const found = await lookup(server, { all: true }).catch(cause => {
    throw new Fault('mail.failed', { hint: '`SMTPServer`: the name is unknown.', cause })
  })
  const publicAddress = found.find(each => isPublicAddress(each.address))
  if (!publicAddress) throw new Fault('address.forbidden')
  return publicAddress.address
}
