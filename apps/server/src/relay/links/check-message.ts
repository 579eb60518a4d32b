import { type FormatId, readFieldRanges } from '@hub/dialects'
import { checkMessageLinks, type LinkChannel } from './check-links.ts'
import { requireShared } from './check-references.ts'
import { listReferences } from './references.ts'

/** Messages with audio, nearly all of a session, have none of these. */
const linkNames = ['url"', 'uri"', 'Url"', 'Uri"', 'URL"', 'URI"', '\\u00'].map(each =>
  Buffer.from(each),
)

/**
 * Checks a message of a session before it leaves: its links, and what it names at the account. A session belongs to no
 * account before it is opened, so that only shared objects may be named. A message that is not JSON names nothing.
 */
export const checkMessage = (channel: LinkChannel, format: FormatId, message: Buffer): void => {
  if (!isJsonObject(message)) return
  if (linkNames.some(each => message.includes(each))) checkMessageLinks(channel, message)
  for (const each of listReferences(message, { format })) requireShared(channel, each)
}

const isJsonObject = (message: Buffer): boolean =>
  readFieldRanges(message, 0, message.length, []).ok
