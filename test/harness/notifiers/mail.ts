import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { Outcome } from './service.ts'

/** https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1: 4yz passes, 5yz does not. */
const errors = {
  fault: Object.assign(new Error('4.3.2 the system is busy, try again later'), {
    responseCode: 451,
  }),
  refuse: Object.assign(new Error('5.1.1 there is no such mailbox'), { responseCode: 550 }),
}

/** A mail server. As mail programs do, it shows a message of one `Message-ID` once. */
export const startMail = async (decide: () => Outcome, accept: (text: string) => void) => {
  const seen = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    closeTimeout: 100,
    onData: async (stream, session, done) => {
      const raw = Buffer.concat(await stream.toArray())
      const outcome = decide()
      if (outcome === 'hang up') return drop(session)
      if (outcome === 'fault' || outcome === 'refuse') return done(errors[outcome])
      const { messageId = '', subject = '', text = '' } = await PostalMime.parse(raw)
      if (!seen.has(messageId)) accept(`${subject}\n${text}`)
      seen.add(messageId)
      if (outcome === 'lose answer') return drop(session)
      done()
    },
  })
  const drop = ({ id }: SMTPServerSession) => {
    for (const each of server.connections) if (each.id === id) each._socket.destroy()
  }
  // The gateway is killed during the dialogue.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { port, close: () => new Promise<void>(resolve => server.close(() => resolve())) }
}
