import type { ChannelCache } from '@hub/contract'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { ModelName, Quota } from '../../../domain/index.ts'
import { CacheSums, hitRateText } from '../../../domain/prompt-cache/cache-sums.tsx'
import { Card, Count, EmptyState, ErrorState, formatTime, useT } from '../../../ui/index.ts'

/** Shows how much the prompt cache of the channel read and missed in the last 7 days, in all and by model. */
export const CacheCard = ({ id }: { id: number }) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.channels.cache, { id }))
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={320} />
  const { until, totals, models } = data
  return (
    <Card
      title={t('prompt-cache.channel')}
      intro={
        until === null
          ? t('prompt-cache.notCounted')
          : t('prompt-cache.until', { time: formatTime(until).slice(0, 16) })
      }
    >
      {totals.calls === 0 ? (
        <EmptyState title={t('channel.charts.empty')} />
      ) : (
        <Stack spacing={2}>
          <CacheSums figures={totals} />
          <Models models={models} />
        </Stack>
      )}
    </Card>
  )
}

/** Phones show the rate and the cost alone. */
const wide = { display: { xs: 'none', md: 'table-cell' } }

const wideColumns = [
  ['calls', 'calls'],
  ['prompt', 'prompt_tokens'],
  ['readTokens', 'read_tokens'],
  ['written', 'written_tokens'],
] as const

const Models = ({ models }: Pick<ChannelCache, 'models'>) => {
  const t = useT()
  const title = (key: string) => t(`prompt-cache.${key}`)
  return (
    <Table size="small">
      <caption style={visuallyHidden as object}>{title('byModel')}</caption>
      <TableHead>
        <TableRow>
          <TableCell>{title('model')}</TableCell>
          {wideColumns.map(([key]) => (
            <TableCell key={key} align="right" sx={wide}>
              {title(key)}
            </TableCell>
          ))}
          <TableCell align="right">{title('hitRate')}</TableCell>
          <TableCell align="right">{title('missed')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {models.map(each => (
          <TableRow key={each.model}>
            <TableCell component="th" scope="row" sx={{ fontWeight: 500 }}>
              <ModelName name={each.model} />
            </TableCell>
            {wideColumns.map(([key, field]) => (
              <TableCell key={key} align="right" sx={wide}>
                <Count value={each[field]} />
              </TableCell>
            ))}
            <TableCell align="right">{hitRateText(each.hit_rate)}</TableCell>
            <TableCell align="right">
              {each.misses ? <Quota value={each.misses.points} /> : '–'}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
