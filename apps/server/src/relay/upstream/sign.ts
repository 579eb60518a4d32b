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
/** What one channel is asked for again and again; a page of a list, or a day's figures, is not. */
const pathsMax = 16
/** Of channels whose address is the same for every call: by path. */
const fixed = perApp(() => new WeakMap<Channel, Map<string, Place>>())

/** The address is the channel's alone; the credential goes on last, so that nothing can replace it. */
export const signed = (app: App, signing: Signing, out: Unsigned): Outgoing => {
  const { channel, credential } = signing
  const place = locate(app, signing)
  const { method, body } = out
  const signature = channel.provider.sign(app, credential, { method, ...place, body })
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

const locate = (app: App, signing: Signing): Place => {
  const { channel, path } = signing
  if (typeof path !== 'string' || channel.provider.blanks) return placeOf(app, addressFor(signing))
  const ofChannel = fixed(app).get(channel) ?? new Map<string, Place>()
  const known = ofChannel.get(path)
  if (known) return known
  const place = placeOf(app, addressFor(signing))
  if (ofChannel.size < pathsMax) fixed(app).set(channel, ofChannel.set(path, place))
  return place
}

const addressFor = ({ channel, credential, path, model, stream, isBatch }: Signing): string => {
  const { provider, baseUrl, options, other } = channel
  const target = { baseUrl, options, other, model, stream, isBatch, credential }
  const address = addressOf(provider, { path }, target)
  if (address !== undefined) return address
  const detail = `channel ${channel.id} has it off, or its key names no account or region`
  throw new Fault('operation.unsupported', { detail })
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
