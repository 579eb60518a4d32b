import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpContext } from '../../core/implement.ts'
import { randomText, sha256 } from '../../lib/random.ts'

const lifetimeSeconds = 600

/** A random cookie that shows that the browser which returns from a third party is the one that was sent there. */
export const browserMark = (
  request: FastifyRequest,
  reply: FastifyReply,
  isSecure: boolean,
): Pick<HttpContext, 'markBrowser' | 'markedBrowser'> => {
  const cookie = isSecure ? '__Host-hub-browser' : 'hub-browser'
  return {
    markBrowser: () => {
      const mark = request.cookies[cookie] ?? ''
      // Two tabs that begin a sign-in share it.
      const id = /^[\w-]{43}$/.test(mark) ? mark : randomText(32)
      reply.setCookie(cookie, id, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure,
        maxAge: lifetimeSeconds,
      })
      return sha256(id)
    },
    markedBrowser: () => {
      const mark = request.cookies[cookie]
      return mark ? sha256(mark) : undefined
    },
  }
}
