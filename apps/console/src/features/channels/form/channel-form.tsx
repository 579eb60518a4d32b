import { type Channel, ChannelFields, NewChannel } from '@hub/contract'
import { z } from 'zod'
import { api } from '../../../api/index.ts'
import { FormDialog, type Section, useAction, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { useChannelFields } from './channel-fields.tsx'
import {
  type ChannelValues,
  changesOf,
  defaultValuesFor,
  editedSecrets,
  formValuesOf,
  nonDefaultFields,
  normalizeValues,
} from './channel-values.ts'

/** An empty key or secret keeps the stored one. */
const EditedChannel = ChannelFields.extend({
  ...editedSecrets,
  key: z.string().trim().max(100_000).default(''),
})

const foldedSections = {
  routing: ['priority', 'weight', 'tag', 'test_model'],
  mapping: ['model_mapping', 'model_headers', 'custom_parameter'],
  behaviour: [
    'only_chat',
    'compatible_response',
    'allow_extra_body',
    'pre_cost',
    'disabled_stream',
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

export const CreateChannel = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const providers = useProviders()
  const create = useAction(['channels', 'models', 'prices'], api.channels.create, {
    successKey: 'channels.created',
  })
  const usable = providers.find(each => each.operations.length > 0)
  const fields = useChannelFields(undefined)
  const sections = useChannelSections()
  if (providers.length === 0) return null
  const title = t('channels.create')
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={title}
      submitLabel={title}
      schema={NewChannel}
      initialValues={defaultValuesFor(usable)}
      fieldOverrides={fields}
      sections={sections}
      submit={(values: z.output<typeof NewChannel>) => create.attempt(normalizeValues(values))}
    />
  )
}

export const EditChannel = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const t = useT()
  const providers = useProviders()
  const update = useAction(['channels', 'models', 'prices'], api.channels.update, {
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
