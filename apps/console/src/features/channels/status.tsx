import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { api } from '../../api/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import {
  Badge,
  formatDuration,
  formatOptionalTime,
  type Tone,
  useAction,
  useT,
} from '../../ui/index.ts'
import { readOnlyKey } from './testing/read-only.ts'

const tones: Record<Channel['status'], Tone> = { 1: 'green', 2: 'gray', 3: 'red' }

/** The gateway disables a channel after a slow or failed test, or after failures of live traffic. */
const labelOf = ({ status, status_reason }: Channel) => {
  if (status !== 3) return `channels.status.${status}`
  return status_reason.startsWith('test') ? 'channels.status.test' : 'channels.status.failure'
}

export const StatusBadge = ({ channel }: { channel: Channel }) => (
  <Tooltip title={channel.status_reason}>
    <span>
      <Badge tone={tones[channel.status]} labelKey={labelOf(channel)} />
    </span>
  </Tooltip>
)

export const Status = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const update = useAction('channels', api.channels.update)
  const { id, name } = channel
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Toggle
        checked={channel.status === 1}
        label={`${t('channels.fields.status')}: ${name}`}
        onChange={on => update({ id, status: on ? 1 : 2 })}
      />
      {/* The switch alone means disabled manually; the badge gives the reason of the gateway. */}
      {channel.status === 3 && <StatusBadge channel={channel} />}
    </Box>
  )
}

const toneOf = (ms: number): Tone => {
  if (ms === 0) return 'gray'
  if (ms <= 1000) return 'green'
  if (ms <= 3000) return 'blue'
  return ms <= 5000 ? 'amber' : 'red'
}

/** The duration of the last test, or that it failed. */
export const ResponseBadge = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { response_time: ms, test_time, test_error: error, test_kind: kind } = channel
  const at = formatOptionalTime(test_time)
  if (error !== '')
    return (
      <Tooltip title={t('channels.testFailedAt', { at, error })} describeChild>
        <span>
          <Badge tone="red" labelKey="channels.testFailed" />
        </span>
      </Tooltip>
    )
  if (kind !== 'call')
    return (
      <Tooltip title={at && t('channels.testedAt', { at })}>
        <span>
          <Badge tone={kind === 'none' ? 'gray' : 'green'} labelKey={readOnlyKey(kind)} />
        </span>
      </Tooltip>
    )
  return (
    <Tooltip title={at && t('channels.testedAt', { at })}>
      <span>
        <Badge tone={toneOf(ms)} text={ms === 0 ? t('channels.notTested') : formatDuration(ms)} />
      </span>
    </Tooltip>
  )
}
