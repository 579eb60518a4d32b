export type Schedule = {
  everyHours: number
  /** `HH:MM`. */
  time: string
  timeZone: string
}

/** The minute of the site's clock, counted from 1970, at which the latest backup was due. */
export const latestDue = (nowMs: number, { everyHours, time, timeZone }: Schedule): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const first = hours * 60 + minutes
  const interval = everyHours * 60
  return Math.floor((wallMinutes(nowMs, timeZone) - first) / interval) * interval + first
}

/** A local time, as minutes since the first of January 1970 in the same time zone. */
const wallMinutes = (nowMs: number, timeZone: string): number => {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(timeZone && { timeZone }),
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    hourCycle: 'h23',
  })
  const parts = Object.fromEntries(
    format.formatToParts(nowMs).map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>
  const { year, month, day, hour, minute } = parts
  return Date.UTC(year, month - 1, day, hour, minute) / 60_000
}
