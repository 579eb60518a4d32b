import { Fault, type ProviderAccount } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../../core/app.ts'
import { definedOnly } from '../../../core/crud.ts'
import { getChannel, openKeys, parseKeys, requireProvider } from '../channel.ts'
import { checkDestination, destinationOf } from '../destination.ts'

/** The account of a channel form. A stored key is sent to the channel's own address only. */
export const readAccount = async (
  app: App,
  { id, key, ...given }: z.output<typeof ProviderAccount>,
) => {
  requireProvider(given.type)
  const stored = id === undefined ? undefined : await getChannel(app.db, id)
  const givenKeys = parseKeys(key)
  const before = stored && destinationOf(app, stored)
  if (before && givenKeys.length === 0) checkDestination(before, given, ['key'])
  const keys = stored && givenKeys.length === 0 ? openKeys(app, stored) : givenKeys
  if (keys.length === 0) throw new Fault('channel.key_missing')
  const { base_url = '', proxy = '', other = '' } = { ...before, ...definedOnly(given) }
  return { type: given.type, base_url, proxy, other, key: keys[0]! }
}
