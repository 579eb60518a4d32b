import { cachedQuery } from '../../core/cached-query.ts'
import { listRelayGroups } from '../../db/queries/relay-tokens.ts'
import { limitsOf } from './limit-fields.ts'

/** The enabled groups by symbol, with the limits that hold for each of their users. */
export const groupCache = cachedQuery(['groups'], async app => {
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
