import { type App, nowSeconds } from '../../core/app.ts'
import * as invitations from '../../db/queries/invitations.ts'
import { sumToppedUp } from '../../db/queries/top-ups.ts'
import { post } from '../ledger.ts'
import { giveReward, lockWithInviter } from './rewards.ts'

const batch = 200
const countDays = 3

/**
 * Rewards the inviters of users who have spent points that were no gift: gifts are spent first, so that the balance is
 * below the points of the top-ups. Safe on several nodes at once.
 */
export const rewardSpending = async (app: App): Promise<void> => {
  await invitations.removeCountsBefore(app.db, nowSeconds(app) - countDays * 86_400)
  const { InviterRewardTime } = app.settings().registration
  if (InviterRewardTime === 'payment') return
  let afterId = 0
  while (!app.stopping()) {
    const rows = await invitations.listFunded(app.db, afterId, batch)
    for (const { user_id, balance } of rows)
      if (balance < (await sumToppedUp(app.db, user_id))) await reward(app, user_id)
    if (rows.length < batch) return
    afterId = rows.at(-1)!.user_id
  }
}

const reward = (app: App, userId: number): Promise<void> =>
  app.db.transaction().execute(async tx => {
    await lockWithInviter(tx, userId)
    const row = await invitations.find(tx, userId)
    if (row) await post(app, tx, await giveReward(app, tx, row, ['waiting']))
  })
