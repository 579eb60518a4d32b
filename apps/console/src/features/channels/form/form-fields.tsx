import type { Channel } from '@hub/contract'
import { namesOf } from '../../../ui/form/names.ts'
import { NamesField } from '../../../ui/form/names-field.tsx'
import { type FieldLook, useT } from '../../../ui/index.ts'
import { useGroupSymbols, useProviders } from '../queries.ts'
import { JsonField } from './json-field.tsx'
import { KeyField } from './key-field.tsx'
import { MapField } from './map-field.tsx'
import { ModelsField } from './models-field.tsx'
import { OptionsField } from './options-field.tsx'
import { TypeField } from './type-field.tsx'
import { type ChannelValues, fillForType } from './values.ts'

type Looks = Record<string, FieldLook>

/** How each field of a channel is asked. What a field means is in the words beside it. */
export const useChannelFields = (stored: Channel | undefined): Looks => ({
  ...useIdentity(stored),
  ...useLists(stored),
  ...useMaps(),
  ...usePlugin(),
})

const useIdentity = (stored: Channel | undefined): Looks => {
  const providers = useProviders()
  const providerOf = (type: unknown) => providers.find(each => each.type === type)
  return {
    type: {
      render: ({ id, value, values, setField }) => (
        <TypeField
          id={id}
          value={Number(value)}
          providers={providers}
          choose={next => {
            const filled = fillForType(values as ChannelValues, providerOf(value), next)
            for (const [key, each] of Object.entries(filled)) setField(key, each)
          }}
        />
      ),
    },
    base_url: { placeholder: 'https://' },
    key: {
      render: ({ id, described, error, value, set, values }) => (
        <KeyField
          {...{ id, described, set }}
          invalid={Boolean(error)}
          value={String(value ?? '')}
          hint={providerOf(values.type)?.key_hint ?? ''}
          storedCount={stored?.key_count ?? 0}
        />
      ),
    },
  }
}

const useLists = (stored: Channel | undefined): Looks => {
  const groups = useGroupSymbols()
  return {
    models: {
      render: ({ id, described, error, label, value, set, values }) => (
        <ModelsField
          {...{ id, described, label, set }}
          invalid={Boolean(error)}
          value={String(value ?? '')}
          values={values as ChannelValues}
          channelId={stored?.id}
        />
      ),
    },
    group: {
      render: ({ id, described, error, label, value, set }) => (
        <NamesField
          {...{ id, described, label }}
          closed
          invalid={Boolean(error)}
          options={groups}
          value={namesOf(String(value ?? ''))}
          set={names => set(names.join(','))}
        />
      ),
    },
    disabled_stream: {
      render: ({ id, described, error, label, value, set, values }) => (
        <NamesField
          {...{ id, described, label, set }}
          invalid={Boolean(error)}
          options={namesOf(String(values.models ?? ''))}
          value={(value as string[]) ?? []}
        />
      ),
    },
  }
}

const useMaps = (): Looks => {
  const t = useT()
  const map =
    (keyLabel: string, valueLabel: string): NonNullable<FieldLook['render']> =>
    ({ id, described, label, value, set }) => (
      <MapField
        {...{ id, described, label, set, keyLabel, valueLabel }}
        value={String(value ?? '')}
      />
    )
  return {
    model_mapping: { render: map(t('channels.map.requested'), t('channels.map.forwarded')) },
    model_headers: { render: map(t('channels.map.header'), t('channels.map.value')) },
    custom_parameter: {
      render: ({ id, described, label, value, set }) => (
        <JsonField
          {...{ id, described, label, set }}
          value={String(value ?? '')}
          placeholder={'{\n  "temperature": 0.7\n}'}
        />
      ),
    },
  }
}

const usePlugin = (): Looks => {
  const providers = useProviders()
  return {
    plugin: {
      render: ({ value, set, values }) => (
        <OptionsField
          schema={providers.find(each => each.type === values.type)?.options ?? {}}
          value={(value as ChannelValues['plugin']) ?? {}}
          set={set}
        />
      ),
    },
  }
}
