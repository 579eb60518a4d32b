import { contract } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { sumByQuarterHour } from '../../db/queries/logs-stats.ts'
import { makeDayFormatter } from '../../lib/time/calendar.ts'
import { dayBefore, totalsByDay } from './days.ts'
import { statusPage } from './status-page.ts'

const daysBack = 7
const daySeconds = 86_400

export const statistics = implement(contract.statistics, {
  dashboard: (app, { userId }) => lastDays(app, userId),
  statusPage: app => statusPage(app),
})

/** Returns today and the seven days before it, in the time zone of the site. */
const lastDays = async (app: App, userId: number) => {
  const now = nowSeconds(app)
  const dayOf = makeDayFormatter(app.settings().site.TimeZone)
  const first = dayBefore(dayOf(now), daysBack)
  // One extra day covers every time zone and clock change.
  const since = now - (daysBack + 2) * daySeconds
  const quarterHours = await withDeadline(app.db, db => sumByQuarterHour(db, userId, since))
  return totalsByDay(quarterHours, dayOf)
    .filter(total => total.day >= first)
    .map(total => ({
      Date: total.day,
      ModelName: total.model,
      RequestCount: total.requests,
      Quota: total.quota,
      PromptTokens: total.promptTokens,
      CompletionTokens: total.completionTokens,
      RequestTime: total.requestTime,
    }))
}
