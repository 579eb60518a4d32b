/** Makes a function from seconds since 1970 to `HH:MM` in an IANA time zone; an empty one means the server's. */
export const makeTimeOfDayFormatter = (timeZone: string): ((seconds: number) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(timeZone && { timeZone }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return seconds => format.format(seconds * 1000)
}

/**
 * True from the first time of day on and before the second. The period passes midnight where it ends earlier than it
 * begins. Times are `HH:MM`, which sort as texts.
 */
export const isWithin = (time: string, from: string, until: string): boolean =>
  from <= until ? time >= from && time < until : time >= from || time < until
