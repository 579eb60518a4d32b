import type { Channel, ChannelSecret } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { ModelMark, ModelName, Quota } from '../../domain/index.ts'
import { splitNames } from '../../ui/form/names.ts'
import {
  Badge,
  Copyable,
  formatOptionalTime,
  KeyValue,
  mono,
  Timestamp,
  useCopy,
  useT,
} from '../../ui/index.ts'
import { Balance } from './balance/balance.tsx'
import { prettyJson } from './form/stored-text.ts'
import { useProviders } from './queries.ts'
import { ResponseBadge, StatusBadge } from './status.tsx'
import { TypeName } from './type-name.tsx'

/** All details of a channel; the API never returns its keys and secrets. */
export const ChannelRecord = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const providers = useProviders()
  const label = (key: string) => t(`channels.fields.${key}`)
  const isSet = (key: ChannelSecret) => (channel.is_set[key] ? t('channels.secret.set') : '–')
  const yesNo = (value: boolean) => t(value ? 'common.yes' : 'common.no')
  return (
    <>
      {channel.status === 3 && channel.status_reason && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
          {t('channels.disabledBecause', { reason: channel.status_reason })}
        </Alert>
      )}
      {channel.test_error && (
        <Alert severity="error" variant="outlined" sx={{ mb: 2, overflowWrap: 'anywhere' }}>
          {t('channels.testFailedAt', {
            at: formatOptionalTime(channel.test_time),
            error: channel.test_error,
          })}
        </Alert>
      )}
      <KeyValue
        rows={[
          [label('id'), <Copyable key="id" text={String(channel.id)} />],
          [label('type'), <TypeName key="type" type={channel.type} providers={providers} />],
          [label('status'), <StatusBadge key="status" channel={channel} />],
          [
            label('base_url'),
            channel.base_url ? (
              <Copyable key="url" text={channel.base_url} />
            ) : (
              t('channels.providerDefault')
            ),
          ],
          [label('key'), t('channels.key.set', { count: channel.key_count })],
          [label('group'), <GroupBadges key="group" text={channel.group} />],
          [label('tag'), channel.tag || '–'],
          [label('priority'), String(channel.priority)],
          [label('weight'), String(channel.weight)],
          [label('response_time'), <ResponseBadge key="time" channel={channel} />],
          [
            label('test_model'),
            channel.test_model ? <ModelName key="test_model" name={channel.test_model} /> : '–',
          ],
          [label('used_quota'), <Quota key="used" value={channel.used_quota} />],
          [label('balance'), <Balance key="balance" channel={channel} />],
          [label('proxy'), isSet('proxy')],
          [label('model_headers'), isSet('model_headers')],
          [label('custom_parameter'), isSet('custom_parameter')],
          [label('other'), channel.other || '–'],
          [label('pre_cost'), t(`channels.options.pre_cost.${channel.pre_cost}`)],
          [label('only_chat'), yesNo(channel.only_chat)],
          [label('compatible_response'), yesNo(channel.compatible_response)],
          [label('allow_extra_body'), yesNo(channel.allow_extra_body)],
          [label('created_time'), <Timestamp key="created" at={channel.created_time} />],
        ]}
      />
      <Names title={label('models')} names={splitNames(channel.models)} />
      <Names title={label('disabled_stream')} names={channel.disabled_stream} />
      <Json title={label('model_mapping')} text={channel.model_mapping} />
      <Json title={label('context_sizes')} text={channel.context_sizes} />
      {Object.keys(channel.plugin).length > 0 && (
        <Json title={label('plugin')} text={JSON.stringify(channel.plugin)} />
      )}
    </>
  )
}

const GroupBadges = ({ text }: { text: string }) => (
  <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap' }}>
    {splitNames(text).map(group => (
      <Badge key={group} text={group} />
    ))}
  </Box>
)

const Names = ({ title, names }: { title: string; names: readonly string[] }) => {
  const copy = useCopy()
  if (names.length === 0) return null
  return (
    <Box sx={{ mt: 2.5 }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500, mb: 1 }}>
        {title} <Badge text={String(names.length)} />
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
        {names.map(name => (
          <Chip
            key={name}
            size="small"
            variant="outlined"
            icon={<ModelMark name={name} size={14} />}
            label={name}
            onClick={() => void copy(name, name)}
          />
        ))}
      </Box>
    </Box>
  )
}

const Json = ({ title, text }: { title: string; text: string }) => {
  if (text === '') return null
  return (
    <Box sx={{ mt: 2.5 }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500, mb: 1 }}>
        {title}
      </Typography>
      <Box
        component="pre"
        tabIndex={0}
        sx={{
          m: 0,
          p: 1.5,
          fontFamily: mono,
          fontSize: 12,
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '8px',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {prettyJson(text)}
      </Box>
    </Box>
  )
}
