import type { MidjourneyTask } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import { formatCharge, Quota, type QuotaDisplay } from '../../domain/index.ts'
import { useOptionalT } from '../../locales/use-t.ts'
import {
  Badge,
  type Column,
  formatDuration,
  Meter,
  MonoText,
  OneLine,
  Timestamp,
  type Tone,
  TruncatedText,
  TwoLines,
  useT,
} from '../../ui/index.ts'

const statusTones: Record<MidjourneyTask['status'], Tone> = {
  NOT_START: 'gray',
  SUBMITTED: 'amber',
  IN_PROGRESS: 'blue',
  MODAL: 'violet',
  SUCCESS: 'green',
  FAILURE: 'red',
}

export const isRunning = ({ status }: MidjourneyTask): boolean =>
  status !== 'SUCCESS' && status !== 'FAILURE'

/** The status, and while the task runs how far it is. */
export const Status = ({ task: { status, progress } }: { task: MidjourneyTask }) => {
  const t = useT()
  return (
    <Stack spacing={0.5} sx={{ display: 'inline-flex', alignItems: 'flex-start' }}>
      <Badge tone={statusTones[status]} labelKey={`midjourney.statuses.${status}`} />
      {status === 'IN_PROGRESS' && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, width: 100 }}>
          <Box sx={{ flex: 1 }}>
            <Meter
              percent={Number.parseInt(progress, 10)}
              label={t('midjourney.fields.progress')}
            />
          </Box>
          <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {progress}
          </Box>
        </Box>
      )}
    </Stack>
  )
}

/** The action, and the mode unless it is the usual one. */
export const Action = ({ task: { action, mode } }: { task: MidjourneyTask }) => {
  const optionalT = useOptionalT()
  return (
    <TwoLines
      first={<OneLine>{optionalT(`midjourney.actions.${action}`) ?? action}</OneLine>}
      second={mode !== 'fast' && (optionalT(`midjourney.modes.${mode}`) ?? mode)}
    />
  )
}

export const channelOf = ({ channel_id, channel }: MidjourneyTask): string =>
  channel_id === 0 ? '–' : `${channel_id} (${channel?.name ?? '?'})`

/** The charge; reserved points are not charged yet. */
const Charge = ({ task: { quota, billing } }: { task: MidjourneyTask }) => {
  const t = useT()
  return (
    <TwoLines
      first={<Quota value={quota} exact />}
      second={billing === 'held' && t('midjourney.billing.held')}
    />
  )
}

const slowSeconds = 60

/** One Hub marks tasks of more than a minute. */
export const Duration = ({
  task: { submit_time, finish_time },
}: {
  task: Pick<MidjourneyTask, 'submit_time' | 'finish_time'>
}) => {
  if (finish_time === 0) return <>–</>
  const seconds = Math.max(0, finish_time - submit_time)
  return (
    <Badge tone={seconds > slowSeconds ? 'red' : 'green'} text={formatDuration(seconds * 1_000)} />
  )
}

const Outcome = ({ task: { image_url, video_urls, fail_reason } }: { task: MidjourneyTask }) => {
  const t = useT()
  if (fail_reason) return <TruncatedText text={fail_reason} width={220} />
  const key = video_urls.length > 0 ? 'video' : image_url ? 'image' : undefined
  return key ? (
    <Badge tone="blue" labelKey={`midjourney.outputs.${key}`} />
  ) : (
    <span>{t('midjourney.none')}</span>
  )
}

const adminColumns: Column<MidjourneyTask>[] = [
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

const ownColumns: Column<MidjourneyTask>[] = [
  { key: 'prompt', render: row => <TruncatedText text={row.prompt} width={220} /> },
  {
    key: 'prompt_en',
    hidden: true,
    render: row => <TruncatedText text={row.prompt_en} width={220} />,
  },
]

export const columnsFor = (isAdmin: boolean, site: QuotaDisplay): Column<MidjourneyTask>[] => [
  { key: 'submit_time', width: 160, render: row => <Timestamp at={row.submit_time} /> },
  { key: 'mj_id', render: row => <MonoText text={row.mj_id} /> },
  ...(isAdmin ? adminColumns : []),
  { key: 'action', render: row => <Action task={row} /> },
  { key: 'status', render: row => <Status task={row} /> },
  { key: 'duration', align: 'right', render: row => <Duration task={row} /> },
  {
    key: 'quota',
    align: 'right',
    amount: row => formatCharge(row.quota, site),
    render: row => <Charge task={row} />,
  },
  ...(isAdmin ? [] : ownColumns),
  { key: 'outcome', render: row => <Outcome task={row} /> },
]
