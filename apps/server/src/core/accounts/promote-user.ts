import type { Database } from '../../db/index.ts'
import * as groups from '../../db/queries/groups.ts'
import * as tokens from '../../db/queries/tokens.ts'
import { sumToppedUp } from '../../db/queries/top-ups.ts'
import * as users from '../../db/queries/users.ts'
import type { App } from '../app.ts'

const defaultGroup = 'default'

/** A promotion, or its end. */
export type GroupChange = { from: string; to: string }

type Promotion = Awaited<ReturnType<typeof groups.listPromotions>>[number]

/**
 * Moves a user to the group that their top-ups have reached, with the `added` points that this transaction is about to
 * post. Call it before `post`, which locks accounts last. Nobody is moved down, nor out of a group that an
 * administrator chose.
 */
export const promoteUser = async (
  app: App,
  tx: Database,
  userId: number,
  added: number,
): Promise<GroupChange | undefined> => {
  const reachable = await groups.listPromotions(tx)
  if (reachable.length === 0) return undefined
  await users.lock(tx, userId)
  const reached = reachedBy(reachable, await dollarsOf(app, tx, userId, added))
  const user = await users.find(tx, userId)
  if (!user || !reached || reached.symbol === user.group) return undefined
  const current = reachable.find(({ symbol }) => symbol === user.group)
  const isHigher = current ? minOf(reached) > minOf(current) : user.group === defaultGroup
  if (!isHigher) return undefined
  const promoted_from = isPromoted(user) ? user.promoted_from : user.group
  return move(tx, user, { group: reached.symbol, promoted_from, promoted_to: reached.symbol })
}

/**
 * Takes a promotion back whose amount the top-ups, less the `removed` points, do not reach any more. The user gets the
 * group that the rest reaches, or the one before the promotion. A group that an administrator chose since stays.
 */
export const takeBackPromotion = async (
  app: App,
  tx: Database,
  userId: number,
  removed: number,
): Promise<GroupChange | undefined> => {
  await users.lock(tx, userId)
  const user = await users.find(tx, userId)
  if (!user || !isPromoted(user)) return undefined
  const dollars = await dollarsOf(app, tx, userId, -removed)
  const current = await groups.findBySymbol(tx, user.group)
  if (current && dollars >= minOf(current)) return undefined
  const reachable = await groups.listPromotions(tx)
  const reached = reachedBy(reachable, dollars)
  const base = await groups.findBySymbol(tx, user.promoted_from ?? defaultGroup)
  const baseMin = reachable.some(({ symbol }) => symbol === base?.symbol) ? minOf(base!) : -1
  if (reached && minOf(reached) > baseMin)
    return move(tx, user, { group: reached.symbol, promoted_to: reached.symbol })
  const group = base?.symbol ?? defaultGroup
  return move(tx, user, { group, promoted_from: null, promoted_to: null })
}

/** True while the user has the group that a top-up gave. */
const isPromoted = ({ group, promoted_to }: users.UserRow): boolean => promoted_to === group

const minOf = ({ min }: { min: number | null }): number => min ?? 0

const reachedBy = (reachable: readonly Promotion[], dollars: number): Promotion | undefined =>
  reachable.find(({ min, max }) => dollars >= (min ?? 0) && (!max || dollars < max))

const dollarsOf = async (app: App, tx: Database, userId: number, added: number): Promise<number> =>
  ((await sumToppedUp(tx, userId)) + added) / app.settings().site.QuotaPerUnit

type Move = { group: string; promoted_to: string | null; promoted_from?: string | null }

const move = async (tx: Database, user: users.UserRow, change: Move): Promise<GroupChange> => {
  await users.update(tx, user.id, change)
  await tokens.announceChange(tx, { user_id: user.id })
  return { from: user.group, to: change.group }
}
