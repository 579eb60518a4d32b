import type { User } from '@hub/contract'

type RankedUser = Pick<User, 'id' | 'role'>

/** The key of the reason why `me` may not manage this account; undefined if it is allowed. */
export const manageRefusalOf = (me: RankedUser, other: RankedUser): string | undefined => {
  if (me.id === other.id) return 'users.rank.self'
  if (other.role >= me.role) return 'users.rank.equal'
  return undefined
}

/** The key of the reason why `me` may not change the role; only the super administrator may. */
export const roleChangeRefusalOf = (me: RankedUser, other: RankedUser): string | undefined =>
  manageRefusalOf(me, other) ?? (me.role < 100 ? 'users.rank.rootOnly' : undefined)
