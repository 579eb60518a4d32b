import { isIP } from 'node:net'
import { Fault } from '@hub/contract'
import nodemailer from 'nodemailer'
import { z } from 'zod'
import type { Message, Notifier } from './notifier.ts'

const Config = z.object({
  server: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  account: z.string(),
  password: z.string().meta({ secret: true }),
  from: z.email(),
  senderName: z.string(),
  /** Where to connect to, should the name have been looked up already. */
  address: z.string().optional(),
})
type Config = z.output<typeof Config>

const stepMilliseconds = 8_000
/** Of one attempt as a whole; less than the lease of the queue. */
const attemptMilliseconds = 20_000

/**
 * By SMTP. As One Hub: 465 is encrypted from the first byte, 587 demands STARTTLS. On other ports STARTTLS is used where
 * it is offered, and demanded before a password is sent to another machine.
 */
export const email: Notifier<typeof Config> = {
  id: 'email',
  name: 'E-mail',
  config: Config,
  send: async (config, message) => {
    const transport = nodemailer.createTransport(connectionOf(config))
    const limit = setTimeout(() => transport.close(), attemptMilliseconds)
    try {
      await transport.sendMail(mailOf(config, message))
    } catch (cause) {
      throw new Fault('mail.failed', { hint: `\`${sentenceOf(cause)}\``, cause })
    } finally {
      clearTimeout(limit)
      transport.close()
    }
  },
}

const connectionOf = ({ server, address, port, account, password }: Config) => {
  const secure = port === 465
  const needsSecrecy = account !== '' && !isThisMachine(server)
  return {
    host: address ?? server,
    port,
    secure,
    requireTLS: !secure && (port === 587 || needsSecrecy),
    ...(account && { auth: { user: account, pass: password } }),
    // A name in a certificate is a name of the server, not of the address it was looked up to.
    tls: { minVersion: 'TLSv1.2' as const, ...(isIP(server) === 0 && { servername: server }) },
    connectionTimeout: stepMilliseconds,
    greetingTimeout: stepMilliseconds,
    socketTimeout: stepMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

const mailOf = ({ from, senderName }: Config, { id, to, title, paragraphs, link }: Message) => ({
  messageId: `<${id}@${from.split('@').at(-1)}>`,
  from: { name: oneLine(senderName), address: from },
  // As an object an address is one address, whatever it is made of.
  to: { name: '', address: to },
  subject: oneLine(title),
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : [])].join('\n\n'),
  html: htmlOf(title, paragraphs, link),
})

const oneLine = (text: string) => text.replace(/[\r\n\t\0]+/g, ' ').slice(0, 200)

const htmlOf = (title: string, paragraphs: string[], link: Message['link']): string =>
  [
    '<!doctype html><html><body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2024;',
    'font:15px/1.6 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:24px;',
    `background:#fff;border-radius:12px"><h1 style="font-size:18px;margin:0 0 16px">${escaped(title)}</h1>`,
    ...paragraphs.map(each => `<p style="margin:0 0 12px">${escaped(each)}</p>`),
    ...(link
      ? [
          `<p style="margin:20px 0 0"><a href="${escaped(link.url)}" style="display:inline-block;`,
          'padding:10px 18px;border-radius:8px;background:#2558d9;color:#fff;text-decoration:none">',
          `${escaped(link.label)}</a></p>`,
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
const escaped = (text: string) => text.replace(/[&<>"']/g, each => entities[each] ?? '')

/** What the server said, for an administrator to act on. It answers to what it was sent, so it holds no password. */
const sentenceOf = (cause: unknown): string => {
  const { response, message, code } = (cause ?? {}) as Record<string, unknown>
  return oneLine(String(response ?? message ?? code ?? 'It did not say why.')).replaceAll('`', "'")
}
