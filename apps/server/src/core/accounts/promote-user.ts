import type { Database } from '../../db/index.ts'
import * as groups from '../../db/queries/groups.ts'
import * as tokens from '../../db/queries/tokens.ts'
import { sumToppedUp } from '../../db/queries/top-ups.ts'
import * as users from '../../db/queries/users.ts'
import type { App } from '../app.ts'

const defaultGroup = 'default'

/**
 * Moves a user to the group that their top-ups have reached, with the `added` points of the top-up that this transaction
 * is about to post. Call it before `post`, which locks accounts last. Nobody is moved down, nor out of a group that an
 * administrator chose. Returns the new group.
 */
export const promoteUser = async (
  app: App,
  tx: Database,
  userId: number,
  added: number,
): Promise<string | undefined> => {
  const reachable = await groups.listPromotions(tx)
  if (reachable.length === 0) return undefined
  const { QuotaPerUnit } = app.settings().site
  const paid = ((await sumToppedUp(tx, userId)) + added) / QuotaPerUnit
  const reached = reachable.find(({ min, max }) => paid >= (min ?? 0) && (!max || paid < max))
  const user = await users.find(tx, userId)
  if (!user || !reached || reached.symbol === user.group) return undefined
  const current = reachable.find(({ symbol }) => symbol === user.group)
  const isHigher = current ? (reached.min ?? 0) > (current.min ?? 0) : user.group === defaultGroup
  if (!isHigher) return undefined
  await tokens.announceChange(tx, { user_id: userId })
  await users.update(tx, userId, { group: reached.symbol })
  return reached.symbol
}
