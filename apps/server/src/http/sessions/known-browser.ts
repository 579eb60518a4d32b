import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, nowSeconds } from '../../core/app.ts'
import { randomText } from '../../lib/random.ts'

/**
 * A signed cookie that a successful sign-in leaves behind. It opens nothing; it gives the browser its own counter of
 * password attempts, so that guesses from elsewhere cannot lock its user out (OWASP: device cookies).
 */
export type KnownBrowser = {
  /** The id of this browser if it signed in to the account before; also computed for no account, in equal time. */
  find(userId: number | undefined): string | undefined
  remember(userId: number): void
}

const lifetimeSeconds = 180 * 86_400

export const knownBrowser = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  isSecure: boolean,
): KnownBrowser => {
  const cookie = isSecure ? '__Host-hub-known' : 'hub-known'
  const sign = (userId: number, id: string, expiresAt: string) =>
    app.seal.fingerprint('known-browser', JSON.stringify([userId, id, expiresAt]))
  return {
    find: userId => {
      const match = /^([\w-]{22})\.(\d{1,12})\.([\da-f]{64})$/.exec(request.cookies[cookie] ?? '')
      if (!match) return undefined
      const [, id = '', expiresAt = '', signature = ''] = match
      const isSigned = timingSafeEqual(
        Buffer.from(sign(userId ?? 0, id, expiresAt)),
        Buffer.from(signature),
      )
      return isSigned && Number(expiresAt) > nowSeconds(app) ? id : undefined
    },
    remember: userId => {
      const [id, expiresAt] = [randomText(16), String(nowSeconds(app) + lifetimeSeconds)]
      reply.setCookie(cookie, `${id}.${expiresAt}.${sign(userId, id, expiresAt)}`, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure,
        maxAge: lifetimeSeconds,
      })
    },
  }
}
