import { type Access, type Endpoint, Fault, roles } from '@hub/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { siteAddress } from '../core/site/address.ts'
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
    if (isUnsafe) refuseCrossOrigin(app, request)
    return undefined
  }
  const identity = await authenticate(app, request)
  if (isUnsafe && identity?.via !== 'token') refuseCrossOrigin(app, request)
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
 * Refuses requests that another site made the browser send (CSRF). Browsers say so in Sec-Fetch-Site, which no proxy
 * changes. Older ones name the origin only, which must be the requested host, or the address of the site if that is set.
 * A program that names neither holds only its own cookies.
 */
export const refuseCrossOrigin = (app: App, request: FastifyRequest) => {
  const { 'sec-fetch-site': site, origin, host } = request.headers
  if (site === 'same-origin') return
  if (site !== undefined) throw new Fault('session.cross_origin')
  if (origin === undefined) return
  const address = URL.parse(origin)
  const isOwn =
    address !== null &&
    (address.host === host || address.origin === URL.parse(siteAddress(app) ?? '')?.origin)
  if (!isOwn) throw new Fault('session.cross_origin')
}
