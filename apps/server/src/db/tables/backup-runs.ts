import type { Generated } from 'kysely'

/** Backups that the gateway made, by its schedule or by hand. */
export type BackupRunsTable = {
  id: Generated<number>
  /** Seconds. */
  started_at: number
  /** Null: it runs. */
  ended_at: number | null
  /** At most one is `running`. */
  state: 'running' | 'succeeded' | 'failed'
  /** Unique: the minute of the site's clock at which it was due. Null: made by hand. */
  due_minute: number | null
  /** The epoch of the node that makes it. */
  epoch: number
  /** The host name of that node. */
  node: string
  /** The person who started it; empty for the schedule. */
  actor: string
  file: string
  bytes: number
  rows: number
  /** Empty: none. */
  error: string
}
