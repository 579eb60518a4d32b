import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { useT } from '../../locales/use-t.ts'
import { formatCount, formatDuration, formatRelative, formatTime } from './format.ts'

/** Shows seconds since 1970, with the relative time in a tooltip. 0 and below are "never". */
export const Timestamp = ({ at }: { at: number }) => {
  const t = useT()
  if (at <= 0)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {t('common.never')}
      </Box>
    )
  return (
    <Tooltip title={formatRelative(at)}>
      <Box
        component="time"
        dateTime={new Date(at * 1000).toISOString()}
        sx={{ whiteSpace: 'nowrap' }}
      >
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

export const Duration = ({ ms }: { ms: number }) => <span>{formatDuration(ms)}</span>
export const Count = ({ value }: { value: number }) => <span>{formatCount(value)}</span>
