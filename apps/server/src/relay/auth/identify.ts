import type { IncomingHttpHeaders } from 'node:http'
import { Fault, roles } from '@hub/contract'
import { browserKeyProtocol } from '@hub/dialects'
import { placeholderKey } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { ForcedChannel, Identity, RequestContext } from '../context.ts'
import { type CachedToken, tokenCache } from './token-cache.ts'

/** The parts of a context that identify its caller. */
export type CallerSource = Pick<RequestContext, 'request' | 'query' | 'ip'> &
  Partial<Pick<RequestContext, 'record'>>

type Identified<Source> = Source & Identity

/** Made once, because the stack trace of a new one costs a sixteenth of a refusal. */
const unknownCaller = new Fault('caller.unknown')

/**
 * Finds the request's token and checks it; a promise only for a key that was not seen lately. Nothing of the body is
 * read before, so a refused key is cheap. The hold guards status, expiry and quota again: a stale cache costs nobody.
 */
export const identify = <Source extends CallerSource>(
  app: App,
  context: Source,
): Identified<Source> | Promise<Identified<Source>> => {
  const { key, forcedChannel } = readCredential(context.request.headers, context.query)
  return identifyKey(app, context, key, forcedChannel)
}

/** As `identify`, for a key that the request does not carry itself. */
export const identifyKey = <Source extends CallerSource>(
  app: App,
  context: Source,
  key: string,
  forcedChannel?: ForcedChannel,
): Identified<Source> | Promise<Identified<Source>> => {
  const tokens = tokenCache(app)
  const cached = tokens.peek(key)
  return cached
    ? authenticate(app, context, { token: cached, forcedChannel })
    : findToken(app, key, forcedChannel).then(found => authenticate(app, context, found))
}

type FoundToken = { token: CachedToken | undefined; forcedChannel: ForcedChannel | undefined }

/** Callers of One Hub and New API may leave `sk-` out. */
const findToken = async (
  app: App,
  key: string,
  forcedChannel: ForcedChannel | undefined,
): Promise<FoundToken> => {
  const whole = await findKey(app, key)
  const [, start, id] = (!whole && channelAfterHyphen.exec(key)) || []
  const found = start === undefined ? undefined : await findKey(app, start)
  if (!found) return { token: whole, forcedChannel }
  return { token: found, forcedChannel: forcedChannel ?? { only: Number(id) } }
}

const findKey = async (app: App, key: string): Promise<CachedToken | undefined> => {
  const { find } = tokenCache(app)
  return (await find(key)) ?? (key.startsWith('sk-') ? undefined : await find(`sk-${key}`))
}

/** `sk-…-id` forces a channel as `sk-…#id` does, as in One API and New API. A key that ends so by itself is found before. */
const channelAfterHyphen = /^(.{8,})-([1-9]\d{0,8})$/

const authenticate = <Source extends CallerSource>(
  app: App,
  context: Source,
  { token, forcedChannel }: FoundToken,
): Identified<Source> => {
  if (!token) throw unknownCaller
  const { caller } = token
  // A refused call belongs to the token's owner, too.
  if (context.record) context.record.caller = caller
  if (!token.isUserEnabled) throw new Fault('caller.disabled')
  if (!token.isEnabled) throw new Fault('token.disabled')
  if (token.expiresAt !== -1 && token.expiresAt * 1_000 <= app.now())
    throw new Fault('token.expired')
  if (token.addresses && !token.addresses(context.ip)) throw new Fault('token.ip')
  if (forcedChannel && caller.role < roles.admin)
    throw new Fault('access.denied', { hint: 'Only administrators may name a channel.' })
  return { ...context, token, caller, forcedChannel }
}

/** The key of a request, and the channel that an administrator asks for or excludes by its suffix. */
type CallerCredential = { key: string; forcedChannel: ForcedChannel | undefined }

/** Longer than any key. */
const lengthMax = 512

/** Reads the first credential header, of any dialect, or `?key=`. Throws `caller.unknown` where there is none. */
export const readCredential = (headers: IncomingHttpHeaders, query: string): CallerCredential => {
  const text = credentialText(headers, query)
  if (text === undefined || text === '' || text.length > lengthMax) throw unknownCaller
  const mark = text.indexOf('#')
  const key = mark === -1 ? text : text.slice(0, mark)
  return { key, forcedChannel: mark === -1 ? undefined : readForcedChannel(text, mark + 1) }
}

/** The request carries no key at all. */
export const isKeyless = ({ request, query }: Pick<RequestContext, 'request' | 'query'>): boolean =>
  credentialText(request.headers, query) === undefined

const credentialText = (headers: IncomingHttpHeaders, query: string): string | undefined =>
  bearerOf(headers.authorization) ??
  single(headers['x-api-key']) ??
  single(headers['x-goog-api-key']) ??
  // Clients of Azure, and those of Midjourney's proxies.
  single(headers['api-key']) ??
  single(headers['mj-api-secret']) ??
  browserKey(headers['sec-websocket-protocol']) ??
  queryKey(query)

const bearerOf = (header: string | undefined): string | undefined => {
  if (header === undefined || placeholderKey.test(header)) return undefined
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
