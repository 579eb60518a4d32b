import { ErrorDetails } from '@hub/contract'
import type { Database } from '../../db/index.ts'
import { type ChargedCalls, listErrors, sumCharges } from '../../db/queries/usage-logs.ts'
import {
  add,
  noUsage,
  quarterHourSeconds,
  type TimeRange,
  type UsageFigures,
  type UsageKind,
  type UsageSum,
} from '../../db/queries/usage-sums.ts'

type Attributes = {
  at: number
  userId: number
  model: string
  channelId: number
  group?: string
  code?: string
}

/** Counts the logs of a time range by quarter hour or a shorter step, once in all and once for each attribute of a call. */
export const countLogs = async (
  db: Database,
  range: TimeRange,
  step = quarterHourSeconds,
): Promise<UsageSum[]> => {
  const sums = new Map<string, UsageSum>()
  const count = (call: Attributes, figures: Partial<UsageFigures>) => {
    const at = call.at - (call.at % step)
    for (const [kind, key] of keysOf(call)) {
      const name = `${kind} ${at} ${key}`
      const before = sums.get(name)
      sums.set(name, {
        ...{ kind, span: step, at, key },
        ...add(before, { ...noUsage, ...figures }),
      })
    }
  }
  for (const calls of await sumCharges(db, range, { step })) count(calls, chargedFigures(calls))
  for (const { metadata, ...error } of await listErrors(db, range)) {
    const details = errorCount.parse(JSON.parse(metadata))
    const { charged, count: failed, billing_tag, group_name = '' } = details
    const call = { ...error, group: billing_tag ?? group_name }
    count(call, { failed, charged_failures: charged ? failed : 0 })
  }
  return [...sums.values()]
}

/** Rows that an earlier release or an import wrote may lack all of them. */
const errorCount = ErrorDetails.pick({
  billing_tag: true,
  group_name: true,
}).extend({
  charged: ErrorDetails.shape.charged.default(false),
  count: ErrorDetails.shape.count.default(1),
})

export const chargedFigures = (calls: ChargedCalls): Partial<UsageFigures> => ({
  requests: calls.requests,
  quota: calls.quota,
  prompt_tokens: calls.promptTokens,
  completion_tokens: calls.completionTokens,
  request_time: calls.requestTime,
})

const keysOf = ({ userId, model, channelId, group, code }: Attributes): [UsageKind, string][] => [
  ['all', ''],
  ['model', model],
  ['user', String(userId)],
  ['channel', String(channelId)],
  ...(group ? [['group', group] as [UsageKind, string]] : []),
  ...(code === undefined ? [] : [['code', code] as [UsageKind, string]]),
]
