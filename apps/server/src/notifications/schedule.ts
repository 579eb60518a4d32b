import type { NotificationEvent } from '@hub/contract'
import { makeCalendar } from '../lib/time/calendar.ts'

type Schedule = { digest: string; quiet_from: string; quiet_to: string }

/** Security events and tests are sent at once. */
export const urgentEvents: readonly NotificationEvent[] = [
  'sign_in.new_device',
  'credential.changed',
  'test',
]

const daySeconds = 86_400
const dailyAt = '09:00'

/**
 * Returns the Unix second before which a message is held back: the next full hour or 9:00 for a digest, and the end of
 * quiet hours. Times of day are those of the time zone.
 */
export const heldUntil = (
  { digest, quiet_from, quiet_to }: Schedule,
  event: string,
  dueAt: number,
  now: number,
  timeZone: string,
): number => {
  if (urgentEvents.includes(event as NotificationEvent)) return dueAt
  const collected = { none: dueAt, hourly: nextHour(dueAt), daily: nextDaily(dueAt, timeZone) }
  const at = Math.max(now, collected[digest as keyof typeof collected])
  return quietUntil(at, quiet_from, quiet_to, timeZone)
}

const nextHour = (at: number) => Math.ceil(at / 3600) * 3600

const nextDaily = (at: number, timeZone: string): number => {
  const today = timeOfDay(at, dailyAt, timeZone)
  return today >= at ? today : timeOfDay(at + daySeconds, dailyAt, timeZone)
}

/** Returns `at` itself outside of the quiet hours, which may include midnight. */
const quietUntil = (at: number, from: string, to: string, timeZone: string): number => {
  if (from === '' || to === '' || from === to) return at
  for (const day of [at - daySeconds, at]) {
    const begin = timeOfDay(day, from, timeZone)
    const end = timeOfDay(from < to ? day : day + daySeconds, to, timeZone)
    if (at >= begin && at < end) return end
  }
  return at
}

/** The second at which a day that contains `at` has this time. On a day with a clock change it may be an hour off. */
const timeOfDay = (at: number, time: string, timeZone: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return makeCalendar(timeZone).day(at).begin + hours * 3600 + minutes * 60
}
