import type { Role } from '@hub/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import type { SignedIn, Visit } from '../core/implement.ts'
import * as sessions from '../db/queries/sessions.ts'
import * as users from '../db/queries/users.ts'
import { randomText, sha256 } from '../lib/random.ts'
import { idleSecondsMax, sessionSecondsMax } from '../lib/session-age.ts'
import { addressOf, isPrivate } from './visit.ts'

/** How stale `last_seen_at` may get before it is written again. */
const seenEverySeconds = 60

export type Identity = SignedIn & {
  mustChangePassword: boolean
  /** A browser sends a cookie on its own, a token never: only the first can be abused from another site. */
  by: 'cookie' | 'token'
}

/**
 * `__Host-` where the browser will keep it, the plain name elsewhere. The plain one is never read over TLS, where
 * somebody on the network could have planted it.
 */
const cookieName = (isSafe: boolean) => (isSafe ? '__Host-hub' : 'hub')

const sessionIdOf = (app: App, request: FastifyRequest): string | undefined =>
  request.cookies[cookieName(isPrivate(app, request))] || undefined

/** Who sends this request, by session cookie or by access token; role and status as they are now. */
export const identify = async (
  app: App,
  request: FastifyRequest,
): Promise<Identity | undefined> => {
  const bySession = await findBySession(app, request)
  const user = bySession ?? (await findByAccessToken(app, request))
  if (user?.status !== 1) return undefined
  return {
    userId: user.id,
    username: user.username,
    role: user.role as Role,
    group: user.group,
    ip: addressOf(app, request),
    requestId: request.id,
    mustChangePassword: user.must_change_password === 1,
    by: bySession ? 'cookie' : 'token',
  }
}

const findBySession = async (app: App, request: FastifyRequest) => {
  const id = sessionIdOf(app, request)
  if (!id) return undefined
  const now = Math.floor(app.now() / 1000)
  const idHash = sha256(id)
  const session = await sessions.findLive(app.db, idHash, now, now - idleSecondsMax)
  if (session && session.last_seen_at < now - seenEverySeconds)
    await sessions.touch(app.db, idHash, now)
  return session
}

const findByAccessToken = async (app: App, request: FastifyRequest) => {
  const token = request.headers.authorization?.replace(/^Bearer /i, '').trim()
  if (!token || token.length > 200) return undefined
  return users.findByAccessToken(app.db, app.seal.fingerprint('access-token', token))
}

export const makeVisit = (app: App, request: FastifyRequest, reply: FastifyReply): Visit => {
  const isSafe = isPrivate(app, request)
  const name = cookieName(isSafe)
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure: isSafe } as const
  const ip = addressOf(app, request)
  const userAgent = String(request.headers['user-agent'] ?? '').slice(0, 300)

  const endSession = async () => {
    const id = request.cookies[name]
    if (!id) return
    await sessions.end(app.db, sha256(id))
    reply.clearCookie(name, attributes)
  }
  return {
    ip,
    userAgent,
    requestId: request.id,
    isPrivate: isSafe,
    endSession,
    startSession: async userId => {
      await endSession()
      const id = randomText(32)
      const now = Math.floor(app.now() / 1000)
      await sessions.start(app.db, {
        id_hash: sha256(id),
        user_id: userId,
        created_at: now,
        last_seen_at: now,
        expires_at: now + sessionSecondsMax,
        ip,
        user_agent: userAgent,
      })
      reply.setCookie(name, id, { ...attributes, maxAge: sessionSecondsMax })
    },
  }
}
