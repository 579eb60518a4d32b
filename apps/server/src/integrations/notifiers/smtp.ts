import { isIP } from 'node:net'
import { Fault } from '@hub/contract'
import { z } from 'zod'
import type { Message } from './notifier.ts'

export type Email = Pick<Message, 'id' | 'title' | 'paragraphs' | 'link'> & { to: string }

export const SmtpConfig = z.object({
  server: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  account: z.string(),
  password: z.string().meta({ secret: true }),
  from: z.email(),
  senderName: z.string(),
  /** The address to connect to when the caller has already resolved the name. */
  address: z.string().optional(),
})
export type SmtpConfig = z.output<typeof SmtpConfig>

const smtpStepTimeoutMs = 8_000
/** An attempt must end before the lease of the queue (30 s), although each of its steps has a timeout of its own. */
const attemptMilliseconds = 20_000

/**
 * Sends email by SMTP. As in One Hub, port 465 uses TLS from the first byte and port 587 requires STARTTLS. Other ports
 * use STARTTLS when offered, and require it before a password is sent to another machine. Throws `mail.failed`.
 */
export const sendBySmtp = async (config: SmtpConfig, email: Email): Promise<void> => {
  const transport = await createTransport(config)
  const signal = AbortSignal.timeout(attemptMilliseconds)
  try {
    await transport.sendMail({ ...toMail(config, email), signal })
  } catch (cause) {
    throw new Fault('mail.failed', { hint: `\`${failureText(cause)}\``, cause })
  } finally {
    transport.close()
  }
}

/** Connects and signs in as `sendBySmtp` does, and sends nothing. Throws `mail.failed`. */
export const checkSmtp = async (config: SmtpConfig): Promise<void> => {
  const transport = await createTransport(config)
  try {
    await transport.verify()
  } catch (cause) {
    throw new Fault('mail.failed', { hint: `\`${failureText(cause)}\``, cause })
  } finally {
    transport.close()
  }
}

/** Loads the library at the first mail, since many installations send none. */
const createTransport = async (config: SmtpConfig) => {
  const { default: nodemailer } = await import('nodemailer')
  return nodemailer.createTransport(connectionOptions(config))
}

const connectionOptions = ({ server, address, port, account, password }: SmtpConfig) => {
  const secure = port === 465
  const needsSecrecy = account !== '' && !isLoopbackHost(server)
  return {
    host: address ?? server,
    port,
    secure,
    requireTLS: !secure && (port === 587 || needsSecrecy),
    ...(account && { auth: { user: account, pass: password } }),
    // The certificate is checked against the server's name, although the connection goes to a resolved address.
    tls: { minVersion: 'TLSv1.2' as const, ...(isIP(server) === 0 && { servername: server }) },
    connectionTimeout: smtpStepTimeoutMs,
    greetingTimeout: smtpStepTimeoutMs,
    socketTimeout: smtpStepTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const isLoopbackHost = (host: string) =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

const toMail = ({ from, senderName }: SmtpConfig, { id, to, title, paragraphs, link }: Email) => ({
  messageId: `<${id}@${from.split('@').at(-1)}>`,
  from: { name: oneLine(senderName), address: from },
  // An address object is never parsed, so its text cannot contain a second recipient.
  to: { name: '', address: to },
  subject: oneLine(title),
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : [])].join('\n\n'),
  html: toHtml(title, paragraphs, link),
})

/** Keeps at most 200 characters. */
const oneLine = (text: string) => text.replace(/[\r\n\t\0]+/g, ' ').slice(0, 200)

const toHtml = (title: string, paragraphs: string[], link: Email['link']): string =>
  [
    '<!doctype html><html><body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2024;',
    'font:15px/1.6 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:24px;',
    `background:#fff;border-radius:12px"><h1 style="font-size:18px;margin:0 0 16px">${escapeHtml(title)}</h1>`,
    ...paragraphs.map(each => `<p style="margin:0 0 12px">${escapeHtml(each)}</p>`),
    ...(link
      ? [
          `<p style="margin:20px 0 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;`,
          'padding:10px 18px;border-radius:8px;background:#2558d9;color:#fff;text-decoration:none">',
          `${escapeHtml(link.label)}</a></p>`,
        ]
      : []),
    '</div></body></html>',
  ].join('')

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, each => entities[each] ?? '')

/** Returns the server's answer, or nodemailer's message without one, as one line for the administrator. */
const failureText = (cause: unknown): string => {
  const { response, message, code } = (cause ?? {}) as Record<string, unknown>
  return oneLine(String(response ?? message ?? code ?? 'The server gave no reason.')).replaceAll(
    '`',
    "'",
  )
}
