import { type Channel, ChannelFields, NewChannel } from '@hub/contract'
import Alert from '@mui/material/Alert'
import { z } from 'zod'
import { api } from '../../../api/index.ts'
import { FormDialog, type Section, useAction, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { useChannelFields } from './channel-fields.tsx'
import {
  type ChannelValues,
  changesOf,
  editedSecrets,
  formValuesOf,
  nonDefaultFields,
} from './channel-values.ts'

/** An empty key or secret keeps the stored one. */
const EditedChannel = ChannelFields.extend({
  ...editedSecrets,
  key: z.string().trim().max(100_000).default(''),
  key_mode: NewChannel.shape.key_mode,
})

const foldedSections = {
  routing: ['priority', 'weight', 'tag', 'test_model', 'key_rotation'],
  mapping: ['model_mapping', 'model_headers', 'custom_parameter'],
  behaviour: [
    'only_chat',
    'compatible_response',
    'allow_extra_body',
    'pre_cost',
    'disabled_stream',
    'context_sizes',
  ],
  connection: ['proxy', 'other'],
  plugin: ['plugin'],
} satisfies Record<string, (keyof ChannelValues)[]>

/** The form's sections; rarely used ones are folded, and their summary lists the fields that differ from the default. */
export const useChannelSections = (isSet?: Channel['is_set']): Section[] => {
  const t = useT()
  const providers = useProviders()
  const summary = (keys: (keyof ChannelValues)[]) => (values: Record<string, unknown>) => {
    const provider = providers.find(each => each.type === values.type)
    const changed = nonDefaultFields(values as ChannelValues, provider, keys, isSet)
    return changed.length
      ? changed.map(key => t(`channels.fields.${key}`)).join(' · ')
      : t('channels.default')
  }
  return [
    { id: 'basic', fields: ['type', 'name', 'base_url', 'key', 'models', 'group'] },
    ...Object.entries(foldedSections).map(([id, fields]) => ({
      id,
      fields,
      folded: true,
      summary: summary(fields),
    })),
  ]
}

/** The data that changes with a channel. */
export const affectedResources = ['channels', 'models', 'prices']

export const EditChannel = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const t = useT()
  const providers = useProviders()
  const update = useAction(affectedResources, api.channels.update, {
    successKey: 'channels.saved',
  })
  const fields = useChannelFields(channel)
  const sections = useChannelSections(channel.is_set)
  if (providers.length === 0) return null
  const before = formValuesOf(
    channel,
    providers.find(each => each.type === channel.type),
  )
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={t('channels.edit', { name: channel.name })}
      submitLabel={t('channels.save')}
      intro={
        channel.test_error && (
          <Alert severity="error" variant="outlined" sx={{ mb: 2, overflowWrap: 'anywhere' }}>
            {t('channels.testFailedWith', { error: channel.test_error })}
          </Alert>
        )
      }
      schema={EditedChannel}
      initialValues={before}
      fieldOverrides={fields}
      sections={sections}
      submit={(values: ChannelValues) =>
        update.attempt({ id: channel.id, ...changesOf(before, values) })
      }
    />
  )
}
