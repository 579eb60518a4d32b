import type { Settings } from '@hub/contract'
import type { Logger } from 'pino'
import type { Database, LedgerWriter, OtherNodes } from '../db/index.ts'
import type { OnWrite } from '../db/table-writes.ts'
import type { Env } from '../env.ts'
import type { RecentLines } from '../lib/recent-lines.ts'
import type { Sealer } from '../lib/seal.ts'
import type { ChangeNotifications } from '../state/change-notifications.ts'
import type { State } from '../state/index.ts'
import type { Metrics } from './metrics.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

/** The services and the mutable state of a running gateway. `buildApp` makes it once; no module keeps state. */
export type App = {
  env: Env
  /** For the console and jobs. Their queries may take long. */
  db: Database
  /** For running calls. It never waits for a query of `db`. */
  callDb: Database
  ledger: LedgerWriter
  /** The other nodes, as far as this one knows. */
  nodes: OtherNodes
  /** Calls the listener when this node adds or changes rows of one of the tables, before the transaction is committed. */
  onWrite: OnWrite
  /** Daily database maintenance: creates log partitions ahead of time and frees space. Safe to run twice. */
  maintainStore(nowSeconds: number): Promise<void>
  /** Prepares whole months of logs before rows of the past are written. Returns the names of those that could not be prepared. */
  createLogMonths(times: Iterable<number>, nowSeconds: number): Promise<string[]>
  /** Drops whole months of logs before the time where that is possible at once, and returns about how many rows. */
  dropLogMonths(beforeSeconds: number): Promise<number>
  /** Updates the statistics by which the database chooses indexes. Safe to run twice. */
  optimizeStore(): Promise<void>
  state: State
  /** Notifies every node within 300 ms that rows of a topic have changed. */
  changes: ChangeNotifications
  /** Returns the current settings; a new object after each change. */
  settings(): Settings
  /** Reads the settings again at once, so that the response to a change already shows it. */
  reloadSettings(): Promise<void>
  seal: Sealer
  log: Logger
  /** The newest lines of `log`. */
  recentLines: RecentLines
  metrics: Metrics
  /** Undefined: nothing is exported by OTLP. */
  telemetry: Telemetry | undefined
  /** Wall clock in milliseconds since 1970. */
  now(): number
  /** Monotonic milliseconds, for durations and time limits. */
  monotonic(): number
  /** True once the process has been asked to stop. It then reports not ready and starts no background work. */
  stopping(): boolean
  /** True until a stopping process has given load balancers time to notice. Then it accepts no new calls. */
  accepting(): boolean
}

/** The wall clock of the app in whole seconds since 1970, as the tables store times. */
export const nowSeconds = (app: Pick<App, 'now'>): number => Math.floor(app.now() / 1000)
