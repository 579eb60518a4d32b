import { type Channel, ChannelFields, NewChannel } from '@hub/contract'
import Alert from '@mui/material/Alert'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { errorText } from '../../../api/error-text.ts'
import { api } from '../../../api/index.ts'
import {
  FormDialog,
  formatFixed,
  notify,
  type Section,
  useAction,
  useT,
} from '../../../ui/index.ts'
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

const affectedResources = ['channels', 'models', 'prices']

/** Creates a channel and tests it. Resolves with the stored channel if the test failed. */
const useCreateAndTest = () => {
  const t = useT()
  const create = useAction(affectedResources, api.channels.create, {
    successKey: 'channels.created',
  })
  const test = useAction('channels', api.channels.test, { invalidateOnFailure: true })
  return async (values: z.output<typeof NewChannel>): Promise<Channel | undefined> => {
    const [channel] = await create.attempt(normalizeValues(values))
    if (!channel) return undefined
    const { id, name } = channel
    try {
      const { model, time } = await test.attempt({ id })
      notify.info(t('channels.tested', { name, model, seconds: formatFixed(time, 2) }))
      return undefined
    } catch (error) {
      // The channel exists now: an error of this look-up must not offer to create it again.
      const stored = await api.channels.get({ id }).catch(() => channel)
      return { ...stored, test_error: stored.test_error || errorText(t, error).text }
    }
  }
}

/** A channel whose test failed stays open, with the provider's message, so that it can be corrected. */
export const CreateChannel = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const providers = useProviders()
  const createAndTest = useCreateAndTest()
  const [failed, setFailed] = useState<Channel>()
  const hasFailed = useRef(false)
  const usable = providers.find(each => each.operations.length > 0)
  const fields = useChannelFields(undefined)
  const sections = useChannelSections()
  if (providers.length === 0) return null
  if (failed) return <EditChannel channel={failed} onClose={onClose} />
  return (
    <FormDialog
      resource="channels"
      open
      onClose={() => {
        if (!hasFailed.current) onClose()
      }}
      title={t('channels.create')}
      submitLabel={t('channels.createAndTest')}
      schema={NewChannel}
      initialValues={defaultValuesFor(usable)}
      fieldOverrides={fields}
      sections={sections}
      submit={async (values: z.output<typeof NewChannel>) => {
        const channel = await createAndTest(values)
        hasFailed.current = channel !== undefined
        setFailed(channel)
      }}
    />
  )
}

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
