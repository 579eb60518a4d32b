import { Fault } from '@hub/contract'
import type { FormatId } from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { Channel } from '../channels/channel.ts'
import type { RoutingTarget } from '../context.ts'
import { listReferences, type Reference } from './references.ts'

type Leaving = {
  channel: Pick<Channel, 'options'>
  endpoint: Pick<Endpoint, 'storedResponses'>
  /** The format of the request that leaves. */
  format: FormatId
  body: Buffer
  /** Absent: they are looked for in the body. */
  references?: readonly Reference[] | undefined
}

/**
 * Checks what leaves: it may name what is the caller's own at the account that is called, and what the operator of the
 * channel shares. Throws `stored.unknown` for anything else.
 */
export const checkReferences = (
  { channel, endpoint, format, body, references }: Leaving,
  { objects }: Pick<RoutingTarget, 'objects'>,
): void => {
  const storesResponses = endpoint.storedResponses?.includes('answers') === true
  for (const each of references ?? listReferences(body, { format })) {
    if (each.isItem && !storesResponses) continue
    if (!objects?.has(each.id)) requireShared(channel, each)
  }
}

/** Throws `stored.unknown` for an object that the operator of the channel does not share. */
export const requireShared = (channel: Pick<Channel, 'options'>, reference: Reference): void => {
  if (!sharedObjects(channel).has(reference.id)) throw unknownReference(reference)
}

/** The ids that the operator lists, separated by commas or blanks. */
export const sharedObjects = ({ options }: Pick<Channel, 'options'>): ReadonlySet<string> => {
  const listed = options.links?.objects
  return new Set(typeof listed === 'string' ? listed.split(/[\s,]+/).filter(Boolean) : [])
}

export const unknownReference = ({ id, field }: Reference): Fault =>
  new Fault('stored.unknown', { hint: `${field}: ${id.slice(0, 100)}.` })
