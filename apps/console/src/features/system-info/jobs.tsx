import type { JobInfo } from '@hub/contract'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { Badge, formatCount, formatTime, type Tone, useT } from '../../ui/index.ts'
import { TableCard } from './scroll-table.tsx'

const columns = ['name', 'state', 'started', 'duration', 'due', 'error'] as const
const tones: Record<JobInfo['state'], Tone> = {
  waiting: 'gray',
  running: 'blue',
  succeeded: 'green',
  failed: 'red',
}
const refreshMs = 10_000

/** The recurring jobs with their last run; those that failed come first. */
export const Jobs = () => {
  const t = useT()
  const result = useQuery({ ...query(api['system-info'].jobs, {}), refetchInterval: refreshMs })
  return (
    <TableCard
      title={t('system-info.jobs.title')}
      intro={t('system-info.jobs.intro')}
      head={columns.map(each => ({
        label: t(`system-info.jobs.${each}`),
        isFigure: each === 'duration',
      }))}
      result={result}
    >
      {jobs =>
        jobs
          .toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
          .map(job => <JobRow key={job.name} job={job} />)
      }
    </TableCard>
  )
}

const JobRow = ({ job }: { job: JobInfo }) => {
  const t = useT()
  const { name, state, started_at, duration_ms, due_at, error } = job
  const hasEnded = state === 'succeeded' || state === 'failed'
  return (
    <TableRow>
      <TableCell title={name}>{t(`system-info.jobs.names.${name}`)}</TableCell>
      <TableCell>
        <Badge tone={tones[state]} labelKey={`system-info.jobs.${state}`} />
      </TableCell>
      <TableCell>{started_at !== null && formatTime(started_at)}</TableCell>
      <TableCell align="right">{hasEnded && `${formatCount(duration_ms)} ms`}</TableCell>
      <TableCell>{formatTime(due_at)}</TableCell>
      <TableCell sx={{ whiteSpace: 'normal', minWidth: 160, overflowWrap: 'anywhere' }}>
        {error}
      </TableCell>
    </TableRow>
  )
}
