import { type Channel, NewChannel } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type FormEvent, useEffect } from 'react'
import type { z } from 'zod'
import { api } from '../../../api/index.ts'
import { useOptionalT } from '../../../locales/use-t.ts'
import { SchemaFields } from '../../../ui/form/schema-fields.tsx'
import type { FieldOverride } from '../../../ui/form/types.ts'
import { UnsavedGuard } from '../../../ui/form/unsaved.tsx'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { useAction, useT } from '../../../ui/index.ts'
import { useChannelFields } from '../form/channel-fields.tsx'
import {
  EditedChannel,
  foldedSections,
  secretFields,
  useChannelSections,
} from '../form/channel-form.tsx'
import {
  type ChannelValues,
  changesOf,
  defaultValuesFor,
  formValuesOf,
  normalizeValues,
} from '../form/channel-values.ts'
import { billedModels } from '../form/stored-text.ts'
import { useAskUnpriced } from '../pricing/ask-unpriced.tsx'
import { UnpricedModels } from '../pricing/unpriced-models.tsx'
import { affectedResources, useProviders } from '../queries.ts'
import type { CreateDraft } from './draft.ts'
import { Footer } from './footer.tsx'
import { usePrepareModels } from './prepare-models.ts'
import { TypeGrid } from './type-grid.tsx'

/** The server stores a new channel disabled, whatever the form says. */
const NewValues = NewChannel.omit({ status: true })
type NewChannelValues = z.output<typeof NewValues>

const firstFields = ['type', 'name', 'base_url', 'key', 'other', 'proxy'] as const
const { behaviour, plugin } = foldedSections
const folded = {
  1: { connection: ['proxy'] },
  2: {
    routing: ['tag', 'test_model', 'key_rotation'],
    mapping: ['model_headers', 'custom_parameter'],
    ...{ behaviour, plugin },
  },
} satisfies Record<1 | 2, Parameters<typeof useChannelSections>[1]>
const basic = {
  1: ['type', 'name', 'base_url', 'key', 'other'],
  2: ['models', 'model_mapping', 'group', 'priority', 'weight'],
} as const

type Props = {
  draft: CreateDraft
  /** The channels that the server has already. */
  stored: readonly Channel[]
  heading: 'h2' | 'h3'
  onStored: (channels: readonly Channel[]) => void
  discard: () => Promise<void>
}

/** The first two steps, as one form of which each step shows its part. */
export const FieldSteps = ({ draft, stored, heading, onStored, discard }: Props) => {
  const t = useT()
  const providers = useProviders()
  const step = draft.step === 2 ? 2 : 1
  const [first] = stored
  const overrides = useOverrides(stored)
  const sections = useChannelSections(basic[step], folded[step], first?.is_set)
  const store = useStore(stored)
  const type = first?.type ?? draft.values.type
  const provider = providers.find(each => each.type === type)
  const before = first ? formValuesOf(first, provider) : defaultValuesFor(provider)
  const control = useSchemaForm({
    resource: 'channels',
    schema: first ? EditedChannel : NewValues,
    initialValues: { ...before, ...draft.values },
    fieldOverrides: overrides,
    submit: values => store(values as ChannelValues),
    onSuccess: response => onStored(response as readonly Channel[]),
  })
  const { form } = control
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form is watched from its start to its end
  useEffect(() => {
    const { unsubscribe } = form.watch(values => draft.change({ values: withoutSecrets(values) }))
    return unsubscribe
  }, [])
  const values = form.watch()
  const { ask, dialog } = useAskUnpriced(async () => {
    await control.send()
    if (firstFields.some(key => form.getFieldState(key).error)) draft.change({ step: 1 })
  })
  const { isPreparing, prepare } = usePrepareModels()
  const setModels = (models: string) => form.setValue('models', models)
  const next = async (event: FormEvent) => {
    event.preventDefault()
    if (step === 1) {
      if (!(await form.trigger([...firstFields]))) return
      if (stored.length === 0) await prepare(form.getValues() as ChannelValues, setModels)
      draft.change({ step: 2 })
      return
    }
    const typed = form.getValues() as ChannelValues
    await ask(billedModels(typed), typed.prices)
  }
  return (
    <>
      <Box component="form" noValidate onSubmit={event => void next(event)}>
        <Box sx={{ maxWidth: 720 }}>
          {draft.isRestored && !first && (
            <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
              {t('channel-create.restored')}
            </Alert>
          )}
          <SchemaFields
            key={step}
            resource="channels"
            control={control}
            heading={heading}
            sections={sections}
            fieldOverrides={onlyShown(overrides, control.shapes, sections)}
          />
        </Box>
        <Footer discard={discard} isStored={stored.length > 0}>
          {step === 2 && (
            <Button color="inherit" onClick={() => draft.change({ step: 1 })}>
              {t('common.back')}
            </Button>
          )}
          <Button type="submit" variant="contained" loading={control.isSubmitting || isPreparing}>
            {t(step === 1 ? 'channel-create.next' : 'channel-create.store')}
          </Button>
        </Footer>
        <UnsavedGuard when={secretFields.some(key => values[key]) && !control.isSubmitting} />
      </Box>
      {dialog}
    </>
  )
}

const withoutSecrets = (values: Partial<ChannelValues>): Partial<ChannelValues> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !secretFields.includes(key)))

type Overrides = Record<string, FieldOverride>

/** Hides the fields of the other step. */
const onlyShown = (
  overrides: Overrides,
  shapes: readonly { key: string }[],
  sections: readonly { fields: readonly string[] }[],
): Overrides => {
  const shown = sections.flatMap(each => each.fields)
  const hidden = shapes.filter(({ key }) => !shown.includes(key))
  return { ...overrides, ...Object.fromEntries(hidden.map(({ key }) => [key, { hidden: true }])) }
}

/** The controls of the channel form, with a grid of types, and a word at each secret that drafts leave it out. */
const useOverrides = (stored: readonly Channel[]): Overrides => {
  const t = useT()
  const optionalT = useOptionalT()
  const [first] = stored
  const fields: Overrides = useChannelFields(first, first?.is_set, {
    TypeControl: TypeGrid,
    UnpricedModels,
  })
  const secrets = secretFields.map(name => {
    const help = [optionalT(`channels.help.${name}`), t('channel-create.notKept')]
    // Each of several channels has its own key already.
    const hidden = name === 'key' && stored.length > 1
    return [name, { ...fields[name], help: help.filter(Boolean).join(' '), hidden }]
  })
  return { ...fields, ...Object.fromEntries(secrets) }
}

/** Creates the channels disabled, or changes them where the values changed since. */
const useStore = (stored: readonly Channel[]) => {
  const providers = useProviders()
  const create = useAction(affectedResources, api.channels.create)
  const update = useAction(affectedResources, api.channels.update)
  return async (values: ChannelValues): Promise<readonly Channel[]> => {
    if (stored.length === 0)
      return create.attempt({ ...(normalizeValues(values) as NewChannelValues), status: 2 })
    const changed: Channel[] = []
    for (const channel of stored) {
      const provider = providers.find(each => each.type === channel.type)
      const { name, ...others } = changesOf(formValuesOf(channel, provider), values)
      const changes = stored.length === 1 && name !== undefined ? { ...others, name } : others
      const isChanged = Object.keys(changes).length > 0
      changed.push(isChanged ? await update.attempt({ id: channel.id, ...changes }) : channel)
    }
    return changed
  }
}
