import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { api, useAction } from '../../api/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import { Badge, type Tone, useT } from '../../ui/index.ts'

const tones: Record<Channel['status'], Tone> = { 1: 'green', 2: 'gray', 3: 'red' }

/** Disabled by the gateway: a slow or failed test, or failures of live traffic. */
const labelOf = ({ status, status_reason }: Channel) => {
  if (status !== 3) return `channels.status.${status}`
  return status_reason.startsWith('test') ? 'channels.status.test' : 'channels.status.failure'
}

export const StatusBadge = ({ channel }: { channel: Channel }) => (
  <Tooltip title={channel.status_reason}>
    <span>
      <Badge tone={tones[channel.status]} label={labelOf(channel)} />
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
        on={channel.status === 1}
        label={`${t('channels.fields.status')}: ${name}`}
        change={on => update({ id, status: on ? 1 : 2 })}
      />
      {/* A switch that is off says "by hand"; what the gateway switched off says why. */}
      {channel.status === 3 && <StatusBadge channel={channel} />}
    </Box>
  )
}
