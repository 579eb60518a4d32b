import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import type { AuthenticatedContext, ResolvedRequest } from '../context.ts'
import { resolveTarget } from '../responses-store/resolve-target.ts'
import { storingKeyOf } from '../responses-store/vendor/owner.ts'
import { makeCandidates } from '../routing/pick.ts'
import { namePrefixes, type PaidStorage } from './gemini/object.ts'
import { openObject } from './object.ts'
import { findReferences } from './references.ts'

/**
 * Resolves where a chat may go. One that names stored objects goes to the account that stores them, and only if all of
 * them belong to the caller.
 */
export const resolveWithObjects = (
  app: App,
  context: AuthenticatedContext,
  parsed: ParsedRequest,
  options: Parameters<typeof resolveTarget>[3] = {},
): ResolvedRequest | Promise<ResolvedRequest> => {
  const resolved = resolveTarget(app, context, parsed, options)
  if (resolved instanceof Promise) return resolved.then(each => pinToObjects(app, context, each))
  return pinToObjects(app, context, resolved)
}

const pinToObjects = (
  app: App,
  context: AuthenticatedContext,
  resolved: ResolvedRequest,
): ResolvedRequest | Promise<ResolvedRequest> => {
  const ids = findReferences(resolved.parsed.body)
  return ids.length === 0 ? resolved : pin(app, context, resolved, ids)
}

const pin = async (
  app: App,
  { caller }: AuthenticatedContext,
  { parsed, target }: ResolvedRequest,
  ids: readonly string[],
): Promise<ResolvedRequest> => {
  const { channel_id, credential: fingerprint } = await requireOneAccount(app, caller.userId, ids)
  const channel = target.candidates.tiers
    .flatMap(each => each.channels)
    .find(each => each.id === channel_id)
  const key = channel && storingKeyOf(channel, fingerprint)
  if (!channel || !key)
    throw new Fault('stored.unavailable', { hint: 'Or it does not serve this model.' })
  if (target.key && target.key.fingerprint !== fingerprint) throw new Fault('stored.mixed')
  const promptTokens = parsed.promptTokens + (await cachedTokens(app, caller.userId, ids))
  return {
    parsed: { ...parsed, promptTokens },
    target: { ...target, candidates: makeCandidates([channel]), key },
  }
}

/** The tokens of stored prompts, which a call with them reserves too. */
const cachedTokens = async (app: App, userId: number, ids: readonly string[]): Promise<number> => {
  const names = ids.filter(each => each.startsWith(namePrefixes['cached-contents']!))
  if (names.length === 0) return 0
  const rows = await storedResources.listOwned(app.callDb, userId, names)
  const stored = rows.map(each => openObject(app, each) as { storage?: PaidStorage })
  return stored.reduce((sum, { storage }) => sum + (storage?.tokens ?? 0), 0)
}

/** The account that stores all of these objects of the user. Throws `stored.unknown` for those of others, too. */
export const requireOneAccount = async (
  app: App,
  userId: number,
  ids: readonly string[],
): Promise<storedResources.StoredResource> => {
  const rows = await storedResources.listOwned(app.callDb, userId, ids)
  const missing = ids.find(id => !rows.some(each => each.id === id))
  const [first] = rows
  if (missing !== undefined || !first)
    throw new Fault('stored.unknown', { hint: `Id: ${(missing ?? '').slice(0, 100)}.` })
  const { channel_id, credential } = first
  if (rows.some(each => each.channel_id !== channel_id || each.credential !== credential))
    throw new Fault('stored.mixed')
  return first
}
