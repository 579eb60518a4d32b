import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { useT } from '../../locales/use-t.ts'
import { formatCount, formatDuration } from './numbers.ts'

export const formatTime = (seconds: number) => dayjs.unix(seconds).format('YYYY-MM-DD HH:mm:ss')

/** Formats seconds since 1970; an empty text when the time is not set. */
export const formatOptionalTime = (seconds: number) => (seconds > 0 ? formatTime(seconds) : '')

/** Shows seconds since 1970, with the relative time in a tooltip. 0 and below are "never". */
export const Timestamp = ({ at }: { at: number }) => {
  const t = useT()
  const { i18n } = useTranslation()
  if (at <= 0)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {t('common.never')}
      </Box>
    )
  return (
    <Tooltip title={relative(at, i18n.language)}>
      <Box component="time" dateTime={dayjs.unix(at).toISOString()} sx={{ whiteSpace: 'nowrap' }}>
        {formatTime(at)}
      </Box>
    </Tooltip>
  )
}

/** A past time, or the text of `fallbackKey` when there is none. `Timestamp` would show "never" instead. */
export const PastTimestamp = ({ at, fallbackKey }: { at: number; fallbackKey: string }) => {
  const t = useT()
  if (at > 0) return <Timestamp at={at} />
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t(fallbackKey)}
    </Box>
  )
}

const relativeUnits: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export const relative = (at: number, language: string): string => {
  const seconds = at - Date.now() / 1000
  const [unit, size] = relativeUnits.find(([, each]) => Math.abs(seconds) >= each) ?? [
    'second' as const,
    1,
  ]
  const format = new Intl.RelativeTimeFormat(language.replace('_', '-'), { numeric: 'auto' })
  return format.format(Math.round(seconds / size), unit)
}

export const Duration = ({ ms }: { ms: number }) => <span>{formatDuration(ms)}</span>
export const Count = ({ value }: { value: number }) => <span>{formatCount(value)}</span>
