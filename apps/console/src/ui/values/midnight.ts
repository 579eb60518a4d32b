import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'
import { siteTimeZone } from '../../api/site.ts'
import { formatTime } from './format.ts'

dayjs.extend(utc)
dayjs.extend(timezone)

/** Midnight that begins the day `days` after today in the time zone of the site, in seconds since 1970. */
export const midnight = (days: number, nowMs = Date.now()): number => {
  const today = formatTime(nowMs / 1000).slice(0, 10)
  const date = dayjs.utc(today).add(days, 'day').format('YYYY-MM-DD')
  return dayjs.tz(date, siteTimeZone()).unix()
}
