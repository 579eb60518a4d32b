import { type Channel, ChannelFields, channelSecrets, NewChannel } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import { api, useUser } from '../../../api/index.ts'
import { useFormDraft } from '../../../ui/form/draft/use-form-draft.ts'
import { SchemaFields } from '../../../ui/form/schema-fields.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved.tsx'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { Card, type Section, useAction, useT } from '../../../ui/index.ts'
import { clearDraft } from '../../../ui/stored-draft.ts'
import { useAskUnpriced } from '../pricing/ask-unpriced.tsx'
import { affectedResources, useProviders } from '../queries.ts'
import { useChannelFields } from './channel-fields.tsx'
import {
  type ChannelValues,
  changesOf,
  editedSecrets,
  formValuesOf,
  nonDefaultFields,
} from './channel-values.ts'
import { billedModels } from './stored-text.ts'

/** An empty key or secret keeps the stored one. */
export const EditedChannel = ChannelFields.extend({
  ...editedSecrets,
  key: z.string().trim().max(100_000).default(''),
  key_mode: NewChannel.shape.key_mode,
  prices: NewChannel.shape.prices,
})

/** Fields whose values no draft contains. */
export const secretFields: readonly string[] = ['key', ...channelSecrets]

/** The fields that are always in view. */
export const basicFields = ['type', 'name', 'base_url', 'key', 'models', 'group'] as const

/** The rarely used fields, in sections that begin folded. */
export const foldedSections = {
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
} satisfies FoldedSections
type FoldedSections = Record<string, (keyof ChannelValues)[]>

/** The given fields, and below them folded sections whose summary lists the fields that differ from the default. */
export const useChannelSections = (
  basic: readonly (keyof ChannelValues)[],
  folded: FoldedSections,
  isSet?: Channel['is_set'],
): Section[] => {
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
    { id: 'basic', fields: basic },
    ...Object.entries(folded).map(([id, fields]) => ({
      id,
      fields,
      folded: true,
      summary: summary(fields),
    })),
  ]
}

/** The settings of a channel. Typed values are kept until they are saved or discarded. */
export const ChannelSettings = ({ channel }: { channel: Channel }) => {
  const providers = useProviders()
  const [saves, setSaves] = useState(0)
  if (providers.length === 0) return <Skeleton variant="rounded" height={480} />
  // A saved form begins anew with the stored values, so that no typed key stays in it.
  return <SettingsForm key={saves} channel={channel} onSaved={() => setSaves(saves + 1)} />
}

type SettingsProps = { channel: Channel; onSaved: () => void }

const SettingsForm = ({ channel, onSaved }: SettingsProps) => {
  const t = useT()
  const provider = useProviders().find(each => each.type === channel.type)
  const { id: userId } = useUser()
  const [draftName] = useState(`channel ${channel.id} of ${userId}`)
  const [before] = useState(() => formValuesOf(channel, provider))
  const update = useAction(affectedResources, api.channels.update, {
    successKey: 'channels.saved',
  })
  const form = {
    resource: 'channels',
    schema: EditedChannel,
    initialValues: before,
    fieldOverrides: useChannelFields(channel),
    sections: useChannelSections(basicFields, foldedSections, channel.is_set),
  }
  const control = useSchemaForm({
    ...form,
    submit: values => update.attempt({ id: channel.id, ...changesOf(before, values) }),
    onSuccess: () => {
      clearDraft(draftName)
      onSaved()
    },
  })
  const { ask, dialog } = useAskUnpriced(() => control.send())
  const known = new Set(billedModels(before).map(each => each.billedAs))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const typed = control.form.getValues() as ChannelValues
    // Models that were stored without a price stay as they are.
    const added = billedModels(typed).filter(each => !known.has(each.billedAs))
    void ask(added, typed.prices)
  }
  const draft = useFormDraft(control, { name: draftName, initial: before, secrets: secretFields })
  return (
    <Card>
      <Box component="form" noValidate onSubmit={save} sx={{ maxWidth: 640 }}>
        {draft.isRestored && (
          <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
            {t('channels.draft.restored')}
          </Alert>
        )}
        <SchemaFields {...form} control={control} heading="h2" />
        <SaveBar control={control} discard={draft.discard} />
        <UnsavedGuard when={draft.hasSecret && !control.isSubmitting} />
      </Box>
      {dialog}
    </Card>
  )
}

type SaveBarProps = { control: ReturnType<typeof useSchemaForm>; discard: () => void }

/** The buttons stay in view while there is something to save. */
const SaveBar = ({ control: { isDirty, isSubmitting }, discard }: SaveBarProps) => {
  const t = useT()
  return (
    <Stack
      direction="row"
      sx={{
        ...{ gap: 1, mt: 2, py: 1.5, zIndex: 1, bgcolor: 'background.paper' },
        ...(isDirty && { position: 'sticky', bottom: 0 }),
      }}
    >
      <Button type="submit" variant="contained" loading={isSubmitting} disabled={!isDirty}>
        {t('channels.save')}
      </Button>
      {isDirty && !isSubmitting && (
        <Button color="inherit" onClick={discard}>
          {t('common.unsaved.discard')}
        </Button>
      )}
    </Stack>
  )
}
