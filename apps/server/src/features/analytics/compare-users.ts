import type { ComparedUsers, UsersPeriod } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { namedDays } from '../../core/usage/period-days.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { sumCharges } from '../../db/queries/usage-logs.ts'
import * as users from '../../db/queries/users.ts'

/** The charged calls of users in a period, from the logs. Names that nobody has are left out. */
export const compareUsers = async (app: App, period: UsersPeriod): Promise<ComparedUsers> => {
  const days = namedDays(period.start_time, period.end_time, app.settings().site.TimeZone)
  const compared: ComparedUsers = { success: true, message: '', data: [], model_usage: [] }
  for (const username of period.usernames) {
    const user = await users.findByUsername(app.db, username)
    if (!user) continue
    const sums = { request_count: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }
    const row = { username: user.username, ...sums, request_time: 0 }
    const models = new Map<string, number>()
    for (const day of days) {
      const charges = await withDeadline(app.db, db => sumCharges(db, day, { user: user.id }))
      for (const calls of charges) {
        row.request_count += calls.requests
        row.quota += calls.quota
        row.prompt_tokens += calls.promptTokens
        row.completion_tokens += calls.completionTokens
        row.request_time += calls.requestTime
        models.set(calls.model, (models.get(calls.model) ?? 0) + calls.requests)
      }
    }
    compared.data.push(row)
    const usage = [...models].toSorted(([, a], [, b]) => b - a)
    for (const [model_name, request_count] of usage)
      compared.model_usage.push({ username: user.username, model_name, request_count })
  }
  return compared
}
