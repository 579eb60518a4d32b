import type { Settings } from '@hub/contract'
import type { Logger } from 'pino'
import type { Database, LedgerWriter } from '../db/index.ts'
import type { Env } from '../env.ts'
import type { Sealer } from '../lib/seal.ts'
import type { State } from '../state/index.ts'
import type { Topics } from '../state/topics.ts'
import type { Metrics } from './metrics.ts'

/** Everything a running gateway has. Built once by `app.ts`; nothing else keeps state. */
export type App = {
  env: Env
  db: Database
  ledger: LedgerWriter
  /** What the database wants done each day: partitions ahead, space given back. Safe to run twice. */
  maintainStore(nowSeconds: number): Promise<void>
  state: State
  /** Tells, within 300 ms, that something of a topic was changed by any node. */
  topics: Topics
  /** The settings as they are now; a new object after each change. */
  settings(): Settings
  /** Reads them again at once: who changed one sees it in the next answer, and not only within 300 ms. */
  reloadSettings(): Promise<void>
  seal: Sealer
  log: Logger
  metrics: Metrics
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Milliseconds that never jump: for durations and time limits. */
  monotonic(): number
  /** True from the moment the process was asked to stop: readiness is off, nothing new is admitted. */
  stopping(): boolean
}
