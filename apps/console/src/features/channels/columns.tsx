import type { Channel, Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import { splitNames } from '../../ui/form/names.ts'
import { type Column, type T, useAction, useT } from '../../ui/index.ts'
import { Balance } from './balance.tsx'
import { NumberCell } from './number-cell.tsx'
import { ResponseTime } from './response-time.tsx'
import { Status } from './status.tsx'
import { TypeName } from './type-name.tsx'

const ChannelName = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const count = splitNames(channel.models).length
  return (
    <Box sx={{ lineHeight: 1.3, minWidth: 140 }}>
      <Box sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{channel.name}</Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {t('channels.modelCount', { count })}
        {channel.key_count > 1 && ` · ${keysText(t, channel)}`}
        {channel.tag && ` · ${channel.tag}`}
      </Box>
    </Box>
  )
}

const keysText = (t: T, { key_count, disabled_key_count }: Channel): string =>
  t('channels.keys.inUse', { count: key_count, enabled: key_count - disabled_key_count })

const RoutingNumber = ({ channel, field }: { channel: Channel; field: 'priority' | 'weight' }) => {
  const t = useT()
  const update = useAction('channels', api.channels.update, { successKey: 'channels.saved' })
  return (
    <NumberCell
      value={channel[field]}
      min={field === 'weight' ? 1 : 0}
      label={`${t(`channels.fields.${field}`)}: ${channel.name}`}
      save={value => update({ id: channel.id, [field]: value })}
    />
  )
}

export const columnsFor = (providers: readonly Provider[]): Column<Channel>[] => [
  { key: 'id', width: 64 },
  { key: 'name', render: row => <ChannelName channel={row} /> },
  { key: 'group', render: row => splitNames(row.group).join(', ') },
  { key: 'type', render: row => <TypeName type={row.type} providers={providers} /> },
  { key: 'status', render: row => <Status channel={row} /> },
  { key: 'response_time', render: row => <ResponseTime channel={row} /> },
  { key: 'used_quota', align: 'right', render: row => <Quota value={row.used_quota} /> },
  { key: 'balance', align: 'right', render: row => <Balance channel={row} /> },
  {
    key: 'priority',
    align: 'right',
    render: row => <RoutingNumber channel={row} field="priority" />,
  },
  { key: 'weight', align: 'right', render: row => <RoutingNumber channel={row} field="weight" /> },
  { key: 'tag', hidden: true },
  { key: 'test_model', hidden: true },
]
