import { Fault, roles } from '@hub/contract'
import type { App } from '../core/app.ts'
import { readCredential } from './callers/credential.ts'
import { type KnownToken, tokenBook } from './callers/token-book.ts'
import type { Exchange } from './exchange.ts'

export type Identity = { token: KnownToken; pin: { only?: number; except?: number } | undefined }

/**
 * Whose call it is. Nothing of the body is read before: a refused key is cheap. Status, expiry and cap are guarded
 * once more by the hold, so that what is remembered here can be stale without costing anybody anything. A promise only
 * for a key that was not seen lately.
 */
export const identify = (app: App, exchange: Exchange): Identity | Promise<Identity> => {
  const { key, pin } = readCredential(exchange.request.headers, exchange.query)
  const book = tokenBook(app)
  const known = book.peek(key)
  return known
    ? check(app, exchange, known, pin)
    : book.find(key).then(found => check(app, exchange, found, pin))
}

const check = (
  app: App,
  exchange: Exchange,
  token: KnownToken | undefined,
  pin: Identity['pin'],
): Identity => {
  if (!token) throw new Fault('caller.unknown')
  if (!token.isUserEnabled) throw new Fault('caller.disabled')
  if (!token.isEnabled) throw new Fault('token.disabled')
  if (token.expiresAt !== -1 && token.expiresAt * 1_000 <= app.now())
    throw new Fault('token.expired')
  if (token.addresses && !token.addresses(exchange.ip)) throw new Fault('token.ip')
  if (pin && token.caller.role < roles.admin)
    throw new Fault('access.denied', { hint: 'Only administrators may name a channel.' })
  return { token, pin }
}
