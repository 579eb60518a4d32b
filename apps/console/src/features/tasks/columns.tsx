import type { Task } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import { formatCharge, ModelName, Quota, type QuotaDisplay } from '../../domain/index.ts'
import { useOptionalT } from '../../locales/use-t.ts'
import {
  Badge,
  type Column,
  formatDuration,
  formatPercent,
  Meter,
  MonoText,
  Timestamp,
  type Tone,
  TruncatedText,
  TwoLines,
  useT,
} from '../../ui/index.ts'

const tones: Record<Task['status'], Tone> = {
  SUBMITTED: 'gray',
  QUEUED: 'amber',
  IN_PROGRESS: 'blue',
  SUCCESS: 'green',
  FAILURE: 'red',
}

export const isRunning = ({ status }: Task): boolean => status !== 'SUCCESS' && status !== 'FAILURE'

/** The status, and while the task runs how far it is. */
export const Status = ({ task }: { task: Task }) => {
  const t = useT()
  const { status, progress, orphan } = task
  return (
    <Stack spacing={0.5} sx={{ display: 'inline-flex', alignItems: 'flex-start' }}>
      <Badge tone={tones[status]} labelKey={`tasks.statuses.${status}`} />
      {orphan && <Badge tone="amber" labelKey="tasks.orphan" />}
      {status === 'IN_PROGRESS' && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, width: 100 }}>
          <Box sx={{ flex: 1 }}>
            <Meter percent={progress} label={t('tasks.fields.progress')} />
          </Box>
          <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {formatPercent(progress)}
          </Box>
        </Box>
      )}
    </Stack>
  )
}

export const Platform = ({ id }: { id: string }) => <>{usePlatformName()(id)}</>

const usePlatformName = () => {
  const optionalT = useOptionalT()
  return (id: string) => optionalT(`tasks.platforms.${id}`) ?? id
}

const channelOf = ({ channel_id, channel }: Task): string =>
  channel_id === 0 ? '–' : `${channel_id} (${channel?.name ?? '?'})`

/** The charge; reserved points are not charged yet. */
export const Charge = ({ task }: { task: Task }) =>
  task.billing === 'held' ? (
    <TwoLines
      first={<Quota value={task.quota} exact />}
      second={<BillingText billing={task.billing} />}
    />
  ) : (
    <Quota value={task.quota} exact />
  )

const BillingText = ({ billing }: Pick<Task, 'billing'>) => {
  const t = useT()
  return <>{t(`tasks.billing.${billing}`)}</>
}

export const durationOf = ({ submit_time, finish_time }: Task): string =>
  finish_time > 0 ? formatDuration(Math.max(0, finish_time - submit_time) * 1_000) : '–'

const adminColumns: Column<Task>[] = [
  {
    key: 'user_id',
    render: row => (
      <TwoLines
        first={<TruncatedText text={row.username || String(row.user_id)} width={150} />}
        second={<TruncatedText text={channelOf(row)} width={150} />}
      />
    ),
  },
]

export const columnsFor = (isAdmin: boolean, site: QuotaDisplay): Column<Task>[] => [
  { key: 'submit_time', width: 160, render: row => <Timestamp at={row.submit_time} /> },
  { key: 'task_id', hidden: true, render: row => <MonoText text={row.task_id} /> },
  ...(isAdmin ? adminColumns : []),
  {
    key: 'model',
    render: row => (
      <TwoLines
        first={<ModelName name={row.model} width={220} />}
        second={row.action && <TruncatedText text={row.action} width={220} />}
      />
    ),
  },
  { key: 'platform', render: row => <Platform id={row.platform} /> },
  { key: 'action', hidden: true },
  { key: 'status', render: row => <Status task={row} /> },
  { key: 'duration', align: 'right', render: durationOf },
  { key: 'finish_time', hidden: true, render: row => <FinishTime at={row.finish_time} /> },
  {
    key: 'quota',
    align: 'right',
    amount: row => formatCharge(row.quota, site),
    render: row => <Charge task={row} />,
  },
  { key: 'fail_reason', render: row => <TruncatedText text={row.fail_reason} width={240} /> },
]

export const FinishTime = ({ at }: { at: number }) => (at > 0 ? <Timestamp at={at} /> : <>–</>)
