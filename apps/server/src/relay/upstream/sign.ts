import { Fault } from '@hub/contract'
import { addressOf, type EndpointPath, type PathContext } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { makeLru } from '../../lib/lru.ts'
import type { Channel } from '../channels/channel.ts'
import { setHeaders } from './headers.ts'
import type { Outgoing } from './send.ts'

type SigningInput = Pick<PathContext, 'model' | 'stream' | 'isBatch'> & {
  channel: Channel
  credential: string
  path: EndpointPath
  fromOrigin?: boolean | undefined
}
type UnsignedRequest = Pick<Outgoing, 'method' | 'headers' | 'body'>
type UpstreamAddress = { origin: string; path: string }

const addressesMax = 1_000
const parsedAddresses = appScoped(() => makeLru<string, UpstreamAddress>(addressesMax))
/** Enough for a channel's endpoints; paths with cursors or dates would fill the cache. */
const pathsMax = 16
/** By path, for channels whose address does not depend on the call. */
const fixedAddresses = appScoped(() => new WeakMap<Channel, Map<string, UpstreamAddress>>())

/** Addresses and signs a request. The credential is set last, so that no other header can replace it. */
export const signRequest = (
  app: App,
  input: SigningInput,
  { method, headers, body }: UnsignedRequest,
): Outgoing => {
  const { channel, credential } = input
  const { origin, path } = addressFor(app, input)
  const signature = channel.provider.sign(app, credential, {
    method,
    origin,
    path,
    // No vendor that takes forms signs its bodies.
    body: Buffer.isBuffer(body) ? body : null,
  })
  return {
    method,
    body,
    channel,
    credential,
    origin,
    path: withQuery(path, signature.query),
    headers: setHeaders(headers, signature.headers),
  }
}

const addressFor = (app: App, input: SigningInput): UpstreamAddress => {
  const { channel, path } = input
  if (typeof path !== 'string' || channel.provider.placeholders)
    return parseAddress(app, urlOf(input))
  const byPath = fixedAddresses(app).get(channel) ?? new Map<string, UpstreamAddress>()
  const cached = byPath.get(path)
  if (cached) return cached
  const address = parseAddress(app, urlOf(input))
  if (byPath.size < pathsMax) fixedAddresses(app).set(channel, byPath.set(path, address))
  return address
}

const urlOf = (input: SigningInput): string => {
  const { channel, credential, path, fromOrigin = false, model, stream, isBatch } = input
  const { provider, baseUrl, options, other } = channel
  const target = { baseUrl, options, other, model, stream, isBatch, credential }
  const url = addressOf(provider, { path, fromOrigin }, target)
  if (url !== undefined) return url
  const detail = `channel ${channel.id} has it disabled, or its key names no account or region`
  throw new Fault('operation.unsupported', { detail })
}

const parseAddress = (app: App, url: string): UpstreamAddress => {
  const cached = parsedAddresses(app).get(url)
  if (cached) return cached
  const { origin, pathname, search } = new URL(url)
  const address = { origin, path: pathname + search }
  parsedAddresses(app).set(url, address)
  return address
}

const withQuery = (path: string, query: Readonly<Record<string, string>>): string => {
  if (isEmpty(query)) return path
  const more = new URLSearchParams(query).toString()
  return `${path}${path.includes('?') ? '&' : '?'}${more}`
}

export const isEmpty = (fields: object): boolean => {
  for (const _ in fields) return false
  return true
}
