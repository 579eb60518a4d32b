import type { ChannelFigures } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { formatCount, formatTime, type T, useT } from '../../../ui/index.ts'
import { colourOf, percentText, successOf } from './success.ts'

type Hour = ChannelFigures['points'][number]

const textOf = (t: T, hour: Hour): string => {
  const success = successOf(hour)
  return success === undefined
    ? t('channel.health.noCalls')
    : t(`channel.health.${hour.empty > 0 ? 'cellWithEmpty' : 'cell'}`, {
        percent: percentText(success),
        requests: formatCount(hour.requests),
        failed: formatCount(hour.failed),
        empty: formatCount(hour.empty),
      })
}

const timeOf = ({ begin }: Hour) => formatTime(begin).slice(0, 16)

/** One cell for each of the last 24 hours, coloured by the share of attempts that succeeded. */
export const HealthStrip = ({ id }: { id: number }) => {
  const t = useT()
  const { data } = useQuery({
    ...query(api.channels.figures, { id, period: 'day' }),
    refetchInterval: 60_000,
  })
  const hours = data?.points ?? []
  const success = data && successOf(data.totals)
  return (
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', mb: 0.75, minHeight: 20 }}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {t('channel.health.title')}
        </Typography>
        {data && (
          <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {success === undefined
              ? t('channel.health.noCalls')
              : t('channel.health.share', { percent: percentText(success) })}
          </Typography>
        )}
      </Stack>
      <Box aria-hidden sx={{ display: 'flex', gap: '2px', height: 28 }}>
        {hours.map(hour => (
          <Tooltip key={hour.begin} title={`${timeOf(hour)} · ${textOf(t, hour)}`}>
            <Box
              data-hour
              sx={{
                ...{ flex: 1, borderRadius: '3px', bgcolor: colourOf(successOf(hour)) },
                '&:hover': { opacity: 0.75 },
              }}
            />
          </Tooltip>
        ))}
      </Box>
      <Box aria-hidden sx={axis}>
        <span>{hours[0] && timeOf(hours[0]).slice(11)}</span>
        <span>{hours[0] && t('channel.health.now')}</span>
      </Box>
      <HourTable hours={hours} />
    </Box>
  )
}

const axis = {
  display: 'flex',
  justifyContent: 'space-between',
  minHeight: 18,
  fontSize: 12,
  color: 'text.secondary',
}

/** Tells screen readers the figures that the strip draws. */
const HourTable = ({ hours }: { hours: readonly Hour[] }) => {
  const t = useT()
  return (
    <Box sx={visuallyHidden}>
      <table>
        <caption>{t('channel.health.title')}</caption>
        <tbody>
          {hours.map(hour => (
            <tr key={hour.begin}>
              <th scope="row">{timeOf(hour)}</th>
              <td>{textOf(t, hour)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}
