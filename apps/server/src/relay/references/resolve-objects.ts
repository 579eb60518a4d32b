import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type * as storedResources from '../../db/queries/stored-resources.ts'
import type { Channel } from '../channels/channel.ts'
import type {
  AuthenticatedContext,
  ReadContext,
  ResolvedRequest,
  RoutingTarget,
} from '../context.ts'
import { sharedObjects, unknownReference } from '../links/check-references.ts'
import { listReferences, type Reference } from '../links/references.ts'
import { openObject, type PaidStorage } from '../local-responses/sealed-object.ts'
import { type Candidates, makeCandidates } from '../routing/pick.ts'
import {
  isSameAccount,
  listOwnedReferences,
  type OwnedReference,
  type OwnedReferences,
} from './owned.ts'
import { storingKeyOf } from './owner.ts'
import { resolveTarget } from './resolve-response.ts'

/**
 * Resolves where a chat may go. One that names stored objects goes to the account that stores them, and only if all of
 * them belong to the caller.
 */
export const resolveWithObjects = (
  app: App,
  context: ReadContext,
  parsed: ParsedRequest,
  options: Parameters<typeof resolveTarget>[3] = {},
): ResolvedRequest | Promise<ResolvedRequest> => {
  const resolved = resolveTarget(app, context, parsed, options)
  if (resolved instanceof Promise) return resolved.then(each => pinToObjects(app, context, each))
  return pinToObjects(app, context, resolved)
}

/** As `resolveWithObjects`, for a call that was resolved otherwise. */
export const pinToObjects = (
  app: App,
  context: AuthenticatedContext,
  { parsed, target }: ResolvedRequest,
): ResolvedRequest | Promise<ResolvedRequest> => {
  const { body, hasAddresses } = parsed
  const references = listReferences(body, { format: context.dialect.id, hasAddresses })
  const resolved = { parsed, target: { ...target, references } }
  return references.length > 0 ? pin(app, context, resolved) : resolved
}

type WithReferences = ResolvedRequest & {
  target: RoutingTarget & { references: readonly Reference[] }
}

const pin = async (
  app: App,
  { caller }: AuthenticatedContext,
  { parsed, target }: WithReferences,
): Promise<ResolvedRequest> => {
  const previous = parsed.state?.previousResponseId
  // Its owner was checked before; the id of a local response is replaced.
  const references = target.references.filter(each => each.id !== previous)
  const owned = await listOwnedReferences(app, caller.userId, references)
  const required = references.filter(each => !each.isItem)
  const candidates = sharing(
    target.candidates,
    required.filter(each => !owned.has(each.id)),
  )
  const objects = new Set(previous === undefined ? [] : [previous])
  const backup = candidates === target.candidates ? target.backup : undefined
  const unpinned = { parsed, target: { ...target, candidates, backup, objects } }
  const account = accountOfAll(required, references, owned)
  if (!account) return unpinned
  const channel = channelsOf(candidates).find(each => each.id === account.channel_id)
  const key = channel && storingKeyOf(channel, account.credential)
  const isRequired = required.some(each => owned.has(each.id))
  if (!channel || !key) {
    if (!isRequired) return unpinned
    throw new Fault('stored.unavailable', { hint: 'Or it does not serve this model.' })
  }
  if (target.key && target.key.fingerprint !== account.credential) {
    if (!isRequired) return unpinned
    throw new Fault('stored.mixed')
  }
  for (const [id, each] of owned) if (isSameAccount(each, account)) objects.add(id)
  const namedObjects = references.flatMap(each => owned.get(each.id)?.resource ?? [])
  const storedTokens = cachedTokens(app, namedObjects)
  const promptTokens = parsed.promptTokens + storedTokens
  const pinned = {
    ...{ candidates: makeCandidates([channel]), backup: undefined, key },
    ...{ objects, namedObjects, storedTokens },
  }
  return { parsed: { ...parsed, promptTokens }, target: { ...target, ...pinned } }
}

const channelsOf = ({ tiers }: Candidates): Channel[] => tiers.flatMap(each => each.channels)

/** The channels whose operator shares all of these. Throws `stored.unknown` where none does. */
const sharing = (candidates: Candidates, unowned: readonly Reference[]): Candidates => {
  if (unowned.length === 0) return candidates
  const channels = channelsOf(candidates).filter(channel =>
    unowned.every(each => sharedObjects(channel).has(each.id)),
  )
  if (channels.length === 0) throw unknownReference(unowned[0]!)
  return makeCandidates(channels)
}

/** The account of what must be found, or else of items that a vendor may look up. Undefined: any account. */
const accountOfAll = (
  required: readonly Reference[],
  all: readonly Reference[],
  owned: OwnedReferences,
): OwnedReference | undefined => {
  const accountsOf = (references: readonly Reference[]) =>
    references.flatMap(each => owned.get(each.id) ?? [])
  const [first, ...others] = accountsOf(required)
  if (first && others.some(each => !isSameAccount(each, first))) throw new Fault('stored.mixed')
  return first ?? accountsOf(all).at(-1)
}

/** The tokens of stored prompts, which are part of the prompt that is sent. */
const cachedTokens = (app: App, objects: readonly storedResources.StoredResource[]): number =>
  [...new Set(objects)]
    .filter(each => each.kind === 'cached-contents')
    .map(each => openObject(app, each) as { storage?: PaidStorage })
    .reduce((sum, { storage }) => sum + (storage?.tokens ?? 0), 0)
