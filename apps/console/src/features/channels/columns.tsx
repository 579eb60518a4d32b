import type { Channel, Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Tooltip from '@mui/material/Tooltip'
import { api } from '../../api/index.ts'
import { ProviderMark, Quota } from '../../domain/index.ts'
import { splitNames } from '../../ui/form/names.ts'
import { type Column, type T, useAction, useT } from '../../ui/index.ts'
import { BalanceCell } from './balance/cell.tsx'
import { HealthCell, ProposedModels } from './health/cell.tsx'
import { NumberCell } from './number-cell.tsx'
import { typeName, useProviders } from './queries.ts'
import { ResponseTime } from './response-time.tsx'
import { Status } from './status.tsx'
import { TypeName } from './type-name.tsx'

/** One line: the name, and what is special about the channel. */
const ChannelName = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { name, tag, key_count } = channel
  const notes = [...(key_count > 1 ? [keysText(t, channel)] : []), ...(tag ? [tag] : [])]
  return (
    <Box sx={{ maxWidth: 200, whiteSpace: 'nowrap', ...cut }} title={name}>
      <Box component="span" sx={{ fontWeight: 500 }}>
        {name}
      </Box>
      {notes.length > 0 && (
        <Box component="span" sx={{ ml: 1, fontSize: 12, color: 'text.secondary' }}>
          {notes.join(' · ')}
        </Box>
      )}
      <Box sx={cut}>
        <ProposedModels id={channel.id} />
      </Box>
    </Box>
  )
}

const cut = { overflow: 'hidden', textOverflow: 'ellipsis' }

const ModelCount = ({ channel }: { channel: Channel }) => {
  const names = splitNames(channel.models)
  return (
    <Tooltip title={names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '')}>
      <span>{names.length}</span>
    </Tooltip>
  )
}

/** The head of a card: the mark of the provider and the name. */
export const CardTitle = ({ channel }: { channel: Channel }) => {
  const providers = useProviders()
  const { type, name } = channel
  return (
    <Box
      component="span"
      sx={{ display: 'flex', alignItems: 'center', gap: 1, lineHeight: '24px' }}
    >
      <ProviderMark type={type} name={typeName(providers, type)} size={20} />
      {name}
    </Box>
  )
}

/** The lines of a card below its head: where the channel stands, its switch, its last test, and its last day. */
export const CardLine = ({ channel }: { channel: Channel }) => {
  const t = useT()
  return (
    <>
      <Stack direction="row" sx={{ ...cardLine, color: 'text.secondary' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          {t('channels.card', {
            models: splitNames(channel.models).length,
            priority: channel.priority,
            weight: channel.weight,
          })}
        </Box>
        <span>{t('channels.fields.status')}</span>
        <Status channel={channel} />
      </Stack>
      <Stack direction="row" sx={cardLine}>
        <HealthCell id={channel.id} isWide />
        <ResponseTime channel={channel} />
      </Stack>
      {channel.balance_updated_time > 0 && (
        <Box sx={{ ...cardLine, color: 'text.secondary', pt: 0.5 }}>
          <BalanceCell channel={channel} label={t('channels.fields.balance')} />
        </Box>
      )}
      <ProposedModels id={channel.id} />
    </>
  )
}

const cardLine = { alignItems: 'center', gap: 1, fontSize: 12, minHeight: 32 }

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
  { key: 'id', width: 48 },
  { key: 'name', render: row => <ChannelName channel={row} /> },
  {
    key: 'type',
    render: row => (
      <Box sx={{ maxWidth: 132, lineHeight: 1.25 }}>
        <TypeName type={row.type} providers={providers} />
      </Box>
    ),
  },
  {
    key: 'models',
    hidden: true,
    align: 'right',
    render: row => <ModelCount channel={row} />,
  },
  {
    key: 'group',
    hidden: true,
    render: row => (
      <Box sx={{ maxWidth: 96, whiteSpace: 'nowrap', ...cut }} title={row.group}>
        {splitNames(row.group).join(', ')}
      </Box>
    ),
  },
  { key: 'status', render: row => <Status channel={row} /> },
  { key: 'health', render: row => <HealthCell id={row.id} /> },
  { key: 'response_time', render: row => <ResponseTime channel={row} /> },
  { key: 'used_quota', align: 'right', render: row => <Quota value={row.used_quota} /> },
  { key: 'balance', align: 'right', render: row => <BalanceCell channel={row} /> },
  {
    key: 'priority',
    align: 'right',
    render: row => <RoutingNumber channel={row} field="priority" />,
  },
  { key: 'weight', align: 'right', render: row => <RoutingNumber channel={row} field="weight" /> },
  { key: 'tag', hidden: true },
  { key: 'test_model', hidden: true },
]
