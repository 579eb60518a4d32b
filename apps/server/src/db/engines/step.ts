import { failpoint, isFailing } from '../../lib/failpoint.ts'

/** The heart beats by the clock, whatever is being done: counted, it would move every step behind it. */
const noStep = /^\s*(select|pragma|update "nodes" set "beat")/i

/** A statement that may have changed something was a durable step; what it answered is handed on. */
export const passStatement = <T>(sql: string, answer: T): T => {
  if (isFailing() && !noStep.test(sql)) failpoint(sql.slice(0, 60))
  return answer
}
