import { checkLinks } from '../relay/links/check-links.ts'
import { idsOf, type Reference } from '../relay/links/references.ts'
import type { StorageAccount } from '../relay/upstream/accounts/account-request.ts'

type StoredItems = { content: Buffer; references: readonly Reference[] }

/** Checks the links in items of a conversation, which the vendor reads with each later call. Other objects have none. */
export const checkStoredLinks = (
  kind: string,
  channel: StorageAccount['channel'],
  { content, references }: StoredItems,
): void => {
  if (kind === 'conversations') checkLinks(channel, { body: content }, new Set(idsOf(references)))
}
