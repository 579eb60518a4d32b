import type { BackupRun } from '@hub/contract'
import Button from '@mui/material/Button'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import {
  Badge,
  Card,
  EmptyState,
  ErrorState,
  formatCount,
  formatFixed,
  formatTime,
  type Tone,
  useAction,
  useT,
} from '../../ui/index.ts'
import { ScrollTable } from './scroll-table.tsx'

const columns = ['time', 'state', 'size', 'rows', 'node', 'file'] as const
const tones: Record<BackupRun['state'], Tone> = {
  running: 'blue',
  succeeded: 'green',
  failed: 'red',
}
const runningRefreshMs = 2_000

/** The newest backups, and a button that makes one. */
export const Backups = () => {
  const t = useT()
  const { data, error, refetch } = useQuery({
    ...query(api['system-info'].backups, {}),
    refetchInterval: ({ state }) =>
      state.data?.some(each => each.state === 'running') ? runningRefreshMs : false,
  })
  const start = useAction('system-info', api['system-info'].backup, {
    successKey: 'system-info.backups.started',
  })
  const isRunning = start.isPending || (data ?? []).some(each => each.state === 'running')
  return (
    <Card
      title={t('system-info.backups.title')}
      intro={t('system-info.backups.intro')}
      flush
      actions={
        <Button variant="outlined" loading={isRunning} onClick={() => void start({})}>
          {t('system-info.backups.now')}
        </Button>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={t('system-info.backups.empty')} />}
      {data && data.length > 0 && <Runs runs={data} />}
    </Card>
  )
}

const Runs = ({ runs }: { runs: readonly BackupRun[] }) => {
  const t = useT()
  return (
    <ScrollTable
      label={t('system-info.backups.title')}
      head={columns.map(each => ({ label: t(`system-info.backups.${each}`) }))}
      wraps
    >
      {runs.map(run => (
        <TableRow key={run.id}>
          <TableCell>{formatTime(run.started_at)}</TableCell>
          <TableCell>
            <Badge tone={tones[run.state]} labelKey={`system-info.backups.${run.state}`} />
          </TableCell>
          <TableCell>{run.bytes > 0 && `${formatFixed(run.bytes / 1_048_576, 1)} MiB`}</TableCell>
          <TableCell>{run.rows > 0 && formatCount(run.rows)}</TableCell>
          <TableCell>{run.node}</TableCell>
          <TableCell sx={{ overflowWrap: 'anywhere' }}>{run.file || run.error}</TableCell>
        </TableRow>
      ))}
    </ScrollTable>
  )
}
