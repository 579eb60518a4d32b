import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/tokens.ts'
import { inOrder } from './token.ts'

/** Deletes tokens of a user, all or none. Throws `resource.missing` if one of them is not the user's. */
export const removeTokens = async (
  app: App,
  { userId }: Pick<SignedInUser, 'userId'>,
  named: readonly number[],
): Promise<number> => {
  const ids = inOrder(named)
  await app.db.transaction().execute(async tx => {
    await rows.announceChange(tx, { ids })
    const removed = await rows.remove(tx, userId, ids, nowSeconds(app))
    if (removed < ids.length) throw new Fault('resource.missing')
  })
  return ids.length
}
