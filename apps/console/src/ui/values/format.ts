import i18next from 'i18next'
import { siteTimeZone } from '../../api/site.ts'

/** The BCP 47 tag of the console's language. */
export const locale = (): string => (i18next.language ?? 'zh_CN').replace('_', '-')

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

/** Creating a format costs about as much as a thousand uses of it. */
const cached = <F extends Intl.NumberFormat | Intl.DateTimeFormat>(
  key: string,
  make: () => F,
): F => {
  const known = formats.get(key) as F | undefined
  const format = known ?? make()
  if (!known) formats.set(key, format)
  return format
}

/** Decimals as text stay exact. */
export const formatNumber = (
  value: number | bigint | `${number}`,
  options: Intl.NumberFormatOptions = {},
): string =>
  cached(
    `${locale()} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(locale(), options),
  ).format(value)

export const formatCount = (value: number | bigint): string => formatNumber(value)

/** A number with exactly `places` decimals. */
export const formatFixed = (value: number, places: number): string =>
  formatNumber(value, { minimumFractionDigits: places, maximumFractionDigits: places })

/** A share of 100, with at most `places` decimals. `signed` also writes a plus. */
export const formatPercent = (percent: number, { places = 0, signed = false } = {}): string =>
  formatNumber(percent / 100, {
    style: 'percent',
    maximumFractionDigits: places,
    signDisplay: signed ? 'exceptZero' : 'auto',
  })

/** Dollars of the site's own accounts. The sign is `$` in every language; without `places` as many decimals as needed. */
export const formatUsd = (usd: number, places?: number): string => {
  const sign = usd < 0 ? '-' : ''
  const size = Math.abs(usd)
  const digits =
    places === undefined
      ? formatNumber(size, {
          minimumFractionDigits: 2,
          maximumFractionDigits: Math.min(12, decimalsOf(size)),
        })
      : formatFixed(size, places)
  return `${sign}$${digits}`
}

/** The decimal places that six significant digits need. */
const decimalsOf = (size: number) =>
  size === 0 ? 2 : Math.max(2, 5 - Math.floor(Math.log10(size)))

/** An amount of any currency as the language writes it: CN¥ in English, ¥ in Chinese. */
export const formatMoney = (amount: number, currency: string): string =>
  /^[A-Z]{3}$/.test(currency)
    ? formatNumber(amount, { style: 'currency', currency, minimumFractionDigits: 2 })
    : `${formatFixed(amount, 2)} ${currency}`.trim()

/** One Hub's abbreviations, which are the same in every language. */
export const abbreviate = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 1e9) return `${formatFixed(value / 1e9, 1)}B`
  if (size >= 1e6) return `${formatFixed(value / 1e6, 1)}M`
  if (size >= 1e4) return `${formatFixed(value / 1e3, 1)}k`
  return formatCount(value)
}

/** A duration in SI units, which are the same in every language. */
export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${formatFixed(ms, 0)} ms`
  if (ms < 60_000) return `${formatFixed(ms / 1000, 2)} s`
  return `${formatCount(Math.floor(ms / 60_000))} min ${Math.round((ms % 60_000) / 1000)} s`
}

const timeParts = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/** Seconds since 1970 as `YYYY-MM-DD HH:mm:ss` in the time zone of the site. */
export const formatTime = (seconds: number): string => {
  const timeZone = siteTimeZone()
  const format = cached(
    `time ${timeZone}`,
    () => new Intl.DateTimeFormat('en-US', { ...timeParts, timeZone }),
  )
  const parts = Object.fromEntries(
    format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
  )
  const { year, month, day, hour, minute, second } = parts
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** How far the clock of the site is ahead of UTC, in seconds. */
const offsetAt = (seconds: number): number =>
  Date.parse(`${formatTime(seconds).replace(' ', 'T')}Z`) / 1000 - Math.floor(seconds)

/** Midnight that begins the day `days` after today in the time zone of the site, in seconds since 1970. */
export const midnight = (days: number, nowMs = Date.now()): number => {
  const today = Date.parse(formatTime(nowMs / 1000).slice(0, 10)) / 1000
  const inUtc = today + days * 86_400
  // The offset of that day, which differs from today's when the clocks change between the two.
  return inUtc - offsetAt(inUtc - offsetAt(inUtc))
}

/** Formats seconds since 1970; an empty text when the time is not set. */
export const formatOptionalTime = (seconds: number): string =>
  seconds > 0 ? formatTime(seconds) : ''

/** The current time as a part of a file name: `20261123-190947`. */
export const fileTime = (): string =>
  formatTime(Date.now() / 1000)
    .replaceAll(/[-:]/g, '')
    .replace(' ', '-')

/** A calendar date `YYYY-MM-DD` as month and day. */
export const formatDay = (date: string): string =>
  cached(
    `day ${locale()}`,
    () => new Intl.DateTimeFormat(locale(), { month: 'numeric', day: 'numeric', timeZone: 'UTC' }),
  ).format(Date.parse(date))

/** The site's time zone with its present offset: `Asia/Shanghai (UTC+8)`. */
export const timeZoneName = (): string => {
  const timeZone = siteTimeZone()
  if (timeZone === 'UTC') return timeZone
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(each => each.type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC')
  return offset ? `${timeZone} (${offset})` : timeZone
}

const relativeUnits: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** The distance of a time from now in words: `5 minutes ago`. */
export const formatRelative = (seconds: number): string => {
  const distance = seconds - Date.now() / 1000
  const [unit, size] = relativeUnits.find(([, each]) => Math.abs(distance) >= each) ?? [
    'second' as const,
    1,
  ]
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  return format.format(Math.round(distance / size), unit)
}
