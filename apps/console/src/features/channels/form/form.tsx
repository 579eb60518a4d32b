import { type Channel, ChannelFields, NewChannel } from '@hub/contract'
import { z } from 'zod'
import { api, useAction } from '../../../api/index.ts'
import { FormDialog, type Section, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { useChannelFields } from './form-fields.tsx'
import {
  blankChannel,
  type ChannelValues,
  changesOf,
  setFields,
  tidied,
  valuesOf,
} from './values.ts'

/** A stored key stays where none is typed. */
const EditedChannel = ChannelFields.extend({ key: z.string().trim().max(100_000).default('') })

const folded = {
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

/** The rare ones are folded, and say beside their title what is set in them. */
export const useSections = (): Section[] => {
  const t = useT()
  const providers = useProviders()
  const summary = (keys: (keyof ChannelValues)[]) => (values: Record<string, unknown>) => {
    const provider = providers.find(each => each.type === values.type)
    const set = setFields(values as ChannelValues, provider, keys)
    return set.length
      ? set.map(key => t(`channels.fields.${key}`)).join(' · ')
      : t('channels.asDefault')
  }
  return [
    { id: 'basic', fields: ['type', 'name', 'base_url', 'key', 'models', 'group'] },
    ...Object.entries(folded).map(([id, fields]) => ({
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
    done: 'channels.created',
  })
  const usable = providers.find(each => each.operations.length > 0)
  const fields = useChannelFields(undefined)
  const sections = useSections()
  if (providers.length === 0) return null
  const title = t('channels.create')
  return (
    <FormDialog
      of="channels"
      open
      onClose={onClose}
      title={title}
      verb={title}
      schema={NewChannel}
      initial={blankChannel(usable)}
      fields={fields}
      sections={sections}
      submit={(values: ChannelValues) => create.attempt(tidied(values))}
    />
  )
}

export const EditChannel = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const t = useT()
  const providers = useProviders()
  const update = useAction(['channels', 'models', 'prices'], api.channels.update, {
    done: 'channels.saved',
  })
  const fields = useChannelFields(channel)
  const sections = useSections()
  if (providers.length === 0) return null
  const before = valuesOf(
    channel,
    providers.find(each => each.type === channel.type),
  )
  return (
    <FormDialog
      of="channels"
      open
      onClose={onClose}
      title={t('channels.edit', { name: channel.name })}
      verb={t('channels.save')}
      schema={EditedChannel}
      initial={before}
      fields={fields}
      sections={sections}
      submit={(values: ChannelValues) =>
        update.attempt({ id: channel.id, ...changesOf(before, values) })
      }
    />
  )
}
