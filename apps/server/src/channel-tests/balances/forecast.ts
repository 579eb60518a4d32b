import type { ChannelBalancesTable } from '../../db/tables/channel-balances.ts'

export type BalanceReading = Omit<ChannelBalancesTable, 'channel_id'>

/** `until` is in Unix seconds, `perDay` in the currency of the readings. Null: unknown. */
export type Forecast = { until: number | null; perDay: number | null }

const daySeconds = 86_400
/** The consumption of older days says little about the next ones. */
export const forecastSeconds = 7 * daySeconds
const observedSecondsMin = daySeconds
const fallsMin = 2
/** A fall of more than this times the next largest is a correction by the vendor, or a mistake. */
const jumpFactor = 5
/** A date beyond says nothing. */
const untilSecondsMax = 5 * 365 * daySeconds

const unknown: Forecast = { until: null, perDay: null }

/**
 * Estimates until when the last of the readings lasts; they are oldest first. A rise is a payment, so that the time in
 * which it came is left out. A window of a subscription refills by itself, so that it has no end.
 */
export const forecast = (readings: readonly BalanceReading[]): Forecast => {
  const last = readings.at(-1)
  if (!last || last.kind === 'window') return unknown
  const steps = withoutJump(stepsOf(comparable(readings, last)))
  const consumed = steps.reduce((sum, { fall }) => sum + fall, 0)
  const seconds = steps.reduce((sum, each) => sum + each.seconds, 0)
  const falls = steps.filter(({ fall }) => fall > 0).length
  if (falls < fallsMin || seconds < observedSecondsMin) return unknown
  const left = Math.max(0, Number(last.amount)) / (consumed / seconds)
  const until = left > untilSecondsMax ? null : last.at + Math.floor(left)
  return { until, perDay: (consumed / seconds) * daySeconds }
}

/** The last days, since the account had another currency or the vendor spoke of another kind of balance. */
const comparable = (
  readings: readonly BalanceReading[],
  last: BalanceReading,
): readonly BalanceReading[] => {
  const recent = readings.filter(({ at }) => at >= last.at - forecastSeconds)
  const foreign = recent.findLastIndex(
    each => each.currency !== last.currency || each.kind !== last.kind,
  )
  return recent.slice(foreign + 1)
}

type Step = { seconds: number; fall: number }

const stepsOf = (readings: readonly BalanceReading[]): Step[] =>
  readings.slice(1).flatMap((reading, index) => {
    const before = readings[index]!
    const fall = Number(before.amount) - Number(reading.amount)
    return fall < 0 ? [] : [{ seconds: reading.at - before.at, fall }]
  })

/** Leaves out the largest fall with its time if it stands alone. */
const withoutJump = (steps: readonly Step[]): readonly Step[] => {
  const [largest, next] = steps.filter(({ fall }) => fall > 0).toSorted((a, b) => b.fall - a.fall)
  if (!largest || !next || largest.fall <= next.fall * jumpFactor) return steps
  return steps.filter(step => step !== largest)
}
