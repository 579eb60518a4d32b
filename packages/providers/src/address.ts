import { gateway as cloudflareGateway } from './cloudflare/gateway.ts'
import type { Endpoint, EndpointPath, Gateway, PathContext, Provider } from './define.ts'

const gateways: readonly Gateway[] = [cloudflareGateway]

/** A path with a suffix, placed before the query of the path. */
export const appendToPath =
  (path: EndpointPath, suffix: string): EndpointPath =>
  context => {
    const resolved = typeof path === 'string' ? path : path(context)
    if (resolved === undefined) return undefined
    const [pathname = '', ...query] = resolved.split('?')
    return [pathname + suffix, ...query].join('?')
  }

type AddressedProvider = Pick<Provider, 'baseUrl' | 'placeholders' | 'hasVersionedPaths'>
type AddressContext = PathContext & { baseUrl: string; credential?: string }

/** The full URL. Undefined: the channel switched the endpoint off, or lacks a value for a placeholder. */
export const addressOf = (
  provider: AddressedProvider,
  endpoint: Pick<Endpoint, 'path' | 'fromOrigin'>,
  channel: AddressContext,
): string | undefined => {
  const base = baseOf(provider, channel)
  const path = typeof endpoint.path === 'string' ? endpoint.path : endpoint.path(channel)
  if (path === undefined || !base) return undefined
  if (endpoint.fromOrigin) return new URL(base).origin + path
  for (const { origin, rewritePath } of gateways)
    if (base.startsWith(origin)) return base + rewritePath(path)
  return base + path
}

const baseOf = (
  { baseUrl, placeholders, hasVersionedPaths }: AddressedProvider,
  { baseUrl: channelBaseUrl, credential = '', other }: AddressContext,
): string | undefined => {
  const given = (channelBaseUrl || baseUrl).replace(/\/+$/, '')
  const base = hasVersionedPaths ? given.replace(/\/v1(beta)?$/, '') : given
  if (!placeholders || !base.includes('{')) return base
  const values = placeholders({ credential, other })
  let isComplete = true
  const filled = base.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    // A value must not lead to another host or path.
    isComplete &&= /^\w[\w.-]*$/.test(value)
    return value
  })
  return isComplete ? filled : undefined
}
