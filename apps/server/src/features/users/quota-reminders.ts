import type { App } from '../../core/app.ts'
import { quotaEmail } from '../../core/emails/quota-email.ts'
import { emit } from '../../core/notifications/emit.ts'
import { enqueue } from '../../core/queue.ts'
import { siteUrl } from '../../core/site/address.ts'
import { listSubscribed } from '../../db/queries/notification-targets.ts'
import * as reminders from '../../db/queries/reminders.ts'

const batchSize = 200

/**
 * Tells users that their quota is low, and again that it is used up; once each time the balance falls below the level.
 * The level and the queued messages are committed together, so that each is queued exactly once.
 */
export const remindOfQuota = async (app: App): Promise<void> => {
  const { QuotaRemindThreshold: threshold, SMTPServer } = app.settings().mail
  const highest = Math.max(threshold, await reminders.findHighestThreshold(app.db))
  if (highest === 0) return
  const limits = { threshold, highest, canMail: SMTPServer !== '' }
  await reminders.rearm(app.db, threshold)
  for (;;) {
    const crossed = await reminders.listBelowThreshold(app.db, limits, batchSize)
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
    const { site, mail } = app.settings()
    const key = `quota:${user.id}:${claimed.crossing}:${level}`
    const usd = (user.balance / site.QuotaPerUnit).toFixed(2)
    if ((await listSubscribed(tx, [user.id], 'balance.low')).length > 0)
      return emit(app, tx, {
        event: 'balance.low',
        key,
        userIds: [user.id],
        facts: { points: user.balance, usd },
      })
    if (user.email === '' || mail.SMTPServer === '') return
    // Without targets of their own users get an e-mail, as in One Hub.
    const email = quotaEmail(app.env.language, {
      name: user.display_name || user.username,
      site: site.SystemName,
      points: user.balance,
      usd,
      url: siteUrl(app, '/panel/topup'),
    })
    await enqueue(app, tx, 'notify', key, { to: user.email, ...email })
  })
