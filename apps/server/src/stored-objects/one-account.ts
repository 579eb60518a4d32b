import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import * as storedResources from '../db/queries/stored-resources.ts'
import { unknownReference } from '../relay/links/check-references.ts'
import type { Reference } from '../relay/links/references.ts'
import {
  isSameAccount,
  listOwnedReferences,
  type StoringAccount,
} from '../relay/references/owned.ts'

/** The account that stores all of these for the user. Throws `stored.unknown` for what belongs to others, too. */
export const requireOneAccount = async (
  app: App,
  userId: number,
  references: readonly Reference[],
): Promise<StoringAccount> => {
  const owned = await listOwnedReferences(app, userId, references)
  const accounts = references.map(each => {
    const account = owned.get(each.id)
    if (!account) throw unknownReference(each)
    return account
  })
  if (accounts.some(each => !isSameAccount(each, accounts[0]!))) throw new Fault('stored.mixed')
  return accounts[0]!
}

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
