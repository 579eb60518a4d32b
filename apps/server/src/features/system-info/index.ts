import { contract, type SystemLogLine } from '@hub/contract'
import { startBackup } from '../../backup/run.ts'
import { implement } from '../../core/implement.ts'
import { listNewest } from '../../db/queries/backup-runs.ts'

const levels: Record<string, SystemLogLine['Level']> = {
  trace: 'DEBUG',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERR',
  fatal: 'FATAL',
}

export const systemInfo = implement(contract['system-info'], {
  log: (app, _caller, { count }) =>
    app.recentLines.list(count).map(({ time, level, text }) => ({
      Timestamp: time,
      Level: levels[level] ?? 'INFO',
      Message: text,
    })),
  backups: async app => (await listNewest(app.db)).map(({ due_minute, epoch, ...row }) => row),

  backup: async (app, caller) => ({ id: await startBackup(app, caller.username) }),
})
