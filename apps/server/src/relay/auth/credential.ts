import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@hub/contract'
import { browserKeyProtocol } from '@hub/dialects'

/** The key of a request, and the channel that an administrator asks for or excludes by its suffix. */
export type CallerCredential = {
  key: string
  forcedChannel: { only?: number; except?: number } | undefined
}

/** Longer than any key. */
const lengthMax = 512

/** Reads the first credential header, of any dialect, or `?key=`. Throws `caller.unknown` where there is none. */
export const readCredential = (headers: IncomingHttpHeaders, query: string): CallerCredential => {
  const text =
    bearerOf(headers.authorization) ??
    single(headers['x-api-key']) ??
    single(headers['x-goog-api-key']) ??
    // Clients of Azure, and those of Midjourney's proxies.
    single(headers['api-key']) ??
    single(headers['mj-api-secret']) ??
    browserKey(headers['sec-websocket-protocol']) ??
    queryKey(query)
  if (text === undefined || text === '' || text.length > lengthMax)
    throw new Fault('caller.unknown')
  const mark = text.indexOf('#')
  const key = mark === -1 ? text : text.slice(0, mark)
  return { key, forcedChannel: mark === -1 ? undefined : readForcedChannel(text, mark + 1) }
}

const bearerOf = (header: string | undefined): string | undefined => {
  // Midjourney clients send this with every request, and the key in a header of its own.
  if (header === undefined || /^(bearer )?midjourney-proxy$/i.test(header)) return undefined
  const isBearer = header.slice(0, 7).toLowerCase() === 'bearer '
  return (isBearer ? header.slice(7) : header).trim()
}

/** A browser cannot set headers on a WebSocket, and sends its key as one of the sub-protocols. */
const browserKey = (protocols: string | undefined): string | undefined =>
  protocols
    ?.split(',')
    .map(each => each.trim())
    .find(each => each.startsWith(browserKeyProtocol))
    ?.slice(browserKeyProtocol.length)

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.trim() : undefined

const queryKey = (query: string): string | undefined =>
  query.includes('key=') ? (new URLSearchParams(query).get('key') ?? undefined) : undefined

/** `#id` forces a channel, `#!id` excludes it; `#id#ignore` applies to other routes than the relay's. */
const readForcedChannel = (text: string, from: number): CallerCredential['forcedChannel'] => {
  const suffix = text.slice(from)
  if (suffix.endsWith('#ignore')) return undefined
  const isRefusal = suffix.startsWith('!')
  const id = Number(isRefusal ? suffix.slice(1) : suffix)
  if (!Number.isSafeInteger(id) || id < 1)
    throw new Fault('request.invalid', { hint: 'The channel after # must be a number.' })
  return isRefusal ? { except: id } : { only: id }
}
