/** A day or month of a time zone in Unix seconds; `begin` is included, `end` is not. */
export type TimeWindow = { begin: number; end: number }
export type Calendar = { day(seconds: number): TimeWindow; month(seconds: number): TimeWindow }

/** The days of every time zone begin on a multiple of 15 minutes. */
const quarterHourSeconds = 900
/** Upper bounds of a day and a month, with a clock change. */
const daySecondsMax = 26 * 3600
const monthSecondsMax = 32 * 24 * 3600

/**
 * Days and months of an IANA time zone, with daylight saving changes. An empty name means the time zone of the server.
 * Throws RangeError for an unknown zone.
 */
export const makeCalendar = (timeZone: string): Calendar => {
  const dayOf = makeDayFormatter(timeZone)
  const monthOf = (seconds: number) => dayOf(seconds).slice(0, 7)
  return { day: cachedWindow(dayOf, daySecondsMax), month: cachedWindow(monthOf, monthSecondsMax) }
}

/** Makes a function from seconds to the day, `YYYY-MM-DD`, in a time zone; an empty one means the server's. */
export const makeDayFormatter = (timeZone: string): ((seconds: number) => string) => {
  // en-CA formats as YYYY-MM-DD, so that the text sorts in time order.
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(timeZone && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return seconds => format.format(seconds * 1000)
}

/** Caches the last window: the next lookup nearly always falls into it. */
const cachedWindow = (nameOf: (seconds: number) => string, maxSeconds: number) => {
  let cached: TimeWindow | undefined
  return (seconds: number): TimeWindow => {
    if (cached && seconds >= cached.begin && seconds < cached.end) return cached
    const name = nameOf(seconds)
    const from = Math.floor(seconds / quarterHourSeconds)
    const most = Math.ceil(maxSeconds / quarterHourSeconds)
    cached = {
      begin:
        firstIndex(from - most, from, index => nameOf(index * quarterHourSeconds) >= name) *
        quarterHourSeconds,
      end:
        firstIndex(from + 1, from + most, index => nameOf(index * quarterHourSeconds) > name) *
        quarterHourSeconds,
    }
    return cached
  }
}

/** Binary search: the first integer from `low` on for which a monotonic predicate holds; `high` if none below it does. */
const firstIndex = (low: number, high: number, matches: (at: number) => boolean): number => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >> 1
    if (matches(middle)) to = middle
    else from = middle + 1
  }
  return from
}
