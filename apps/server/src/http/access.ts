import { type Access, type Endpoint, Fault, roles } from '@hub/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { type Identity, identify } from './session.ts'

const least: Record<Access, number> = {
  public: 0,
  optional: 0,
  user: roles.user,
  admin: roles.admin,
  root: roles.root,
}

/**
 * Open to a session while its first password waits to be changed: seeing oneself, changing it, leaving, and the public
 * pages. A script's access token is not a password, and was given on purpose.
 */
const openBeforeChange = new Set(['/api/user/self'])

/** Lets in whom the contract lets in, and says who it is. Decided on the routed endpoint, never on the address as sent. */
export const admitted = async (
  app: App,
  request: FastifyRequest,
  endpoint: Endpoint,
  path: string,
): Promise<Identity | undefined> => {
  const { access } = endpoint
  const isUnsafe = endpoint.method !== 'GET'
  if (access === 'public') {
    if (isUnsafe) refuseForeign(request)
    return undefined
  }
  const identity = await identify(app, request)
  if (isUnsafe && identity?.by !== 'token') refuseForeign(request)
  if (access === 'optional') return identity
  if (!identity) throw new Fault('session.missing')
  if (identity.role < least[access]) throw new Fault('access.denied')
  if (identity.mustChangePassword && identity.by === 'cookie' && !openBeforeChange.has(path))
    throw new Fault('password.change-needed')
  return identity
}

/**
 * Refuses what another site made the browser send. Browsers name the origin of every unsafe request; programs that
 * name none carry no cookie that is not their own.
 */
export const refuseForeign = (request: FastifyRequest) => {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new Fault('session.foreign')
  const { origin, host } = request.headers
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host))
    throw new Fault('session.foreign')
}
