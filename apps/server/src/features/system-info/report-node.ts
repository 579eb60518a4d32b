import { hostname } from 'node:os'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { type App, nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { save } from '../../db/queries/node-reports.ts'
import { version } from '../../lib/runtime/version.ts'
import { liveCalls } from '../../relay/index.ts'

/** The load since the last report; the first report covers the time since the start. */
const loadSince = appScoped(() => {
  let last: EventLoopUtilization | undefined
  return (): number => {
    const now = performance.eventLoopUtilization()
    const { utilization } = last ? performance.eventLoopUtilization(now, last) : now
    last = now
    return utilization
  }
})

const mebibyte = 1_048_576

/** Writes how this node is: every ten seconds, and when somebody looks. */
export const reportNode = (app: App): Promise<void> =>
  save(app.db, {
    epoch: app.ledger.epoch,
    host: hostname(),
    version,
    runtime: process.version,
    started_at: nowSeconds(app) - Math.round(process.uptime()),
    reported_at: nowSeconds(app),
    live_calls: liveCalls(app).size(),
    load_percent: Math.round(loadSince(app)() * 100),
    lag_ms: Math.round(app.ledger.lag()),
    memory_mib: Math.round(process.memoryUsage.rss() / mebibyte),
  })
