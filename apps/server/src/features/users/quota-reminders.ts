import type { App } from '../../core/app.ts'
import { quotaEmail } from '../../core/emails/quota-email.ts'
import { enqueue } from '../../core/queue.ts'
import * as reminders from '../../db/queries/reminders.ts'

const batchSize = 200

/**
 * Emails users whose quota is low, and again when it is used up; once each time the balance falls below the level. The
 * level and the queued email are committed together, so that each email is queued exactly once.
 */
export const remindOfQuota = async (app: App): Promise<void> => {
  const { QuotaRemindThreshold: threshold, SMTPServer } = app.settings().mail
  if (threshold === 0 || SMTPServer === '') return
  await reminders.rearm(app.db, threshold)
  for (;;) {
    const crossed = await reminders.listBelowThreshold(app.db, threshold, batchSize)
    for (const user of crossed) await remindUser(app, user)
    if (crossed.length < batchSize) return
  }
}

type Crossed = Awaited<ReturnType<typeof reminders.listBelowThreshold>>[number]

const remindUser = (app: App, user: Crossed): Promise<void> =>
  app.db.transaction().execute(async tx => {
    const level = user.balance === 0 ? reminders.usedUpLevel : reminders.lowLevel
    const claimed = await reminders.claim(tx, user.id, level)
    if (!claimed) return
    const { site } = app.settings()
    const email = quotaEmail(app.env.language, {
      name: user.display_name || user.username,
      site: site.SystemName,
      points: user.balance,
      usd: (user.balance / site.QuotaPerUnit).toFixed(2),
      url: new URL('/panel/topup', site.ServerAddress).href,
    })
    const key = `quota:${user.id}:${claimed.crossing}:${level}`
    await enqueue(app, tx, 'notify', key, { to: user.email, ...email })
  })
