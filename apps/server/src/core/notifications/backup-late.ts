import * as runs from '../../db/queries/backup-runs.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import { type App, nowSeconds } from '../app.ts'
import { emit } from './emit.ts'

const hourSeconds = 3_600

/** When the last backup ended, if the schedule stands still for more than two of its intervals. */
export const findLateBackup = async (app: App): Promise<number | undefined> => {
  const seconds = app.settings().backups.BackupIntervalHours * hourSeconds
  if (seconds === 0) return undefined
  const last = (await runs.listNewest(app.db)).find(({ ended_at }) => ended_at !== null)
  const endedAt = last?.state === 'succeeded' ? last.ended_at : null
  if (endedAt === null) return undefined
  return nowSeconds(app) - endedAt > 2 * seconds + hourSeconds ? endedAt : undefined
}

/** Queues one notification for the administrators for each time that the schedule stands still. Idempotent. */
export const reportLateBackup = async (app: App): Promise<void> => {
  const endedAt = await findLateBackup(app)
  if (endedAt === undefined) return
  await emit(app, app.db, {
    event: 'backup.late',
    key: `backup.late:${endedAt}`,
    userIds: [administrators],
    facts: { hours: Math.floor((nowSeconds(app) - endedAt) / hourSeconds) },
  })
}
