import type { RequestContext } from '../context.ts'

/** The origin that the caller used. A proxy in front of the gateway names its own protocol. */
export const originOf = ({ request }: Pick<RequestContext, 'request'>): string => {
  const [forwarded] = String(request.headers['x-forwarded-proto'] ?? '').split(',')
  const isTls = 'encrypted' in request.socket || forwarded?.trim() === 'https'
  return `${isTls ? 'https' : 'http'}://${request.headers.host}`
}
