import { Fault, roles } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import type { RequestContext } from '../context.ts'
import { readCredential } from './credential.ts'
import { type CachedToken, tokenCache } from './token-cache.ts'

/** The parts of a context that identify its caller. */
export type CallerSource = Pick<
  RequestContext,
  'request' | 'query' | 'ip' | 'token' | 'caller' | 'forcedChannel'
>
type Identified<Source> = Source & { readonly token: CachedToken; readonly caller: Caller }

/**
 * Finds the request's token and checks it; a promise only for a key that was not seen lately. Nothing of the body is
 * read before, so a refused key is cheap. The hold guards status, expiry and quota again: a stale cache costs nobody.
 */
export const identify = <Source extends CallerSource>(
  app: App,
  context: Source,
): Identified<Source> | Promise<Identified<Source>> => {
  const { key, forcedChannel } = readCredential(context.request.headers, context.query)
  context.forcedChannel = forcedChannel
  const tokens = tokenCache(app)
  const cached = tokens.peek(key)
  return cached
    ? authenticate(app, context, cached)
    : tokens.find(key).then(found => authenticate(app, context, found))
}

const authenticate = <Source extends CallerSource>(
  app: App,
  context: Source,
  token: CachedToken | undefined,
): Identified<Source> => {
  if (!token) throw new Fault('caller.unknown')
  // A refused call belongs to the token's owner, too.
  context.token = token
  context.caller = token.caller
  if (!token.isUserEnabled) throw new Fault('caller.disabled')
  if (!token.isEnabled) throw new Fault('token.disabled')
  if (token.expiresAt !== -1 && token.expiresAt * 1_000 <= app.now())
    throw new Fault('token.expired')
  if (token.addresses && !token.addresses(context.ip)) throw new Fault('token.ip')
  if (context.forcedChannel && token.caller.role < roles.admin)
    throw new Fault('access.denied', { hint: 'Only administrators may name a channel.' })
  return context as Identified<Source>
}
