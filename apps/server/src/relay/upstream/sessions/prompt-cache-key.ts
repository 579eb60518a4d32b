import { cacheKeyScope } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { Channel } from '../../channels/channel.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { conversationStart } from '../../request/session-key.ts'

/** As in the documents of OpenAI, which allows 64. */
const digits = 32

/**
 * The key by which a vendor finds a session's cached prompt, for a caller that gave none. Two users never have the same
 * one, so that nobody can learn from the time of an answer what another has asked.
 */
export const promptCacheKeyOf = (
  app: App,
  { caller, parsed, session }: Pick<CallContext, 'caller' | 'parsed' | 'session'>,
  { channel, endpoint, translation }: Pick<Attempt, 'channel' | 'endpoint' | 'translation'>,
): string | undefined => {
  if (!endpoint.promptCacheKey) return undefined
  const scope = scopeOf(channel)
  if (scope === 'off') return undefined
  // The bytes of a plain chat pass as they are, so that its prompt is not read for this.
  const identity =
    scope === 'user' ? '' : (session ?? (translation ? conversationStart(parsed) : undefined))
  if (identity === undefined) return undefined
  const text = JSON.stringify([caller.userId, scope, identity])
  return app.seal.fingerprint('prompt-cache', text).slice(0, digits)
}

/** Another address may belong to a vendor that refuses the field. */
const scopeOf = (channel: Channel): 'session' | 'user' | 'off' => {
  const scope = cacheKeyScope(channel.options)
  if (scope === 'session' || scope === 'user' || scope === 'off') return scope
  const own = hostOf(channel.provider.baseUrl)
  return channel.baseUrl === '' || own === undefined || hostOf(channel.baseUrl) === own
    ? 'session'
    : 'off'
}

const hostOf = (address: string): string | undefined => URL.parse(address)?.hostname
