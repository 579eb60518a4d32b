/** A day or a month of one time zone: seconds, [begin, end). */
export type TimeWindow = { begin: number; end: number }
export type Calendar = { day(seconds: number): TimeWindow; month(seconds: number): TimeWindow }

/** The days of every time zone begin on a multiple of 15 minutes. */
const quarter = 900
const dayMax = 26 * 3600
const monthMax = 32 * 24 * 3600

/** Days and months of an IANA time zone, including clock changes. An empty name means the time zone of the server. */
export const makeCalendar = (timeZone: string): Calendar => {
  // en-CA formats as YYYY-MM-DD, so that the text sorts in time order.
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(timeZone && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const dayOf = (seconds: number) => format.format(seconds * 1000)
  const monthOf = (seconds: number) => dayOf(seconds).slice(0, 7)
  return { day: cachedWindow(dayOf, dayMax), month: cachedWindow(monthOf, monthMax) }
}

/** Caches the last window: the next lookup nearly always falls into it. */
const cachedWindow = (nameOf: (seconds: number) => string, maxSeconds: number) => {
  let cached: TimeWindow | undefined
  return (seconds: number): TimeWindow => {
    if (cached && seconds >= cached.begin && seconds < cached.end) return cached
    const name = nameOf(seconds)
    const from = Math.floor(seconds / quarter)
    const most = Math.ceil(maxSeconds / quarter)
    cached = {
      begin: firstIndex(from - most, from, at => nameOf(at * quarter) >= name) * quarter,
      end: firstIndex(from + 1, from + most, at => nameOf(at * quarter) > name) * quarter,
    }
    return cached
  }
}

/** Binary search: the first integer of a range for which a monotonic predicate holds. It holds for the last one. */
const firstIndex = (low: number, high: number, matches: (at: number) => boolean): number => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >> 1
    if (matches(middle)) to = middle
    else from = middle + 1
  }
  return from
}
