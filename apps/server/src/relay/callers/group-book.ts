import { listRelayGroups } from '../../db/queries/relay-tokens.ts'
import { watched } from '../watched.ts'
import { limitsOf } from './limits.ts'

/** The enabled groups, by symbol, with what the calls of each of their users are held to. */
export const groupBook = watched(['groups'], async app => {
  const groups = await listRelayGroups(app.db)
  return new Map(
    groups
      .filter(each => each.isEnabled === 1)
      .map(each => [each.symbol, { perMinute: each.requestsPerMinute, limits: limitsOf(each) }]),
  )
})
