import type { Role } from '@hub/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, nowSeconds } from '../../core/app.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import * as sessions from '../../db/queries/sessions.ts'
import { idleSecondsMax, sessionSecondsMax } from '../../db/queries/sessions.ts'
import * as users from '../../db/queries/users.ts'
import { randomText, sha256 } from '../../lib/random.ts'
import { isSecureContext, requestAddress } from '../client-connection.ts'
import { browserMark } from './browser-mark.ts'
import { knownBrowser } from './known-browser.ts'

/** `last_seen_at` is written only when it is older than this. */
const lastSeenGraceSeconds = 60

export type AuthenticatedUser = SignedInUser & {
  mustChangePassword: boolean
  /** Browsers send cookies automatically but never tokens, so only cookies need a cross-origin check. */
  via: 'cookie' | 'token'
}

/**
 * Uses the `__Host-` prefix in a secure context. The plain name is never read there, because an attacker on the network
 * could have set it over HTTP.
 */
const cookieName = (isSecure: boolean) => (isSecure ? '__Host-hub' : 'hub')

const readSessionId = (app: App, request: FastifyRequest): string | undefined =>
  request.cookies[cookieName(isSecureContext(app, request))] || undefined

/** Identifies the user by session cookie or access token, with current role and status. */
export const authenticate = async (
  app: App,
  request: FastifyRequest,
): Promise<AuthenticatedUser | undefined> => {
  const bySession = await findBySession(app, request)
  const user = bySession ?? (await findByAccessToken(app, request))
  if (user?.status !== 1) return undefined
  return {
    userId: user.id,
    username: user.username,
    role: user.role as Role,
    group: user.group,
    ip: requestAddress(app, request),
    requestId: request.id,
    provedAt: bySession ? (bySession.proved_at ?? 0) : null,
    mustChangePassword: user.must_change_password === 1,
    via: bySession ? 'cookie' : 'token',
  }
}

const findBySession = async (app: App, request: FastifyRequest) => {
  const id = readSessionId(app, request)
  if (!id) return undefined
  const now = nowSeconds(app)
  const idHash = sha256(id)
  const session = await sessions.findActive(app.db, idHash, now, now - idleSecondsMax)
  if (session && session.last_seen_at < now - lastSeenGraceSeconds)
    await sessions.updateLastSeen(app.db, idHash, now)
  return session
}

const findByAccessToken = async (app: App, request: FastifyRequest) => {
  const token = request.headers.authorization?.replace(/^Bearer /i, '').trim()
  if (!token || token.length > 200) return undefined
  return users.findByAccessToken(app.db, app.seal.fingerprint('access-token', token))
}

/** The first language of an `Accept-Language` header that the product has. */
const languageOf = (header: string | undefined): HttpContext['language'] | undefined => {
  for (const tag of (header ?? '').slice(0, 200).split(',')) {
    const name = tag.trim().toLowerCase()
    if (/^zh-(hant|tw|hk|mo)/.test(name)) return 'zh_HK'
    if (name.startsWith('zh')) return 'zh_CN'
    if (name.startsWith('en')) return 'en_US'
    if (name.startsWith('ja')) return 'ja_JP'
  }
  return undefined
}

export const makeHttpContext = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  action: string,
): HttpContext => {
  const isSecure = isSecureContext(app, request)
  const name = cookieName(isSecure)
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure } as const
  const ip = requestAddress(app, request)
  const browser = knownBrowser(app, request, reply, isSecure)
  const userAgent = String(request.headers['user-agent'] ?? '').slice(0, 300)

  const endSession = async () => {
    const id = request.cookies[name]
    if (!id) return
    await sessions.end(app.db, sha256(id))
    reply.clearCookie(name, attributes)
  }
  return {
    ip,
    action,
    userAgent,
    language: languageOf(request.headers['accept-language']) ?? app.env.language,
    requestId: request.id,
    isSecureContext: isSecure,
    knownBrowser: browser.find,
    ...browserMark(request, reply, isSecure),
    endSession,
    sessionHash: () => (request.cookies[name] ? sha256(request.cookies[name]) : ''),
    signedInAt: async () => {
      const id = request.cookies[name]
      return id ? sessions.findStart(app.db, sha256(id)) : undefined
    },
    startSession: async userId => {
      await endSession()
      const id = randomText(32)
      const now = nowSeconds(app)
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
      browser.remember(userId)
    },
  }
}
