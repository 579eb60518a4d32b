import { afterEach, expect, it, vi } from 'vitest'
import { type MailServer, startMailServer } from '../../../../../test/harness/mail-server.ts'
import { until } from '../../../../../test/harness/runner/until.ts'
import { sendBySmtp } from './smtp.ts'

let mailServer: MailServer | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await mailServer?.close()
  mailServer = undefined
})

const config = (port: number, more: object = {}) => ({
  server: '127.0.0.1',
  port,
  account: '',
  password: '',
  from: 'hub@example.com',
  senderName: 'One Hub',
  ...more,
})
const message = (more: object = {}) => ({
  id: 'message-1',
  to: 'ann@example.com',
  title: 'Quota is low',
  paragraphs: ['Hello,', 'there is little left.'],
  link: { label: 'Top up', url: 'https://hub.example/panel/topup' },
  ...more,
})

it('an email arrives complete, as text and HTML, with the right sender', async () => {
  mailServer = await startMailServer()
  await sendBySmtp(config(mailServer.port), message())
  expect(mailServer.emails).toMatchObject([
    {
      recipients: ['ann@example.com'],
      subject: 'Quota is low',
      from: { name: 'One Hub', address: 'hub@example.com' },
      messageId: '<message-1@example.com>',
      text: expect.stringContaining('there is little left.'),
      html: expect.stringContaining('href="https://hub.example/panel/topup"'),
    },
  ])
})

it('S13 nothing in a title, a name or an address becomes a header or another recipient', async () => {
  mailServer = await startMailServer()
  const title = 'Hello\r\nBcc: eve@example.com\r\n\r\ninjected'
  await sendBySmtp(config(mailServer.port, { senderName: 'Hub\r\nX-Bad: 1' }), message({ title }))
  const [mail] = mailServer.emails
  expect(mail?.recipients).toEqual(['ann@example.com'])
  expect(mail?.headers.map(each => each.key)).not.toContain('bcc')
  expect(mail?.headers.map(each => each.key)).not.toContain('x-bad')
  expect(mail?.subject).toBe('Hello Bcc: eve@example.com injected')
  // A list of addresses is one address that no server knows, so that nobody gets the message.
  const list = message({ to: 'ann@example.com, eve@example.com' })
  await sendBySmtp(config(mailServer.port), list).catch(error => error)
  expect(mailServer.emails.flatMap(each => each.recipients)).not.toContain('eve@example.com')
})

it('the content of an email is escaped, never markup', async () => {
  mailServer = await startMailServer()
  const paragraphs = ['<img src=x onerror=alert(1)>']
  await sendBySmtp(config(mailServer.port), message({ paragraphs, title: '<b>' }))
  expect(mailServer.emails[0]?.html).not.toMatch(/<img|<b>/)
  expect(mailServer.emails[0]?.html).toContain('&lt;img src=x')
})

it('a refusal says what the server said', async () => {
  mailServer = await startMailServer()
  mailServer.meet('refuse')
  const refused = await sendBySmtp(config(mailServer.port), message()).catch(error => error)
  expect(refused).toMatchObject({ code: 'mail.failed' })
  expect(refused.message).toContain('mailbox unavailable')
})

it('a send ends at its time limit, which is below the lease of the queue, and closes its connection', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  let isClosed = false
  mailServer = await startMailServer(0, {
    onClose: () => {
      isClosed = true
    },
  })
  mailServer.meet('never answer')
  const sending = sendBySmtp(config(mailServer.port), message()).catch(error => error)
  await until('the server has the text', () => mailServer?.tries() === 1)
  limit.abort(new Error('the limit is over'))
  const ended = await sending
  expect([ended.code, ended.message]).toEqual(['mail.failed', expect.stringContaining('abort')])
  await until('the connection is closed', () => isClosed)
  expect(timeout.mock.calls[0]?.[0]).toBeLessThan(30_000)
})

it('it signs in with the account, on this machine also without encryption', async () => {
  const seen: (string | null | undefined)[] = []
  mailServer = await startMailServer(0, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      seen.push(username, password)
      done(null, { user: username })
    },
  })
  await sendBySmtp(config(mailServer.port, { account: 'hub', password: 'pass word' }), message())
  expect(seen).toEqual(['hub', 'pass word'])
  expect(mailServer.emails).toHaveLength(1)
})

it('a password never goes to another machine in the clear', async () => {
  let attempted = false
  mailServer = await startMailServer(0, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => {
      attempted = true
      done(null, { user: 'x' })
    },
  })
  const far = { server: 'mail.example', address: '127.0.0.1', account: 'hub', password: 'secret' }
  const refused = await sendBySmtp(config(mailServer.port, far), message()).catch(error => error)
  expect(refused).toMatchObject({ code: 'mail.failed' })
  expect([attempted, mailServer.emails.length]).toEqual([false, 0])
})

it('a certificate that does not fit the name is refused', async () => {
  mailServer = await startMailServer(0, { hideSTARTTLS: false })
  const refused = await sendBySmtp(config(mailServer.port), message()).catch(error => error)
  expect(refused).toMatchObject({ code: 'mail.failed' })
  expect(mailServer.emails).toEqual([])
})
