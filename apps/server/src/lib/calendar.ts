/** A day or a month of one time zone: seconds, [begin, end). */
export type Window = { begin: number; end: number }
export type Calendar = { day(seconds: number): Window; month(seconds: number): Window }

/** Every time zone's days begin on a quarter of an hour. */
const quarter = 900
const dayMax = 26 * 3600
const monthMax = 32 * 24 * 3600

/** Days and months as people of a time zone count them, also where a clock change makes one shorter. Empty: the server's. */
export const makeCalendar = (timeZone: string): Calendar => {
  // The format that begins with the year, so that names sort as the days do.
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(timeZone && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const dayOf = (seconds: number) => format.format(seconds * 1000)
  const monthOf = (seconds: number) => dayOf(seconds).slice(0, 7)
  return { day: remembering(dayOf, dayMax), month: remembering(monthOf, monthMax) }
}

/** The window last asked for is nearly always the next one asked for. */
const remembering = (nameOf: (seconds: number) => string, lengthMax: number) => {
  let known: Window | undefined
  return (seconds: number): Window => {
    if (known && seconds >= known.begin && seconds < known.end) return known
    const name = nameOf(seconds)
    const from = Math.floor(seconds / quarter)
    const most = Math.ceil(lengthMax / quarter)
    known = {
      begin: first(from - most, from, at => nameOf(at * quarter) >= name) * quarter,
      end: first(from + 1, from + most, at => nameOf(at * quarter) > name) * quarter,
    }
    return known
  }
}

/** The first whole number of a range that is so; those before are not, those after are. The last one is. */
const first = (low: number, high: number, isSo: (at: number) => boolean): number => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isSo(middle)) to = middle
    else from = middle + 1
  }
  return from
}
