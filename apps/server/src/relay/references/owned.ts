import type { App } from '../../core/app.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import type { Reference } from '../links/references.ts'

/** The account that stores what a request names. `resource` is set for objects that the caller stored. */
export type OwnedReference = {
  channel_id: number
  credential: string
  resource?: storedResources.StoredResource
}

export type OwnedReferences = ReadonlyMap<string, OwnedReference>

export type StoringAccount = Pick<OwnedReference, 'channel_id' | 'credential'>

export const isSameAccount = (one: StoringAccount, other: StoringAccount): boolean =>
  one.channel_id === other.channel_id && one.credential === other.credential

/** Finds those of the references that belong to the user, by their ids. */
export const listOwnedReferences = async (
  app: App,
  userId: number,
  references: readonly Reference[],
): Promise<OwnedReferences> => {
  const owned = new Map<string, OwnedReference>()
  const objects = idsOwnedBy(references, 'object')
  if (objects.length > 0)
    for (const row of await storedResources.listOwned(app.callDb, userId, objects))
      owned.set(row.id, { channel_id: row.channel_id, credential: row.credential, resource: row })
  const answers = idsOwnedBy(references, 'answer')
  if (answers.length > 0)
    for (const row of await vendorResponses.listOwned(app.callDb, userId, answers))
      owned.set(row.id, row)
  return owned
}

const idsOwnedBy = (references: readonly Reference[], owner: Reference['owner']): string[] => [
  ...new Set(references.flatMap(each => (each.owner === owner ? each.id : []))),
]
