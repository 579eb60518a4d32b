import type { Task } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, query } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import {
  Badge,
  CodeBlock,
  ConfirmButton,
  Copyable,
  ErrorState,
  KeyValue,
  type KeyValueRow,
  type T,
  Timestamp,
  useAction,
  useT,
} from '../../ui/index.ts'
import { durationOf, FinishTime, Platform, Status } from './columns.tsx'
import { Results } from './results.tsx'

/** All fields of a task with its results; for administrators also the provider's data. */
export const TaskRecord = ({ task, isAdmin }: { task: Task; isAdmin: boolean }) => {
  const t = useT()
  const label = (key: string) => t(`tasks.fields.${key}`)
  const { channel_id, channel, username, user_id } = task
  const adminRows: KeyValueRow[] = [
    [label('username'), `${username || '–'} (${user_id})`],
    [label('channel'), channel_id ? `${channel_id} (${channel?.name ?? '?'})` : '–'],
  ]
  return (
    <>
      <Stack spacing={1} sx={{ mb: 1 }}>
        {task.orphan && (
          <Alert severity="warning" variant="outlined">
            {t('tasks.orphanText')}
          </Alert>
        )}
        {task.deleted && (
          <Alert severity="info" variant="outlined">
            {t('tasks.deleted')}
          </Alert>
        )}
      </Stack>
      <KeyValue
        rows={[
          [label('task_id'), <Copyable key="id" text={task.task_id} />],
          [label('status'), <Status key="status" task={task} />],
          ...(task.fail_reason
            ? [[label('fail_reason'), <Copyable key="why" text={task.fail_reason} />] as const]
            : []),
          [label('model'), <Copyable key="model" text={task.model} />],
          [label('platform'), <Platform key="platform" id={task.platform} />],
          [label('action'), task.action || '–'],
          ...(isAdmin ? adminRows : []),
          [label('submit_time'), <Timestamp key="submitted" at={task.submit_time} />],
          [label('start_time'), <FinishTime key="started" at={task.start_time} />],
          [label('finish_time'), <FinishTime key="finished" at={task.finish_time} />],
          [label('duration'), durationOf(task)],
          [t(`tasks.billing.${task.billing}`), <Quota key="quota" value={task.quota} exact />],
          ...callbackRows(t, task),
          ...(task.prompt
            ? [[label('prompt'), <Copyable key="prompt" text={task.prompt} />] as const]
            : []),
        ]}
      />
      {task.billing === 'charged' && (
        <MuiLink
          component={Link}
          to={`/panel/log?id=${task.id}&open=${task.id}`}
          sx={{ display: 'inline-block', mt: 2 }}
        >
          {t('tasks.log')}
        </MuiLink>
      )}
      {task.can_cancel && <CancelButton id={task.id} />}
      <Results results={task.results} />
      {isAdmin && <RawData key={task.id} id={task.id} />}
    </>
  )
}

const callbackRows = (t: T, { callback, callback_failure }: Task): KeyValueRow[] => {
  if (callback === 'none') return []
  const state = (
    <Badge key="state" tone={callbackTones[callback]} labelKey={`tasks.callbacks.${callback}`} />
  )
  const rows: KeyValueRow[] = [[t('tasks.fields.callback'), state]]
  return callback_failure ? [...rows, [t('tasks.fields.callback_failure'), callback_failure]] : rows
}

const callbackTones = { waiting: 'gray', delivered: 'green', given_up: 'red' } as const

const CancelButton = ({ id }: { id: number }) => {
  const t = useT()
  const cancel = useAction('tasks', () => api.tasks.cancel({ id }), {
    successKey: 'tasks.cancel.done',
    invalidateOnFailure: true,
  })
  return (
    <ConfirmButton
      variant="outlined"
      title={t('tasks.cancel.action')}
      text={t('tasks.cancel.text')}
      onConfirm={() => cancel(undefined)}
      sx={{ mt: 2 }}
    >
      {t('tasks.cancel.action')}
    </ConfirmButton>
  )
}

/** The provider's own data, which is loaded on demand because it contains what the user wrote. */
const RawData = ({ id }: { id: number }) => {
  const t = useT()
  const [isShown, setIsShown] = useState(false)
  const { data, error, refetch } = useQuery({
    ...query(api.tasks.raw, { id }),
    enabled: isShown,
  })
  if (!isShown)
    return (
      <Button variant="outlined" onClick={() => setIsShown(true)} sx={{ mt: 3 }}>
        {t('tasks.showRaw')}
      </Button>
    )
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={240} sx={{ mt: 3 }} />
  const blocks = [
    ['rawRequest', data.request],
    ['rawData', data.data],
  ] as const
  return (
    <Stack spacing={1} sx={{ mt: 3 }}>
      <Typography variant="h3">{t('tasks.raw')}</Typography>
      <KeyValue
        rows={[
          [
            t('tasks.fields.upstream_id'),
            data.upstream_id ? <Copyable key="upstream" text={data.upstream_id} /> : '–',
          ],
          ...(data.prompt
            ? [[t('tasks.fields.prompt'), <Copyable key="prompt" text={data.prompt} />] as const]
            : []),
        ]}
      />
      {blocks.map(([key, value]) => (
        <Stack key={key} spacing={0.5}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t(`tasks.${key}`)}
          </Typography>
          <CodeBlock label={t(`tasks.${key}`)}>{JSON.stringify(value, null, 2)}</CodeBlock>
        </Stack>
      ))}
    </Stack>
  )
}
