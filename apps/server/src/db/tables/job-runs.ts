/** The due time and the last run of each job whose schedule is in the database. */
export type JobRunsTable = {
  name: string
  /** Seconds. */
  due_at: number
  /** The node that runs it now. Null: none. */
  epoch: number | null
  /** Seconds: the start of the last run. Null: it has not run yet. */
  started_at: number | null
  ended_at: number | null
  succeeded_at: number | null
  /** The duration of the last run that ended. */
  duration_ms: number
  /** Empty: the last run that ended succeeded, or none has ended. */
  error: string
}
