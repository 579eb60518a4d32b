import type { Generated } from 'kysely'

/** Queued work that survives a restart. */
export type QueuedTable = {
  id: Generated<number>
  job: string
  /** Unique together with the job: enqueuing twice has no effect, also after it has ended. */
  key: string
  /** JSON, encrypted; empty once it ended. */
  payload_sealed: string
  state: 'waiting' | 'done' | 'failed'
  attempts: number
  /** Unix seconds before which it does not run. A lease moves it ahead, so that it is retried if the worker dies. */
  run_at: number
  created_at: number
  ended_at: number | null
  /** Why the last attempt failed. */
  failure: string
}

/** Low-balance notifications: one per user and crossing of the threshold. */
export type RemindersTable = {
  user_id: number
  /** Highest notification since the balance was above the threshold: 0 none, 1 low, 2 used up. */
  notified_level: number
  /** How often the balance came back above the threshold. */
  crossing: number
  /** Points below which the user is told. Null: as the site sets it; 0: never. */
  threshold: number | null
}
