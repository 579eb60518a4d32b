import type { Channel, Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import { api, useAction } from '../../api/index.ts'
import { namesOf } from '../../ui/form/names.ts'
import { Badge, type Column, Quota, useT } from '../../ui/index.ts'
import { Balance } from './balance.tsx'
import { NumberCell } from './number-cell.tsx'
import { ResponseTime } from './response-time.tsx'
import { Status } from './status.tsx'

export const Groups = ({ text }: { text: string }) => (
  <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap' }}>
    {namesOf(text).map(group => (
      <Badge key={group} text={group} />
    ))}
  </Box>
)

const Name = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const count = namesOf(channel.models).length
  return (
    <Box sx={{ lineHeight: 1.3, minWidth: 170 }}>
      <Box sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{channel.name}</Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {t('channels.modelCount', { count })}
        {channel.tag && ` · ${channel.tag}`}
      </Box>
    </Box>
  )
}

const Place = ({ channel, field }: { channel: Channel; field: 'priority' | 'weight' }) => {
  const t = useT()
  const update = useAction('channels', api.channels.update, { done: 'channels.saved' })
  return (
    <NumberCell
      value={channel[field]}
      min={field === 'weight' ? 1 : 0}
      label={`${t(`channels.fields.${field}`)}: ${channel.name}`}
      save={value => update({ id: channel.id, [field]: value })}
    />
  )
}

export const typeName = (providers: readonly Provider[], type: number): string =>
  providers.find(each => each.type === type)?.name ?? `#${type}`

export const columnsFor = (providers: readonly Provider[]): Column<Channel>[] => [
  { key: 'id', width: 64 },
  { key: 'name', show: row => <Name channel={row} /> },
  { key: 'group', show: row => namesOf(row.group).join(', ') },
  { key: 'type', show: row => typeName(providers, row.type) },
  { key: 'status', show: row => <Status channel={row} /> },
  { key: 'response_time', show: row => <ResponseTime channel={row} /> },
  { key: 'used_quota', align: 'right', show: row => <Quota value={row.used_quota} /> },
  { key: 'balance', align: 'right', show: row => <Balance channel={row} /> },
  { key: 'priority', align: 'right', show: row => <Place channel={row} field="priority" /> },
  { key: 'weight', align: 'right', show: row => <Place channel={row} field="weight" /> },
  { key: 'tag', hidden: true },
  { key: 'test_model', hidden: true },
]
