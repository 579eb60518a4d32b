import { type NewRule, newRules, type OperationsAttention } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { newRulesSince } from '../../core/site/new-rules.ts'
import type { CurrentUsage } from '../../core/usage/current-usage.ts'
import * as options from '../../db/queries/options.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'

/** The rules that this release brought to a site that was used before, until they were read. */
export const findNewRules = async (
  app: App,
  usage: CurrentUsage,
): Promise<OperationsAttention['new_rules']> => {
  const since = Number(await options.find(app.db, newRulesSince))
  if (!since) return null
  const { begin } = makeCalendar(app.settings().site.TimeZone).day(since)
  const codes = await usage.daysByKey('code', { begin, end: nowSeconds(app) + 1 })
  const rules = Object.entries(newRules) as [NewRule, string][]
  return {
    since,
    rules: rules.map(([rule, code]) => ({ rule, code, refused: codes.get(code)?.failed ?? 0 })),
  }
}
