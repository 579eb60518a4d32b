import type { MidjourneyTask } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Link } from 'react-router'
import { Quota } from '../../domain/index.ts'
import { Copyable, KeyValue, Timestamp, useCopy, useT } from '../../ui/index.ts'
import { Action, channelOf, Duration, Status } from './columns.tsx'

const Time = ({ at }: { at: number }) => (at > 0 ? <Timestamp at={at} /> : <>–</>)

/** All fields of a task with its image. */
export const MidjourneyRecord = ({ task, isAdmin }: { task: MidjourneyTask; isAdmin: boolean }) => {
  const t = useT()
  const label = (key: string) => t(`midjourney.fields.${key}`)
  const copied = (key: 'prompt' | 'prompt_en' | 'fail_reason') =>
    task[key] ? [[label(key), <Copyable key={key} text={task[key]} />] as const] : []
  return (
    <>
      <Outputs task={task} />
      <KeyValue
        rows={[
          [label('mj_id'), <Copyable key="id" text={task.mj_id} />],
          [label('action'), <Action key="action" task={task} />],
          [label('status'), <Status key="status" task={task} />],
          ...copied('fail_reason'),
          ...(isAdmin
            ? ([
                [label('username'), `${task.username || '–'} (${task.user_id})`],
                [label('channel'), channelOf(task)],
              ] as const)
            : []),
          [label('submit_time'), <Time key="submitted" at={task.submit_time} />],
          [label('start_time'), <Time key="started" at={task.start_time} />],
          [label('finish_time'), <Time key="finished" at={task.finish_time} />],
          [label('duration'), <Duration key="duration" task={task} />],
          [label('model'), task.model],
          [t(`midjourney.billing.${task.billing}`), <Quota key="quota" value={task.quota} exact />],
          ...copied('prompt'),
          ...copied('prompt_en'),
        ]}
      />
      <Stack spacing={1} sx={{ mt: 2, alignItems: 'flex-start' }}>
        {task.billing === 'charged' && (
          <MuiLink component={Link} to={`/panel/log?id=${task.id}&open=${task.id}`}>
            {t('midjourney.log')}
          </MuiLink>
        )}
        {isAdmin && (
          <MuiLink component={Link} to={`/panel/task?task_id=${task.mj_id}&open=${task.id}`}>
            {t('midjourney.raw')}
          </MuiLink>
        )}
      </Stack>
    </>
  )
}

const frame = {
  width: '100%',
  maxHeight: 480,
  borderRadius: '8px',
  bgcolor: 'action.hover',
  objectFit: 'contain',
}

/** The image, also an unfinished one, or the video. */
const Outputs = ({
  task: { image_url, video_urls, progress, mj_id },
}: {
  task: MidjourneyTask
}) => {
  const [video = ''] = video_urls
  // The address is signed anew with each refresh; a running task has a new image with each step.
  const url = useFirst(`${mj_id} ${progress}`, video || image_url)
  return url ? <Output key={url} url={url} isVideo={video !== ''} name={mj_id} /> : null
}

type OutputProps = { url: string; isVideo: boolean; name: string }

const Output = ({ url, isVideo, name }: OutputProps) => {
  const t = useT()
  const [isMissing, setIsMissing] = useState(false)
  if (isMissing)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
        {t('midjourney.unavailable')}
      </Typography>
    )
  const shared = { src: url, onError: () => setIsMissing(true) }
  return (
    <Stack spacing={1} sx={{ mb: 2 }}>
      {isVideo ? (
        <Box
          component="video"
          controls
          preload="metadata"
          aria-label={t('midjourney.outputs.video')}
          {...shared}
          sx={frame}
        />
      ) : (
        <Box component="img" alt={t('midjourney.outputs.image')} {...shared} sx={frame} />
      )}
      <OutputActions url={url} name={name} />
    </Stack>
  )
}

/** The first value for a key: an address that is signed again leads to the same file. */
const useFirst = (key: string, value: string): string => {
  const [first, setFirst] = useState({ key, value })
  if (first.key === key && first.value) return first.value
  if (first.key !== key || value) setFirst({ key, value })
  return value
}

const OutputActions = ({ url, name }: { url: string; name: string }) => {
  const t = useT()
  const copy = useCopy()
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <Button size="small" variant="outlined" href={url} target="_blank" rel="noreferrer">
        {t('midjourney.open')}
      </Button>
      <Button size="small" variant="outlined" href={url} download={`midjourney-${name}`}>
        {t('midjourney.download')}
      </Button>
      <Button
        size="small"
        variant="outlined"
        onClick={() => void copy(new URL(url, location.href).href, t('midjourney.address'))}
      >
        {t('midjourney.copyAddress')}
      </Button>
    </Stack>
  )
}
