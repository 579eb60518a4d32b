import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { jobNames, type MarginRow } from '@hub/contract'
import { lastAuditFile } from '../../auditor/last-audit.ts'
import { findBelowCost } from '../../billing/margin/below-cost.ts'
import { marginReport } from '../../billing/margin/report.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import * as backupRuns from '../../db/queries/backup-runs.ts'
import { countHealth } from '../../db/queries/channels.ts'
import * as jobRuns from '../../db/queries/job-runs.ts'
import { oldestDuePoll } from '../../db/queries/task-polls.ts'
import { makeDayFormatter } from '../../lib/time/calendar.ts'

const hourSeconds = 3_600
/** Gauges of one scrape share a query; the next scrape comes later than this. */
const cacheMs = 3_000

/** Balances that were not read within this many intervals are not known any more. */
const staleIntervals = 3

/** Adds gauges of work that can stop without an error: jobs, backups, audits, space, and the accounts at vendors. */
export const addOperationGauges = (app: App): void => {
  addJobGauges(app)
  addBackupGauges(app)
  addDiskGauges(app)
  addAuditGauges(app)
  addChannelGauges(app)
  addTaskGauges(app)
  addMarginGauges(app)
}

const briefly = <T>(app: App, load: () => Promise<T>): (() => Promise<T>) => {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    const at = app.monotonic()
    if (!last || at - last.at > cacheMs) last = { at, value: load() }
    return last.value
  }
}

const addJobGauges = (app: App) => {
  const known: readonly string[] = jobNames
  const rows = briefly(app, async () =>
    (await jobRuns.list(app.db)).filter(({ name }) => known.includes(name)),
  )
  const add = (name: string, help: string, value: (row: jobRuns.JobRun) => number) =>
    app.metrics.addGauge({
      ...{ name, help, labelNames: ['job'] },
      read: async () =>
        (await rows()).map(row => ({ labels: { job: row.name }, value: value(row) })),
    })
  add('hub_job_failed', '1 after a run that failed, until one succeeds', ({ error }) =>
    error ? 1 : 0,
  )
  add('hub_job_late_seconds', 'How long a recurring job is overdue, on any node', ({ due_at }) =>
    Math.max(0, nowSeconds(app) - due_at),
  )
}

/** Counters would fall when old sums are deleted, so that these are of the day of the site. */
const addMarginGauges = (app: App) => {
  const today = briefly(app, async () => {
    const day = makeDayFormatter(app.settings().site.TimeZone)(nowSeconds(app))
    const query = { from: day, to: day, sort: 'revenue', order: 'desc' } as const
    return (await marginReport(app, { ...query, by: ['channel'] })).rows
  })
  const add = (name: string, help: string, value: (row: MarginRow) => string) =>
    app.metrics.addGauge({
      ...{ name, help, labelNames: ['channel'] },
      read: async () =>
        (await today()).map(row => ({
          labels: { channel: String(row.channel_id) },
          value: Number(value(row)),
        })),
    })
  add('hub_revenue_usd', 'What users were charged since midnight', row => row.revenue)
  add('hub_cost_usd', 'What calls cost the operator since midnight', row => row.cost)
  add('hub_margin_usd', 'Charges of known cost minus their cost since midnight', row => row.margin)
  app.metrics.addGauge({
    name: 'hub_models_below_cost',
    help: 'Models of channels that cost more in the last 7 days than they were sold for',
    read: async () => (await findBelowCost(app)).length,
  })
}

const addTaskGauges = (app: App) =>
  app.metrics.addGauge({
    name: 'hub_task_poll_lag_seconds',
    help: 'How long the task that is due longest waits for its poll',
    read: async () => {
      const now = nowSeconds(app)
      return now - ((await oldestDuePoll(app.db, now)) ?? now)
    },
  })

const addBackupGauges = (app: App) => {
  const runs = briefly(app, () => backupRuns.listNewest(app.db))
  const { addGauge } = app.metrics
  addGauge({
    name: 'hub_backup_interval_seconds',
    help: 'Interval of scheduled backups; 0: none',
    read: () => app.settings().backups.BackupIntervalHours * hourSeconds,
  })
  addGauge({
    name: 'hub_backup_age_seconds',
    help: 'Time since the last backup that succeeded; infinite: none has',
    read: async () => {
      const last = (await runs()).find(({ state }) => state === 'succeeded')
      return last ? nowSeconds(app) - last.started_at : Number.POSITIVE_INFINITY
    },
  })
  addGauge({
    name: 'hub_backup_failed',
    help: '1 if the last backup failed',
    read: async () => {
      const last = (await runs()).find(({ state }) => state !== 'running')
      return last?.state === 'failed' ? 1 : 0
    },
  })
}

const addDiskGauges = (app: App) => {
  const space = briefly(app, () => statfs(app.env.dataDir))
  app.metrics.addGauge({
    name: 'hub_disk_free_bytes',
    help: 'Free space where DATA_DIR lies',
    read: async () => {
      const { bavail, bsize } = await space()
      return bavail * bsize
    },
  })
  app.metrics.addGauge({
    name: 'hub_disk_bytes',
    help: 'Size of the disk where DATA_DIR lies',
    read: async () => {
      const { blocks, bsize } = await space()
      return blocks * bsize
    },
  })
}

/** Only where an audit was made with this DATA_DIR. */
const addAuditGauges = (app: App) => {
  const last = briefly(app, async () => {
    const text = await readFile(join(app.env.dataDir, lastAuditFile), 'utf8')
    return JSON.parse(text) as { at: number; findings: number }
  })
  app.metrics.addGauge({
    name: 'hub_audit_age_seconds',
    help: 'Time since the last audit',
    read: async () => nowSeconds(app) - (await last()).at,
  })
  app.metrics.addGauge({
    name: 'hub_audit_findings',
    help: 'Wrong rows that the last audit found',
    read: async () => (await last()).findings,
  })
}

const addChannelGauges = (app: App) => {
  const counts = briefly(app, () => {
    const { ChannelUpdateFrequency: minutes } = app.settings().channels
    const staleBefore = minutes > 0 ? nowSeconds(app) - staleIntervals * minutes * 60 : 0
    return countHealth(app.db, staleBefore)
  })
  const add = (name: string, help: string, key: keyof Awaited<ReturnType<typeof countHealth>>) =>
    app.metrics.addGauge({ name, help, read: async () => (await counts())[key] })
  add('hub_channels_enabled', 'Channels that are enabled', 'enabled')
  add('hub_channels_disabled', 'Channels that the gateway has disabled by itself', 'disabled')
  add('hub_channels_without_balance', 'Enabled channels whose balance was used up', 'empty')
  add('hub_channels_stale_balance', 'Enabled channels whose balance was not read lately', 'stale')
}
