import type { AnalyticsGroup } from '@hub/contract'
import { midnight, useAddress } from '../../ui'

export const groups = [
  'model_type',
  'model',
  'channel',
  'user',
  'group',
] as const satisfies AnalyticsGroup[]
export const periods = { week: 7, month: 30, quarter: 90 } as const
export type PeriodName = keyof typeof periods

const daySeconds = 86_400

/** Keeps the days, the series, and the user in the address, so that a link shows the same figures. */
export const useScope = () => {
  const [params, change] = useAddress()
  const numberOf = (key: string) => {
    const value = Number(params.get(key) ?? '')
    return Number.isSafeInteger(value) && value > 0 ? value : undefined
  }
  const [start, end] = [numberOf('start'), numberOf('end')]
  const named = (Object.keys(periods) as PeriodName[]).find(each => each === params.get('period'))
  const period = start === undefined && end === undefined ? (named ?? 'week') : undefined
  const last = end ?? midnight(1) - 1
  const first =
    start ?? (end === undefined ? midnight(1 - periods[period ?? 'week']) : last - 6 * daySeconds)
  return {
    period,
    input: {
      start_timestamp: first,
      end_timestamp: last,
      group_type: groups.find(each => each === params.get('by')) ?? 'model_type',
      user_id: numberOf('user') ?? 0,
    },
    /** An empty text removes a part from the address. */
    set: (part: Record<string, string>) => change(part, { replace: true }),
  }
}
export type AnalyticsScope = ReturnType<typeof useScope>
