/** The last report of each node about itself. */
export type NodeReportsTable = {
  epoch: number
  /** Its host name. */
  host: string
  /** The version of the gateway. */
  version: string
  /** The version of Node.js. */
  runtime: string
  /** Seconds. */
  started_at: number
  /** Seconds. */
  reported_at: number
  /** Calls that were running. */
  live_calls: number
  /** Share of the time since the last report in which the main thread worked, in percent. */
  load_percent: number
  /** Age of the oldest write to the ledger that was not answered, in milliseconds. */
  lag_ms: number
  memory_mib: number
}
