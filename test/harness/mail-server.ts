import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

type ReceivedEmail = Email & { recipients: string[] }

export type MailServer = {
  port: number
  emails: ReceivedEmail[]
  /** How many came as far as their text, whether they were answered or not. */
  tries(): number
  /** How the next ones are met; answers go out as they are. */
  meet(how: 'take' | 'refuse' | 'never answer'): void
  close(): Promise<void>
}

/** A real mail server on this machine that keeps what it gets. */
export const startMailServer = async (
  port = 0,
  more: SMTPServerOptions = {},
): Promise<MailServer> => {
  const emails: ReceivedEmail[] = []
  let how: Parameters<MailServer['meet']>[0] = 'take'
  let tries = 0
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        tries += 1
        if (how === 'never answer') return
        if (how === 'refuse') return done(new Error('mailbox unavailable'))
        const email = await PostalMime.parse(Buffer.concat(chunks))
        const recipients = session.envelope.rcptTo.map(each => each.address)
        emails.push({ ...email, recipients })
        done()
      })
    },
    ...more,
  })
  // Some tests kill the client during the dialogue.
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    emails,
    tries: () => tries,
    meet: next => {
      how = next
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
