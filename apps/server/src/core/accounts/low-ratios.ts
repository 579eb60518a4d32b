import { lowRatio } from '@hub/contract'
import type { GroupRow } from '../../db/queries/groups.ts'
import type { App } from '../app.ts'
import type { SignedInUser } from '../implement.ts'
import { requireRight } from './money-rights.ts'

export const isLowRatio = (ratio: string): boolean => Number(ratio) < lowRatio

/** Throws unless the user may lower ratios as far, and open groups with such ratios, as the write did. */
export const requireLowRatios = (
  app: App,
  caller: SignedInUser,
  before: readonly GroupRow[],
  after: readonly GroupRow[],
): void => {
  const stored = new Map(before.map(row => [row.id, row]))
  const given = after.filter(row => isLowRatio(row.ratio) && givesMore(stored.get(row.id), row))
  if (given.length === 0) return
  const names = given.map(({ symbol }) => symbol).join(', ')
  requireRight(app, caller, 'low_ratios', `Group: ${names}.`)
}

/** A lower ratio, or more users who may have it: by choice, by the switch, or by what they paid. */
const givesMore = (before: GroupRow | undefined, after: GroupRow): boolean => {
  if (!before || Number(after.ratio) < Number(before.ratio)) return true
  const isOpened = (field: 'public' | 'enable' | 'promotion') =>
    (after[field] ?? 0) > (before[field] ?? 0)
  const hasOtherRange =
    after.promotion === 1 && (after.min !== before.min || after.max !== before.max)
  return isOpened('public') || isOpened('enable') || isOpened('promotion') || hasOtherRange
}
