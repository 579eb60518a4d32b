import { failpoint, isFailing } from '../../lib/failpoint.ts'

/** Reads are not durable. Heartbeats depend on the clock, and would shift the number of every later step. */
const notDurable = /^\s*(select|pragma|update "nodes" set "heartbeat")/i

/** Counts a statement that may have written as a durable step, and returns its result. */
export const statementFailpoint = <T>(sql: string, result: T): T => {
  if (isFailing() && !notDurable.test(sql)) failpoint(sql.slice(0, 60))
  return result
}
