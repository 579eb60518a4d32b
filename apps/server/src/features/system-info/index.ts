import { contract, type SystemLogLine } from '@hub/contract'
import { implement } from '../../core/implement.ts'

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
})
