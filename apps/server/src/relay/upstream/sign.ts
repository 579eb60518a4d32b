import { Fault } from '@hub/contract'
import { addressOf, type Path, type Target } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import { makeLru } from '../../lib/lru.ts'
import type { Channel } from '../channels/channel.ts'
import { setHeaders } from './headers.ts'
import type { Outgoing } from './send.ts'

type Signing = Pick<Target, 'model' | 'stream' | 'isBatch'> & {
  channel: Channel
  credential: string
  path: Path
}
type Unsigned = Pick<Outgoing, 'method' | 'headers' | 'body'>
type Place = { origin: string; path: string }

const placesMax = 1_000
const places = perApp(() => makeLru<string, Place>(placesMax))

/** The address is the channel's alone; the credential goes on last, so that nothing can replace it. */
export const signed = (
  app: App,
  { channel, credential, path, model, stream, isBatch }: Signing,
  out: Unsigned,
): Outgoing => {
  const { provider, baseUrl, options, other } = channel
  const target = { baseUrl, options, other, model, stream, isBatch, credential }
  const address = addressOf(provider, { path }, target)
  if (address === undefined) {
    const detail = `channel ${channel.id} has it off, or its key names no account or region`
    throw new Fault('operation.unsupported', { detail })
  }
  const place = placeOf(app, address)
  const { method, body } = out
  const signature = provider.sign(app, credential, { method, ...place, body })
  return {
    method,
    body,
    channel,
    credential,
    origin: place.origin,
    path: withQuery(place.path, signature.query),
    headers: setHeaders(out.headers, signature.headers),
  }
}

const placeOf = (app: App, address: string): Place => {
  const known = places(app).get(address)
  if (known) return known
  const { origin, pathname, search } = new URL(address)
  const place = { origin, path: pathname + search }
  places(app).set(address, place)
  return place
}

const withQuery = (path: string, query: Readonly<Record<string, string>>): string => {
  if (isEmpty(query)) return path
  const more = new URLSearchParams(query).toString()
  return `${path}${path.includes('?') ? '&' : '?'}${more}`
}

const isEmpty = (query: Readonly<Record<string, string>>): boolean => {
  for (const _ in query) return false
  return true
}
