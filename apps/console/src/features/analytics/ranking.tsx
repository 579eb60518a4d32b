import type { AnalyticsFigures, AnalyticsGroup } from '@hub/contract'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router'
import { ModelName, Quota } from '../../domain'
import { Count, formatDuration, formatPercent, useT } from '../../ui'
import { latencyOf, type Row, rowsOf, sumOf } from './figures.ts'
import { SumsTable } from './sums-table.tsx'
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
    <SumsTable
      title={t('analytics.ranking')}
      names={t(`analytics.groups.${input.group_type}`)}
      columns={columns}
      rows={rows.map(row => ({
        key: `${row.id} ${row.name}`,
        name: <Name {...{ row, input }} />,
        cells: [
          <Quota key="charged" value={row.Quota} />,
          formatPercent(sums.Quota ? (row.Quota / sums.Quota) * 100 : 0, { places: 1 }),
          <Count key="requests" value={row.RequestCount} />,
          <Count key="input" value={row.PromptTokens} />,
          <Count key="output" value={row.CompletionTokens} />,
          durationText(row),
        ],
      }))}
    />
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
