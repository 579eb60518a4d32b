import { Fault, type LimitFields } from '@hub/contract'
import { cachedQuery } from '../../core/app-scoped.ts'
import type { Caller } from '../../core/call.ts'
import { listRelayGroups } from '../../db/queries/relay-tokens.ts'
import { limitsOf } from './limit-fields.ts'

export type RelayGroup = { perMinute: number; isPublic: boolean; limits: LimitFields | undefined }

/** The enabled groups by symbol, with the limits that hold for each of their users. */
export const groupCache = cachedQuery<ReadonlyMap<string, RelayGroup>>(['groups'], async app => {
  const groups = await listRelayGroups(app.callDb)
  return new Map(
    groups
      .filter(each => each.isEnabled === 1)
      .map(each => {
        const { symbol, requestsPerMinute, isPublic } = each
        const limits = limitsOf(each)
        return [symbol, { perMinute: requestsPerMinute, isPublic: isPublic === 1, limits }]
      }),
  )
})

/** The group of a token, if it is enabled and its owner may use it. */
export const requireGroup = (
  groups: ReadonlyMap<string, RelayGroup>,
  { group: symbol, userGroup }: Pick<Caller, 'group' | 'userGroup'>,
): RelayGroup => {
  const group = groups.get(symbol)
  if (group === undefined) throw new Fault('token.group')
  // The owner may have been moved out of the group since the token was made.
  if (!group.isPublic && symbol !== userGroup)
    throw new Fault('token.group', { hint: 'The group is private.' })
  return group
}
