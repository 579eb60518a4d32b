import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as rows from '../../db/queries/costs.ts'
import type { AttemptCostsTable } from '../../db/tables/costs.ts'
import type { BilledAttempt } from '../open-hold.ts'
import { attemptRow } from './call-cost.ts'

/** The attempts of one call that its vendors may bill although they did not answer it. */
export const noteAttempts = (app: App) => {
  let noted: AttemptCostsTable[] | undefined
  let count = 0
  let isTaken = false
  return {
    add(call: Pick<Call, 'id' | 'caller'>, attempt: BilledAttempt): void {
      count += 1
      const row = attemptRow(app, call, attempt, count)
      // A cancelled attempt may end after its call was charged.
      if (isTaken) write(app, row)
      else noted = [...(noted ?? []), row]
    },
    /** The rows for the commit that ends the call. */
    take(): readonly AttemptCostsTable[] | undefined {
      isTaken = true
      return noted
    },
  }
}

const write = (app: App, row: AttemptCostsTable): void => {
  rows.addAttempts(app.callDb, [row]).catch(error => {
    app.log.error({ err: error, request: row.call_id }, 'the cost of an attempt is not written')
  })
}
