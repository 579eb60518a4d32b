import type { User } from '@hub/contract'

type Person = Pick<User, 'id' | 'role'>

/** Why the signed-in administrator may not manage this account; undefined where they may. */
export const refusalOf = (me: Person, other: Person): string | undefined => {
  if (me.id === other.id) return 'users.rank.self'
  if (other.role >= me.role) return 'users.rank.equal'
  return undefined
}

/** Roles are changed by the super administrator only. */
export const roleRefusalOf = (me: Person, other: Person): string | undefined =>
  refusalOf(me, other) ?? (me.role < 100 ? 'users.rank.rootOnly' : undefined)
