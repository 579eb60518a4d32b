import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import type { AuthenticatedContext, ResolvedRequest } from '../context.ts'
import { resolveTarget } from '../responses-store/resolve-target.ts'
import { storingKeyOf } from '../responses-store/vendor/owner.ts'
import { makeCandidates } from '../routing/pick.ts'
import type { PaidStorage } from './gemini/object.ts'
import { openObject } from './object.ts'
import { listReferences } from './references.ts'

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
  const ids = listReferences(resolved.parsed.body, resolved.parsed.hasAddresses)
  return ids.length > 0 ? pin(app, context, resolved, ids) : resolved
}

const pin = async (
  app: App,
  { caller }: AuthenticatedContext,
  { parsed, target }: ResolvedRequest,
  ids: readonly string[],
): Promise<ResolvedRequest> => {
  const objects = await listOfOneAccount(app, caller.userId, [...new Set(ids)])
  const { channel_id, credential: fingerprint } = objects[0]!
  const channel = target.candidates.tiers
    .flatMap(each => each.channels)
    .find(each => each.id === channel_id)
  const key = channel && storingKeyOf(channel, fingerprint)
  if (!channel || !key)
    throw new Fault('stored.unavailable', { hint: 'Or it does not serve this model.' })
  if (target.key && target.key.fingerprint !== fingerprint) throw new Fault('stored.mixed')
  const promptTokens = parsed.promptTokens + cachedTokens(app, objects)
  const pinned = {
    candidates: makeCandidates([channel]),
    key,
    objects: new Set(ids),
    namedObjects: ids.map(id => objects.find(each => each.id === id)!),
  }
  return { parsed: { ...parsed, promptTokens }, target: { ...target, ...pinned } }
}

/** The tokens of stored prompts, which are part of the prompt that is sent. */
const cachedTokens = (app: App, objects: readonly storedResources.StoredResource[]): number =>
  objects
    .filter(each => each.kind === 'cached-contents')
    .map(each => openObject(app, each) as { storage?: PaidStorage })
    .reduce((sum, { storage }) => sum + (storage?.tokens ?? 0), 0)

/** The account that stores all of these objects of the user. Throws `stored.unknown` for those of others, too. */
export const requireOneAccount = async (
  app: App,
  userId: number,
  ids: readonly string[],
): Promise<storedResources.StoredResource> => (await listOfOneAccount(app, userId, ids))[0]!

/** All of these objects of the user, which one account stores. Throws `stored.unknown` for those of others, too. */
export const listOfOneAccount = async (
  app: App,
  userId: number,
  ids: readonly string[],
): Promise<storedResources.StoredResource[]> => {
  const rows = await storedResources.listOwned(app.callDb, userId, ids)
  const missing = ids.find(id => !rows.some(each => each.id === id))
  const [first] = rows
  if (missing !== undefined || !first)
    throw new Fault('stored.unknown', { hint: `Id: ${(missing ?? '').slice(0, 100)}.` })
  const { channel_id, credential } = first
  if (rows.some(each => each.channel_id !== channel_id || each.credential !== credential))
    throw new Fault('stored.mixed')
  return rows
}
