import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { formatTime, midnight, useAddress, useT } from '../../ui/index.ts'
import type { ListState } from '../../ui/table/state/list-url.ts'
import { useHistogram } from './histogram.tsx'

/** Seven days, today included. */
export const startOfWeek = () => midnight(-6)

const ranges: [key: string, from: () => number][] = [
  ['hour', () => Math.floor(Date.now() / 60_000) * 60 - 3600],
  ['today', () => midnight(0)],
  ['week', startOfWeek],
  ['month', () => midnight(-29)],
]

/** Buttons for common time ranges; a second click clears the range. */
export const QuickRanges = () => {
  const t = useT()
  const [params, change] = useAddress()
  const start = params.get('start_timestamp')
  const toggleRange = (from: string, isSet: boolean) =>
    change({ start_timestamp: isSet ? '' : from, end_timestamp: '', page: '', after: '' })
  return (
    <Stack
      direction="row"
      role="group"
      aria-label={t('logs.ranges.label')}
      sx={{ flexWrap: 'wrap', gap: 0.5 }}
    >
      {ranges.map(([key, from]) => {
        const at = String(from())
        const isSet = start === at && !params.get('end_timestamp')
        return (
          <Button
            key={key}
            size="small"
            color={isSet ? 'primary' : 'inherit'}
            aria-pressed={isSet}
            onClick={() => toggleRange(at, isSet)}
            sx={{ minWidth: 0, px: 1, minHeight: 30 }}
          >
            {t(`logs.ranges.${key}`)}
          </Button>
        )
      })}
    </Stack>
  )
}

type SearchedProps = { isAdmin: boolean; state: ListState; fixed: object; isLive: boolean }

/** The beginning that the server chose for a search that no index serves. Its removal searches all rows. */
export const SearchedTime = (props: SearchedProps) => {
  const t = useT()
  const [, change] = useAddress()
  const { data } = useHistogram(props)
  if (!data?.since) return null
  return (
    <Stack
      direction="row"
      role="status"
      sx={{ flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5, mb: 1.5 }}
    >
      <Chip
        size="small"
        color="primary"
        variant="outlined"
        label={t('logs.since.label', { time: formatTime(data.since) })}
        onDelete={() => change({ start_timestamp: '0', page: '', after: '', open: '' })}
      />
      <Typography component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('logs.since.reason')}
      </Typography>
    </Stack>
  )
}
