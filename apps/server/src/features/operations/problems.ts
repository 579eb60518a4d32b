import { type JobName, jobNames, type Problem, type Service } from '@hub/contract'
import { belowCostProblems } from '../../billing/margin/below-cost.ts'
import { hasWatch } from '../../channel-tests/index.ts'
import type { App } from '../../core/app.ts'
import { notifiedAfter } from '../../core/health/services.ts'
import { findLateBackup } from '../../core/notifications/backup-late.ts'
import { findAddressProblem, incompleteSwitches } from '../../core/site/problems.ts'
import { botToken } from '../../core/telegram-bot.ts'
import * as backups from '../../db/queries/backup-runs.ts'
import { listHealth } from '../../db/queries/channels.ts'
import * as jobRuns from '../../db/queries/job-runs.ts'
import * as targets from '../../db/queries/notification-targets.ts'
import * as gateways from '../../db/queries/payment-gateways.ts'
import * as failures from '../../db/queries/service-failures.ts'

const none = { id: 0, name: '', keys: [], code: '', detail: '', since: 0, failures: 0 }

/** Lists services that fail, and switches that are on but cannot work. Channels are listed apart. */
export const findProblems = async (app: App): Promise<Problem[]> => {
  const address = await findAddressProblem(app)
  return [
    ...(await failingServices(app)),
    ...(await failingBackups(app)),
    ...(await failingJobs(app)),
    ...(await belowCostProblems(app)),
    ...(address
      ? [{ ...none, kind: 'address' as const, code: address.state, keys: address.usedBy }]
      : []),
    ...incompleteSwitches(app).map(({ key, missing }) => ({
      ...none,
      kind: 'incomplete' as const,
      name: key,
      keys: missing,
    })),
  ]
}

/** A service that was switched off or deleted since needs nothing. */
const failingServices = async (app: App): Promise<Problem[]> => {
  const rows = await failures.listAll(app.db)
  if (rows.length === 0) return []
  const names = await namesInUse(app)
  return rows.flatMap(({ service, subject: id, last_at: _, ...failure }) => {
    if (!(service in names)) return []
    const kind = service as Service
    // A list is read rarely: a single failure has passed when somebody looks.
    if (kind === 'model_list' && failure.failures < notifiedAfter[kind]) return []
    const name = names[kind](id)
    return name === undefined ? [] : [{ ...none, ...failure, kind, id, name }]
  })
}

type NameInUse = (id: number) => string | undefined

const namesInUse = async (app: App): Promise<Record<Service, NameInUse>> => {
  const { mail, money, taskStorage, priceUpdates } = app.settings()
  const onlyIf =
    (isOn: boolean): NameInUse =>
    () =>
      isOn ? '' : undefined
  const byId = (rows: readonly { id: number; name: string }[]): NameInUse => {
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return id => names.get(id)
  }
  const channels = (await listHealth(app.db)).filter(({ status }) => status === 1)
  return {
    mail: onlyIf(mail.SMTPServer !== ''),
    notifier: byId(await targets.listEnabledOfSite(app.db)),
    payment: byId(await gateways.listEnabled(app.db)),
    price_list: onlyIf(priceUpdates.AutoPriceUpdateMinutes > 0 && money.UpdatePriceService !== ''),
    bot: onlyIf(botToken(app) !== undefined),
    task_storage: onlyIf(taskStorage.TaskStorageEnabled),
    balance: byId(channels),
    model_list: byId(channels.filter(hasWatch)),
  }
}

/** The last backup failed, or the schedule stands still. */
const failingBackups = async (app: App): Promise<Problem[]> => {
  const last = (await backups.listNewest(app.db)).find(({ ended_at }) => ended_at !== null)
  if (last?.state === 'failed')
    return [{ ...none, kind: 'backup', detail: last.error, since: last.ended_at ?? 0, failures: 1 }]
  const since = await findLateBackup(app)
  return since === undefined ? [] : [{ ...none, kind: 'backup_late', since }]
}

/** The reason is left out: a text of the system is for super administrators, who find it in the list of jobs. */
const failingJobs = async (app: App): Promise<Problem[]> =>
  (await jobRuns.list(app.db))
    .filter(({ name, error }) => error !== '' && jobNames.includes(name as JobName))
    .map(({ name, succeeded_at }) => ({ ...none, kind: 'job', name, since: succeeded_at ?? 0 }))
