import { type Access, type Endpoint, Fault, roles } from '@hub/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { type AuthenticatedUser, authenticate } from './sessions/session.ts'

const minimumRole: Record<Access, number> = {
  public: 0,
  optional: 0,
  user: roles.user,
  admin: roles.admin,
  root: roles.root,
}

/**
 * Paths that a session may use before it has changed its first password; public endpoints stay open too. The rule does
 * not apply to access tokens, which are not passwords.
 */
const openBeforePasswordChange = new Set(['/api/user/self'])

/** Checks the caller against the access rule of the routed endpoint, and returns who calls. Throws when refused. */
export const authorize = async (
  app: App,
  request: FastifyRequest,
  endpoint: Endpoint,
  path: string,
): Promise<AuthenticatedUser | undefined> => {
  const { access } = endpoint
  const isUnsafe = endpoint.method !== 'GET'
  if (access === 'public') {
    if (isUnsafe) refuseCrossOrigin(request)
    return undefined
  }
  const identity = await authenticate(app, request)
  if (isUnsafe && identity?.via !== 'token') refuseCrossOrigin(request)
  if (access === 'optional') return identity
  if (!identity) throw new Fault('session.missing')
  if (identity.role < minimumRole[access]) throw new Fault('access.denied')
  if (
    identity.mustChangePassword &&
    identity.via === 'cookie' &&
    !openBeforePasswordChange.has(path)
  )
    throw new Fault('password.change_needed')
  return identity
}

/**
 * Refuses requests that another site made the browser send (CSRF). Browsers name the origin of every unsafe request;
 * a program that names none holds only its own cookies.
 */
export const refuseCrossOrigin = (request: FastifyRequest) => {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new Fault('session.cross_origin')
  const { origin, host } = request.headers
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host))
    throw new Fault('session.cross_origin')
}
