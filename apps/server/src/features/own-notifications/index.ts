import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import * as reminders from '../../db/queries/reminders.ts'
import * as targets from '../../notifications/targets.ts'

/** The targets of the caller, and the balance below which the caller gets a reminder. */
export const ownNotifications = implement(contract['own-notifications'], {
  list: (app, { userId }, input) => targets.listTargets(app, userId, input),
  get: (app, { userId }, { id }) => targets.getTarget(app, userId, id),
  create: (app, { userId }, input) => targets.createTarget(app, userId, input),
  update: (app, { userId }, patch) => targets.updateTarget(app, userId, patch),
  remove: (app, { userId }, { id }) => targets.removeTarget(app, userId, id),
  types: (_app, { userId }) => targets.listTypes(userId),
  test: (app, { userId }, { id }) => targets.testTarget(app, userId, id),
  deliveries: (app, { userId }, input) => targets.listDeliveries(app, userId, input),
  resend: (app, { userId }, { id }) => targets.resend(app, userId, id),
  reminder: async (app, { userId }) => ({
    threshold: await reminders.findThreshold(app.db, userId),
    site_threshold: app.settings().mail.QuotaRemindThreshold,
  }),
  setReminder: async (app, { userId }, { threshold }) => {
    await reminders.setThreshold(app.db, userId, threshold)
    return { threshold }
  },
})
