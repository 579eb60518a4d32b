import type { AnalyticsFigures, AnalyticsGroup } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { Link as RouterLink } from 'react-router'
import { ModelName, Quota } from '../../domain'
import { Card, Count, formatDuration, formatPercent, useT } from '../../ui'
import { latencyOf, type Row, rowsOf, sumOf } from './figures.ts'
import type { AnalyticsScope } from './use-scope.ts'

type Props = { figures: AnalyticsFigures; input: AnalyticsScope['input'] }

const columns = ['charged', 'share', 'requests', 'input', 'output', 'latency'] as const

/** The series of the period by charge, each with a link to its calls where the log page has a filter for it. */
export const Ranking = ({ figures, input }: Props) => {
  const t = useT()
  const rows = rowsOf(figures.channel_statistics)
  const sums = sumOf(rows)
  if (rows.length === 0) return null
  return (
    <Card title={t('analytics.ranking')} flush>
      <Box role="group" tabIndex={0} aria-label={t('analytics.ranking')} sx={{ overflowX: 'auto' }}>
        <Table size="small" sx={{ '& td, & th': { whiteSpace: 'nowrap' } }}>
          <TableHead>
            <TableRow>
              <TableCell>{t(`analytics.groups.${input.group_type}`)}</TableCell>
              {columns.map(each => (
                <TableCell key={each} align="right">
                  {t(`analytics.columns.${each}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map(row => (
              <TableRow key={`${row.id} ${row.name}`}>
                <TableCell component="th" scope="row">
                  <Name {...{ row, input }} />
                </TableCell>
                <TableCell align="right">
                  <Quota value={row.Quota} />
                </TableCell>
                <TableCell align="right">
                  {formatPercent(sums.Quota ? (row.Quota / sums.Quota) * 100 : 0, { places: 1 })}
                </TableCell>
                <TableCell align="right">
                  <Count value={row.RequestCount} />
                </TableCell>
                <TableCell align="right">
                  <Count value={row.PromptTokens} />
                </TableCell>
                <TableCell align="right">
                  <Count value={row.CompletionTokens} />
                </TableCell>
                <TableCell align="right">{durationText(row)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Card>
  )
}

const durationText = (row: Row): string => {
  const latency = latencyOf(row)
  return latency === null ? '–' : formatDuration(latency)
}

const Name = ({ row: { id, name }, input }: { row: Row; input: AnalyticsScope['input'] }) => {
  const t = useT()
  const { group_type: group, start_timestamp, end_timestamp } = input
  if (!name) return <>{t('analytics.others')}</>
  const label = group === 'model' ? <ModelName name={name} /> : name
  const filters: Partial<Record<AnalyticsGroup, Record<string, string>>> = {
    model: { model_name: name },
    channel: { channel_id: String(id) },
    user: { username: name },
  }
  const filter = filters[group]
  // The log page filters by the name of a user, which this page does not know: it has the id.
  if (!filter || (input.user_id && group !== 'user')) return <>{label}</>
  const query = new URLSearchParams({
    log_type: '2',
    ...filter,
    start_timestamp: String(start_timestamp),
    end_timestamp: String(end_timestamp),
  })
  return (
    <Link component={RouterLink} to={`/panel/log?${query}`}>
      {label}
    </Link>
  )
}
