import type { ParsedRequest } from '@hub/dialects'
import { cacheKeyScope } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { Channel } from '../../channels/channel.ts'
import type { Attempt, CallContext } from '../../context.ts'

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
    scope === 'user' ? '' : (session ?? (translation ? beginningOf(parsed) : undefined))
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

const headFields = ['system', 'systemInstruction', 'system_instruction', 'instructions', 'tools']
const turnFields = ['messages', 'input', 'contents']

/** What all calls of a conversation begin with: instructions, tools and turns up to the first of the user. */
const beginningOf = ({ body, fieldRanges }: ParsedRequest): string => {
  const textOf = (name: string): string => {
    const range = fieldRanges.get(name)
    return range ? body.toString('utf8', range.start, range.end) : ''
  }
  const turns: unknown = JSON.parse(turnFields.map(textOf).find(each => each !== '') ?? 'null')
  const first = Array.isArray(turns) ? turns.findIndex(each => each?.role === 'user') : -1
  const opening = Array.isArray(turns) ? turns.slice(0, first + 1) : turns
  return JSON.stringify([...headFields.map(textOf), opening])
}
