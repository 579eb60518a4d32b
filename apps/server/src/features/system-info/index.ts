import { contract, type NodeInfo, type SystemLogLine } from '@hub/contract'
import { startBackup } from '../../backup/run.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import { listNewest } from '../../db/queries/backup-runs.ts'
import { list as listReports } from '../../db/queries/node-reports.ts'
import { listJobs } from './list-jobs.ts'
import { reportNode } from './report-node.ts'

const levels: Record<string, SystemLogLine['Level']> = {
  trace: 'DEBUG',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERR',
  fatal: 'FATAL',
}

/** A node reports every ten seconds. */
const silentSeconds = 30

const listNodes = async (app: App): Promise<NodeInfo[]> => {
  await reportNode(app)
  return (await listReports(app.db)).map(({ lease, ...report }) => ({
    ...report,
    state: stateOf(lease, nowSeconds(app) - report.reported_at),
    is_answering: report.epoch === app.ledger.epoch,
  }))
}

const stateOf = (lease: string, ageSeconds: number): NodeInfo['state'] => {
  if (lease !== 'live') return 'ended'
  return ageSeconds > silentSeconds ? 'silent' : 'running'
}

export const systemInfo = implement(contract['system-info'], {
  log: (app, _caller, { count }) =>
    app.recentLines.list(count).map(({ time, level, text }) => ({
      Timestamp: time,
      Level: levels[level] ?? 'INFO',
      Message: text,
    })),
  nodes: listNodes,
  jobs: listJobs,
  backups: async app => (await listNewest(app.db)).map(({ due_minute, epoch, ...row }) => row),

  backup: async (app, caller) => ({ id: await startBackup(app, caller.username) }),
})
